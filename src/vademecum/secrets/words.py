"""Word lists: what stands where a secret could stand, and what names are made of."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OF_CODE = _words("""
    option options
    erforderlich vergessen falsch requerida obligatoria incorrecta requis incorrect obligatoire
    string str bytes byte int integer int32 int64 uint8 float number bool boolean any unknown object void never null
    none nil undefined true false optional required char varchar text uuid date array list dict map set tuple self
    this cls new await async function lambda default inherit unset empty yes no on off ok invalid valid missing
    expired auto prompt plain basic bearer login username user name input output data result file env environment
    vault keychain stdin stdout read write expected expression identifier exists denied failed success successful
    changed updated incorrect wrong correct rejected accepted disabled enabled base64 sha256 utf8 utf-8 pwd
    secretstr passwort varchar2 argon2id field column param parameter argument request response config settings postgres
""")
"""Types, states and placeholders that stand alone after a name, as in `password: string`."""

OF_PROSE = _words("""
    a an the this that these those is are was be been being it its in on at to of for from by with without as or and
    not no if when where which who what how then than into via per your my our their his her you we i they use used
    uses using user see ask get set put new old same must should can could may might will would has have had do does
    did required optional stored string value values password passwords token tokens secret secrets key keys api
    access login auth authentication authorization vault env environment variable variables file files manager admin
    account contains contain enter please invalid wrong incorrect missing expired reset change changed update
    updated confirm forgot failed error none null true false default generated random unique name names field type
    text number client server service request response header cookie session hash hashed encrypted plain identifier
    bytes expected found unexpected next end start line column only all any each every once after before until
""")
"""Words of which sentences about secrets are made; a pass phrase has none of them."""

QUALIFIERS = _words("""
    prod production dev development staging stage test testing live sandbox local old new current previous primary
    secondary backup default main value text string str raw plain plaintext env b64 base64 hex enc v master base equals
""")
"""What may follow the word that gives a name its meaning, as in `API_KEY_STAGING`."""

KEYS = _words("""
    api access secret private account auth subscription
""")
"""Before `key`: it opens something."""

MAYBE_KEYS = _words("""
    encryption encrypt decryption signing sign master shared service license app application client storage session
    webhook admin deploy root function functions host consumer integration server security cipher aes hmac jwt csrf
    registration ingest write read project
""")
"""Before `key`: it may open something."""

HARMLESS = _words("""
    max min num count total input output prompt completion eos bos pad unk mask cls sep stop special next prev lex
    syntax cancellation public publishable no not without forgot reset
""")
"""What stands before the last word in names of things that are counted, parsed or published."""

PASSWORDS_ABROAD = (
    *(
        "passwort",
        "kennwort",
        "zugangscode",
        "geheimcode",
        "mot de passe",
        "mdp",
        "contraseña",
        "contrasena",
        "contrasenya",
        "clave",
    ),
    *("senha", "palavra-passe", "parola d'ordine", "parola", "parolă", "wachtwoord", "lösenord", "passord"),
    *("adgangskode", "kodeord", "salasana", "lykilorð", "hasło", "haslo", "heslo", "jelszó", "lozinka", "geslo"),
    *("пароль", "пароля", "парола", "гасло", "лозинка", "şifre", "sifre", "kata sandi", "sandi"),
    *("kata laluan", "mật khẩu", "κωδικός", "συνθηματικό", "كلمة المرور", "كلمة السر", "كلمه المرور", "رمز عبور"),
    *("סיסמה", "סיסמא", "पासवर्ड", "कूटशब्द", "รหัสผ่าน", "密码", "密碼", "口令", "暗証番号", "合言葉", "パスワード"),
    *("비밀번호", "암호", "패스워드", "비번"),
    *("passwörter", "kennwörter", "mots de passe", "contraseñas", "senhas", "пароли", "паролі", "hasła", "şifreler"),
    *("toegangscode", "code d'accès", "pasahitza", "parool", "salasõna", "slaptažodis", "fjalëkalimi", "գաղտնաբառ"),
)
"""Words for a password, in lower case. German, French, Spanish, Catalan, Portuguese, Italian and Turkish, Romanian,
Dutch, Swedish, Norwegian, Danish, Finnish, Icelandic, Polish, Czech and Slovak, Hungarian, Croatian, Slovenian,
Russian, Bulgarian, Ukrainian, Serbian, Indonesian, Malay, Vietnamese, Greek, Arabic, Persian, Hebrew, Hindi, Thai,
Chinese, Japanese, Korean; several at once; Basque, Estonian, Lithuanian, Albanian, Armenian."""

TOKENS_ABROAD = (
    *(
        "jeton",
        "geheimnis",
        "clé api",
        "clé d'api",
        "ключ api",
        "токен",
        "klucz api",
        "clave api",
        "chave api",
        "chiave api",
    ),
    *("api-schlüssel", "api schlüssel", "api-sleutel", "密钥", "密鑰", "令牌", "秘钥", "トークン", "토큰", "api密钥"),
    *("api-ключ", "ключ доступа", "ключ доступу", "секретный ключ", "секретний ключ", "закрытый ключ", "api anahtarı"),
    *(
        "erişim anahtarı",
        "gizli anahtar",
        "geheimer schlüssel",
        "privater schlüssel",
        "zugriffsschlüssel",
        "clé secrète",
    ),
    *(
        "clé privée",
        "clé d'accès",
        "chiave segreta",
        "chiave privata",
        "chave de api",
        "chave secreta",
        "llave secreta",
    ),
    *("klucz dostępu", "tajny klucz", "api klíč", "klíč api", "tajný klíč", "api-nyckel", "api-nøgle", "api-nøkkel"),
    *("api-avain", "api-kulcs", "cheie api", "私钥", "私鑰", "秘密鍵", "apiキー", "アクセスキー", "シークレットキー"),
    *("api 키", "api키", "비밀 키", "비밀키", "액세스 키", "مفتاح api", "رمز الوصول", "המפתח הסודי", "khóa api"),
)
"""The same for a token or the key of an interface."""
