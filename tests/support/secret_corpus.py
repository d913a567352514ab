"""Fake secrets in real surroundings, and texts that only look like secrets; composed at run time from a fixed seed."""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALNUM = UPPER + LOWER + DIGITS
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"


@dataclass(frozen=True, kw_only=True)
class Positive:
    kind: str
    text: str
    #: Every part of the secret; of none of them six characters in a row may survive.
    parts: tuple[str, ...]


def _run(rng: random.Random, alphabet: str, length: int) -> str:
    """A run with a letter first and with upper case, lower case and digits wherever the alphabet has them."""
    must = [
        rng.choice(one)
        for one in (DIGITS, LOWER, UPPER)
        if set(one) & set(alphabet) and len(alphabet) > 16 and length > 8
    ]
    must = [one for one in must if one in alphabet]
    inner = [
        rng.choice([c for c in alphabet if c.isalnum()]) if n in (0, length - 1) else rng.choice(alphabet)
        for n in range(length)
    ]
    for place, one in zip(rng.sample(range(1, length - 1), len(must)), must, strict=True):
        inner[place] = one
    return "".join(inner)


def _b64json(**content: str) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


#: kind -> how to compose one.
TOKENS: dict[str, Callable[[random.Random], str]] = {
    "aws-access-key": lambda r: "AK" + "IA" + _run(r, UPPER + DIGITS, 16),
    "aws-temporary-key": lambda r: "AS" + "IA" + _run(r, UPPER + DIGITS, 16),
    "github-classic": lambda r: "gh" + r.choice("pousr") + "_" + _run(r, ALNUM, 36),
    "github-fine-grained": lambda r: "github" + "_pat_" + _run(r, ALNUM, 22) + "_" + _run(r, ALNUM, 59),
    "gitlab": lambda r: "gl" + "pat-" + _run(r, WORD, 20),
    "gitlab-runner": lambda r: "gl" + "rt-" + _run(r, WORD, 20),
    "slack-bot": lambda r: "xo" + "xb-" + _run(r, DIGITS, 12) + "-" + _run(r, DIGITS, 13) + "-" + _run(r, ALNUM, 24),
    "slack-app": lambda r: (
        "xa" + "pp-1-A" + _run(r, UPPER + DIGITS, 10) + "-" + _run(r, DIGITS, 13) + "-" + _run(r, HEX, 64)
    ),
    "slack-webhook": lambda r: (
        "https://hooks.slack.com/services/T" + _run(r, UPPER, 8) + "/B" + _run(r, UPPER, 8) + "/" + _run(r, ALNUM, 24)
    ),
    "openai": lambda r: "s" + "k-" + _run(r, ALNUM, 48),
    "openai-project": lambda r: "s" + "k-proj-" + _run(r, WORD, 120),
    "openai-service": lambda r: "s" + "k-svcacct-" + _run(r, WORD, 60),
    "anthropic": lambda r: "s" + "k-ant-api03-" + _run(r, WORD, 93) + "AA",
    "google-api": lambda r: "AI" + "za" + _run(r, WORD, 35),
    "google-oauth-secret": lambda r: "GOC" + "SPX-" + _run(r, WORD, 28),
    "google-oauth-token": lambda r: "ya2" + "9.a0" + _run(r, WORD, 120),
    "stripe-live": lambda r: "sk" + "_live_" + _run(r, ALNUM, 24),
    "stripe-restricted": lambda r: "rk" + "_live_" + _run(r, ALNUM, 24),
    "stripe-webhook": lambda r: "wh" + "sec_" + _run(r, ALNUM, 32),
    "hugging-face": lambda r: "h" + "f_" + _run(r, UPPER + LOWER, 34),
    "npm": lambda r: "np" + "m_" + _run(r, ALNUM, 36),
    "pypi": lambda r: "py" + "pi-AgEIcHlwaS5vcmc" + _run(r, WORD, 90),
    "twilio": lambda r: "S" + "K" + _run(r, HEX, 32),
    "sendgrid": lambda r: "S" + "G." + _run(r, WORD, 22) + "." + _run(r, WORD, 43),
    "mailgun": lambda r: "ke" + "y-" + _run(r, HEX, 32),
    "mailchimp": lambda r: _run(r, HEX, 32) + "-us" + "14",
    "digitalocean": lambda r: "dop" + "_v1_" + _run(r, HEX, 64),
    "shopify": lambda r: "shp" + "at_" + _run(r, HEX, 32),
    "square": lambda r: "sq0" + "atp-" + _run(r, WORD, 22),
    "telegram": lambda r: _run(r, DIGITS, 10) + ":A" + "A" + _run(r, WORD, 33),
    "discord": lambda r: "MT" + _run(r, ALNUM, 24) + "." + _run(r, ALNUM, 6) + "." + _run(r, WORD, 38),
    "databricks": lambda r: "da" + "pi" + _run(r, HEX, 32),
    "linear": lambda r: "lin" + "_api_" + _run(r, ALNUM, 40),
    "notion": lambda r: "nt" + "n_" + _run(r, ALNUM, 46),
    "vault": lambda r: "hv" + "s." + _run(r, WORD, 90),
    "doppler": lambda r: "dp" + ".pt." + _run(r, ALNUM, 43),
    "postman": lambda r: "PM" + "AK-" + _run(r, HEX, 24) + "-" + _run(r, HEX, 34),
    "grafana": lambda r: "gl" + "sa_" + _run(r, ALNUM, 32) + "_" + _run(r, HEX, 8),
    "new-relic": lambda r: "NR" + "AK-" + _run(r, UPPER + DIGITS, 27),
    "sentry": lambda r: "snt" + "rys_" + _run(r, ALNUM, 80),
    "supabase": lambda r: "sb" + "p_" + _run(r, HEX, 40),
    "fly": lambda r: "fo" + "1_" + _run(r, WORD, 43),
    "age": lambda r: "AGE-SECRET" + "-KEY-1" + _run(r, UPPER + DIGITS, 58),
    "onepassword": lambda r: "op" + "s_ey" + _run(r, ALNUM, 200),
    "terraform": lambda r: _run(r, ALNUM, 14) + ".atlas" + "v1." + _run(r, WORD, 67),
    "figma": lambda r: "fi" + "gd_" + _run(r, WORD, 40),
    "airtable": lambda r: "pa" + "t" + _run(r, ALNUM, 14) + "." + _run(r, HEX, 64),
    "azure-client-secret": lambda r: _run(r, ALNUM, 3) + "8Q" + "~" + _run(r, ALNUM + "_-", 34),
    "groq": lambda r: "gs" + "k_" + _run(r, ALNUM, 52),
    "docker": lambda r: "dckr" + "_pat_" + _run(r, WORD, 27),
    "tailscale": lambda r: "ts" + "key-auth-" + _run(r, ALNUM, 17) + "-" + _run(r, ALNUM, 32),
    "jwt": lambda r: (
        _b64json(alg="HS256", typ="JWT") + "." + _b64json(sub=_run(r, DIGITS, 10)) + "." + _run(r, WORD, 43)
    ),
}

_TOKEN_CARRIERS = (
    "I pasted {} by mistake, please rotate it.",
    '  File "/app/main.py", line 12, in call\n    raise AuthError("bad credentials {}")\nAuthError: bad credentials {}',
    '{{"type": "tool_result", "content": "{{\\"value\\": \\"{}\\", \\"ok\\": true}}"}}',
    "| name | value |\n|---|---|\n| prod | `{}` |\n",
    "$ deploy {} --verbose\ndone\n",
)


def _password(rng: random.Random) -> str:
    return _run(rng, UPPER + LOWER + DIGITS, rng.randint(12, 20)) + rng.choice("!#*+?")


def _plain(rng: random.Random) -> str:
    return _run(rng, ALNUM, rng.randint(16, 40))


#: kind of carrier -> templates; `{}` is where the value stands.
ASSIGNMENTS: dict[str, tuple[str, ...]] = {
    "env": (
        "HOME=/root\nDB_PASSWORD={}\nLANG=C\n",
        "PATH=/usr/bin:/bin\nAPI_KEY={}\nTERM=xterm",
        "export CLIENT_SECRET={} && make run",
        "STRIPE_API_KEY={}\n# comment\nDEBUG=1",
        'AWS_SECRET_ACCESS_KEY="{}"\nAWS_REGION=eu-west-1',
        "PGPASSWORD={} psql -h db -U app",
    ),
    "yaml": (
        "apiVersion: v1\nkind: Secret\ndata:\n  password: {}\n  user: YWRtaW4=\n",
        "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD={}\n      - POSTGRES_USER=app\n",
        "services:\n  db:\n    environment:\n      MYSQL_ROOT_PASSWORD: {} # root\n      X: y\n",
        "env:\n  - name: API_TOKEN\n    value: {}\n  - name: MODE\n    value: fast\n",
        "auth: {{password: {}, user: app}}\n",
        "api_key:\n  {}\nuser: app\n",
    ),
    "json": (
        '{{"user": "app", "password": "{}", "port": 5432}}',
        '{{"clientSecret":"{}","clientId":"abc"}}',
        '{{"apiKey":\n    "{}", "n": 1}}',
        '{{"arguments": "{{\\"password\\": \\"{}\\", \\"port\\": 1}}"}}',
        '{{"text": "{{\\\\\\"access_token\\\\\\": \\\\\\"{}\\\\\\"}}"}}',
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
    ),
    "toml": ('[db]\npassword = "{}"\nport = 1\n', "[api]\nsecret_key = '{}'\n", "[main]\npassword = {}\nuser = app\n"),
    "terraform": ('variable "x" {{}}\nresource "db" "main" {{\n  username = "app"\n  password = "{}"\n}}\n',),
    "shell": (
        "$ tool login --token={} --quiet\nok",
        "$ tool login --password {} --user app",
        "  512  mysql -uroot -p{} shop",
        "sshpass -p '{}' ssh root@host",
        "curl -u admin:{} https://api.example.org/v1",
        'curl -H "X-Api-Key: {}" https://api.example.org/v1',
        "docker login -u app -p {} registry.example.org",
    ),
    "code": (
        'const apiKey = "{}";',
        'const clientSecret: string = "{}";',
        "client = Client(api_key='{}', timeout=5)",
        "config['password'] = '{}'",
        'os.environ["AUTH_TOKEN"] = "{}"',
        "{{'user': 'app', 'password': '{}', 'port': 1}}",
        '$dbPassword = "{}";',
        'String accessToken = "{}";',
    ),
    "connection": (
        "Server=db;User Id=app;Password={};Encrypt=true",
        "AccountName=app;AccountKey={};EndpointSuffix=core",
    ),
    "xml": ("<user>app</user><password>{}</password>", '<add key="ApiKey" value="{}" />'),
    "header": (
        "> GET / HTTP/1.1\n> Authorization: Bearer {}\n> Accept: */*\n",
        '{{"Authorization": "token {}"}}',
        "> PRIVATE-TOKEN: {}\n> Host: x",
        "headers = {{'authorization': 'Bearer {}'}}",
    ),
    "query": (
        "GET https://api.example.org/v1?token={}&page=2",
        "https://example.org/?a=1&api_key={}#top",
        "https://x.blob.core/y?sv=2022&sig={}&se=1",
    ),
    "url": (
        "postgres://app:{}@db.example.org:5432/shop",
        "redis://:{}@cache:6379/0",
        "git clone https://bot:{}@git.example.org/x.git",
    ),
    "cookie": ("> Cookie: theme=dark; session={}; lang=en\n", "< Set-Cookie: sid={}; Path=/; HttpOnly\n"),
    "next-line": (
        "Password:\n{}\n",
        "secret =\n    {}\n",
        "from now on always use password:\n  {} for the tests",
        "Token:\r\n    {} is the new one",
    ),
}

PROSE = (
    "my password is {} and it works",
    "the api token for staging is {}",
    "Password for the admin account: {}",
    "The secret that we share with the vendor is now `{}`.",
    "API key: {}",
    "密码是 {}",
    "密码：{}",
    "make test ARG='密码是 {}' && echo x",
    "测试的密码:\n  {} 不要外传",
    "数据库的口令是{}，请保密",
    "Das Passwort für den Server ist {}",
    "le mot de passe est {}",
    "la contraseña es {}",
    "パスワードは {} です",
    "비밀번호는 {} 입니다",
)

#: A key id, and the secret that goes with it.
PAIRS = (
    "use {} and {} for the upload bucket",
    "the pair is {}\n{}\n",
    "first {1}, then {0}",
    "{}\n\nand what belongs to it:\n{}",
    "access {}\\nsecret {}\\nregion eu-west-1",
    '{{"note": "{} / {}"}}',
    "the aws secret for staging went by mail, it begins here\n{1}\n",
    "Secret access key\n    {1}\n",
    "SecretAccessKey   {1}",
    "| key id | secret access key |\n|---|---|\n| ask Ada | {1} |",
)

EVASIONS: tuple[Callable[[str], str], ...] = (
    lambda t: t.replace("pass", "pa\u200bss"),
    lambda t: t.replace("word", "wo\u202erd"),
    lambda t: t.replace("=", "\u00a0=\u00a0\u2060"),
    lambda t: t.replace("password", "\x1b[31mpassword\x1b[0m"),
    lambda t: t.replace("password", "p a s s w o r d"),
    lambda t: t.replace("password", "ｐａｓｓｗｏｒｄ"),
    lambda t: t.replace("pass", "p\U000e0041ass"),
)


def positives(seed: int = 7) -> list[Positive]:
    """More than 300 texts with one secret each."""
    rng = random.Random(seed)
    made: list[Positive] = []
    for kind, compose in TOKENS.items():
        for carrier in rng.sample(_TOKEN_CARRIERS, 4):
            token = compose(rng)
            made.append(
                Positive(
                    kind=kind,
                    text=carrier.format(token, token),
                    parts=(token.rpartition("//")[2].removeprefix("hooks.slack.com"),),
                )
            )
    for kind, templates in ASSIGNMENTS.items():
        for template in templates:
            for compose in (
                (_plain, _password) if kind not in ("header", "query", "cookie", "url") else (_plain, _plain)
            ):
                value = compose(rng)
                made.append(Positive(kind=kind, text=template.format(value), parts=(value,)))
    for template in PROSE:
        for compose in (_password, _plain):
            value = compose(rng)
            made.append(Positive(kind="prose", text=template.format(value), parts=(value,)))
    for template in PAIRS:
        key, value = TOKENS["aws-access-key"](rng), _run(rng, ALNUM + "+/", 40)
        made.append(Positive(kind="aws-pair", text=template.format(key, value), parts=(value,)))
    for evade in EVASIONS:
        value = _plain(rng)
        made.append(Positive(kind="evasion", text=evade(f"x\npassword = {value}\ny"), parts=(value,)))
    return made + _keys(rng)


def _keys(rng: random.Random) -> list[Positive]:
    made: list[Positive] = []
    for label in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "):
        lines = [_run(rng, ALNUM + "+/", 64) for _ in range(4)] + [_run(rng, ALNUM, 30) + "=="]
        begin, end = f"-----BEGIN {label}" + "PRIVATE KEY-----", f"-----END {label}" + "PRIVATE KEY-----"
        whole = "\n".join((begin, *lines, end))
        parts = tuple(lines)
        made += [
            Positive(kind="pem", text=f"cat id\n{whole}\ndone", parts=parts),
            Positive(kind="pem", text="\n".join((begin, *lines)), parts=parts),
            Positive(kind="pem", text="\n".join((*lines, end, "done")), parts=parts),
            Positive(kind="pem", text=json.dumps({"private_key": whole + "\n", "n": 1}), parts=parts),
            Positive(kind="pem", text=json.dumps({"a": json.dumps({"key": whole})}), parts=parts),
            Positive(kind="pem", text="key: |\n  " + whole.replace("\n", "\n  ") + "\nnext: 1\n", parts=parts),
        ]
    return made


_HARMLESS = """
password: see vault|the token is stored in vault|input token: 5 next|password reset flow|secret sauce
pip install sk-learn|PWD=/home/app/src|OLDPWD=/tmp|max_tokens=4096|token_count: 123|tokenizer=AutoTokenizer
primary_key=True|sort_key: name|keyboard: qwerty|Bearer of good news|token = f(x)|password = input()
api_key = os.environ["API_KEY"]|const token = process.env.TOKEN;|password=$PASSWORD|password=${DB_PASSWORD}
token: ${{ secrets.GITHUB_TOKEN }}|api_key: <your-api-key>|API_KEY=YOUR_API_KEY|password: ********|secret=xxxxxxxx
password=changeme|token: [REDACTED]|password: [secret:password]|password: string|password: str,
def login(user: str, password: str) -> Token:|interface A { password: string; token?: string }
token: CancellationToken|if (token == null) return;|self.token = token|login(user, password=password)
return jwt.decode(token, key=settings.key)|password_file: /run/secrets/db|PASSWORD_FILE=/run/secrets/db
token_url: https://example.org/token|https://example.org/path?page=2&sort=asc
mail bob@example.org about the key points|git@github.com:org/repo.git|ssh://git@example.org/x.git
The password must have ten characters|a token is a piece of text|the key is to test early
secrets are kept in the vault|credentials: include|"password": "Enter your password"|"token": null
"input_tokens": 1200, "output_tokens": 88|"max_tokens": 4096|next_token = tokens[i + 1]|tokens.append(token)
for token in tokens:|token = tokens.pop()|token = self.next_token|key = lambda x: x.name|key=len
sorted(x, key=str.lower)|"properties": {"password": {"type": "string", "description": "the password"}}
assert token.type == "NAME"|raise KeyError(key)|auth: none|Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}|Authorization: Bearer $TOKEN|headers["Authorization"] = f"Bearer {token}"
curl -u "$USER:$PASS" https://example.org|postgres://user:password@localhost/db
postgres://$USER:$PASSWORD@localhost/db|http://localhost:8080/a@b|-----BEGIN PRIVATE KEY-----
if "-----BEGIN RSA PRIVATE KEY-----" in text:|the -----END PRIVATE KEY----- marker|Cookie: theme=dark; lang=en
password: required|password is required|Invalid password: try again|wrong password, please retry|Password:|password:
Token expired: please log in|secret: true|secret_name: db-credentials|secretName: db-credentials|token_type: bearer
"token_type": "Bearer"|grant_type=password|"type": "password"|<input type="password" name="pw">|<Password>
passwordless login|compass: north|passing: 12, failing: 0|12 passed, 3 failed|bypass=true
the tokens are: input 512, output 20|it doesn't matter, the password isn't 'x' or so
let's keep the secret: it's fun, isn't it|access_key_id|foreign_key: user_id|unique_key = "user_id"
cache_key = f"user:{id}"|partition_key=tenant|key: value|hotkey: ctrl+k|monkey: banana|turkey=5|author: Ada Lovelace
authority: none|session: 12 open|session_id: 7|sig: def f(a, b)|signature = inspect.signature(f)|token=token
password=None|password: Optional[str] = None|token: Annotated[str, Depends(x)]
password = models.CharField(max_length=128)|password: z.string().min(8)|db.password = config.password
password: process.env.DB_PASSWORD,|token := r.Header.Get("X-Token")|let token: String = read_token()?;|密码: 见保险库
密码是什么|Passwort vergessen?|mot de passe oublié|contraseña incorrecta
パスワードを入力してください|비밀번호를 입력하세요
""".strip()


_LINE_BELOW = (
    "password:\n  Reset2024 your account first",
    "password:\n  the following2 for tests",
    "secret:\n  handleClick2(event) does it",
    "token:\n  user1234567: app\n",
    "密码:\n  user1234567: app\n",
)


def look_alikes(seed: int = 11) -> list[str]:
    """More than 300 texts in which nothing may change."""
    rng = random.Random(seed)
    texts = [one for line in _HARMLESS.splitlines() for one in line.split("|")]
    texts = [one for one in (*texts, *_LINE_BELOW) if one]
    for _ in range(12):
        texts += _numbers(rng)
    return texts


def _numbers(rng: random.Random) -> list[str]:
    """Hashes, identifiers, images and public keys: long and random, and no secrets."""
    sha1, sha256 = _run(rng, HEX, 40), _run(rng, HEX, 64)
    blob = base64.b64encode(rng.randbytes(90)).decode()
    name = str(uuid.UUID(int=rng.getrandbits(128), version=4))
    return [
        f"commit {sha1}\nAuthor: Ada <ada@example.org>",
        f"index {sha1[:10]}..{sha1[10:20]} 100644",
        f'"integrity": "sha512-{blob}"',
        f"foo==1.2 \\\n    --hash=sha256:{sha256}",
        f"session {name} started",
        f'"id": "{name}", "parent": null',
        f"![logo](data:image/png;base64,{blob})",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{blob[:43].replace('+', 'a').replace('/', 'b')} ada@example.org",
        f"-----BEGIN CERTIFICATE-----\n{blob[:64]}\n{blob[64:]}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\n{blob[:64]}\n-----END PUBLIC KEY-----",
        f"sha256:{sha256}  app.tar.gz",
        f"docker pull app@sha256:{sha256}",
        *(
            f"then look at\n{one}\nwhere the secret access key is read"
            for one in (
                sha1,
                sha1.upper(),
                "com/example/App2/Service/ClientFactoryIm",
                "CloudFormationStackSetInstanceRegion2Tag",
                "abcdefghijklmnopqrstABCDEFGHIJKLMNOP1234",
                f"/{_run(rng, ALNUM, 40)}/x",
                f"sha512-{blob}",
            )
        ),
        f"/var/lib/app/{name}/token.json",
        f'ETag: "{sha1[:32]}"',
        f"req_{_run(rng, ALNUM, 24)} took 12 ms",
        f"the token is in {sha1[:7]}, see the key in {name}",
        f'{{"tool_use_id": "toolu_{_run(rng, ALNUM, 24)}", "tokens": {rng.randint(1, 9999)}}}',
    ]
