"""Secrets that a sentence gives away: "the api token for staging is ...", in several languages."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding

_MIN_LENGTH = 10
#: To the line below, which may be indented or stand behind a blank one, but to no nested key there.
_LINE_BREAK = r"[^\S\n]{0,8}\n{1,2}[ \t]{0,16}(?![\w.\-]{1,60}[:=])"
_VERBS = "is|was|are|be|ist|lautet|war|es|est|era|è|är|=|:|：|to"
_ENGLISH = re.compile(
    rf"""
    (?:[Pp]ass(?:words?|phrases?|codes?|wd)|PASSWORD|[Ss]ecrets?|SECRET|[Tt]okens?|TOKEN|[Kk]eys?|KEY|[Cc]redentials?)
    (?:[ ](?!(?:{_VERBS})\b)[\w'’()@./-]{{1,24}}+){{0,6}}
    ,?[ ]?(?:(?<=[ ])(?:{_VERBS})(?![\w])|[:=：]|'s(?=[ ]))
    (?:[ ](?:now|still|currently|just|set|to|this|one|the|following)){{0,3}}[:：]?
    (?:[^\S\n]{{1,2}}|{_LINE_BREAK})["'“”‘’`«*(]{{0,3}}
    (?P<value>(?:[^\s"'“”‘’`<>«»\\]|\\(?![nrt"'\\])){{10,512}})
    """,
    re.VERBOSE,
)
#: In German, French, Spanish, Portuguese, Chinese, Japanese and Korean.
_ABROAD = re.compile(
    rf"""
    (?:[Pp]asswort|[Kk]ennwort|[Mm]ot[ ]de[ ]passe|ontraseña|[Ss]enha|
      密码|密碼|口令|密钥|密鑰|令牌|秘钥|パスワード|トークン|비밀번호|암호|토큰)
    [^\n"'“”`:：=]{{0,40}}?
    (?:[:：=]|[ ](?:ist|lautet|war|est|es|é|is)(?=[ ])|是|为|為|就是|は|이?가|는|은)[ ]?(?:[:：])?
    (?:{_LINE_BREAK}|[^\S\n]{{0,2}})["'“”‘’`«「『*(]{{0,3}}
    (?P<value>(?:[!\#-&(-\[\]-_a-~]|\\(?![nrt"'`\\])|["'`](?=[A-Za-z0-9])){{8,512}})
    """,
    re.VERBOSE,
)
_KEY_BEFORE = re.compile(
    r"(?:[Aa][Pp][Ii]|[Aa]ccess|[Ss]ecret|[Pp]rivate|[Ll]icense|[Ee]ncryption|[Aa]ccount|[Ss]igning)[ _-]?\Z"
)
_PIECES = re.compile(r"[-_./:,@]+")
_ORDINARY = re.compile(r"[A-Za-z]*[0-9]{0,4}\Z|[0-9]+[a-z]{0,3}\Z")
_TRAILING = ".,;:!?)*]}。，；、）」』"


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value that follows "is", "was" or a colon after a word that means a secret."""
    del seams
    return _from(_ENGLISH.match(text, start), text, start)


def _abroad(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The same after a word of another language."""
    del seams
    return _from(_ABROAD.match(text, start), text, start)


def _from(found: re.Match[str] | None, text: str, start: int) -> Sequence[Finding]:
    if found is None:
        return NOTHING
    if text.startswith(("key", "Key", "KEY"), start) and not _KEY_BEFORE.search(text[max(0, start - 12) : start]):
        return NOTHING
    value = found["value"]
    shown = value.rstrip(_TRAILING)
    if not is_given_away(shown):
        return NOTHING
    first = found.start("value")
    kept = value.rstrip(".,;:?)*]}。，；、）」』")
    return (Finding(kind=_kind(found.group()), start=first, end=first + len(kept)),)


def is_given_away(value: str) -> bool:
    """Whether a word of a sentence can be nothing but a secret: ten characters, mixed, and not a compound of words."""
    if len(value) < _MIN_LENGTH or not values.mixed(value, classes=2) or not any(map(str.isalpha, value)):
        return False
    if values.is_placeholder(value) or values.is_path(value) or values.is_code(value):
        return False
    pieces = [piece for piece in _PIECES.split(value) if piece]
    if values.classes_of(value) == 4 and len(pieces) == 1:
        return True
    return (len(pieces) == 1 and not re.fullmatch(r"[A-Za-z]{0,9}[0-9]{1,4}", value)) or not all(
        map(_ORDINARY.match, pieces)
    )


def _kind(words: str) -> str:
    lowered = words[:40].lower()
    if "token" in lowered:
        return "token"
    if "key" in lowered:
        return "api-key"
    return "secret" if lowered.startswith("secret") else "password"


ENGLISH = ("password", "passphrase", "passcode", "passwd", "secret", "token", "key", "credential")
"""Literals of the English words, in lower case."""

_WORDS_ABROAD = (
    *("Passwort", "passwort", "Kennwort", "kennwort", "mot de passe", "Mot de passe", "ontraseña", "senha", "Senha"),
    *("密码", "密碼", "口令", "密钥", "密鑰", "令牌", "秘钥", "パスワード", "トークン", "비밀번호", "암호", "토큰"),
)
ABROAD: tuple[tuple[str, Detector], ...] = tuple((word, _abroad) for word in _WORDS_ABROAD)
