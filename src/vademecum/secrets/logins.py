"""A password beside the name of its account, without a word that says what it is: "log in with ada / V"."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.judge import credible_beside
from vademecum.secrets.names import PASSWORD

_VALUE = r"""(?P<value>[^\s"'`<>]{6,128})"""
_FILLING = "credentials|details|data|as|with|using|is|are|to|at|on|it|use|the|these|user|staging|production|test"
_CREDENTIALS_ABROAD = (
    *("zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "credenziali", "credenciais", "inloggegevens"),
    *("dane logowania", "учётные данные", "учетные данные", "логин/пароль", "логин / пароль", "账号密码", "帐号密码"),
)
_ABROAD = "|".join(_CREDENTIALS_ABROAD).replace(" ", "[ ]")
_WORDS = re.compile(
    rf"""
    (?:log(?:ged)?[ -]?[io]n|sign(?:ed)?[ -]?in|cred(?:ential)?s?|/pass(?:word)?|logging[ ]in|test[ ](?:user|account)
      |{_ABROAD})
    (?:[ ](?:{_FILLING})\b){{0,4}}
    [ ]?[:：=–—-]?[ ]?["'`]?
    [\w.@+-]{{1,64}}["'`]?
    (?:[ ]?[/:,|][ ]?|[ ](?:with|and|using|pass|pw)[ ]|[ ])
    ["'`]?{_VALUE}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SHORT = re.compile(rf"""[ ]pw[ ]["'`]?{_VALUE}""")
_WITH = re.compile(rf"""[Ll]og(?:ging|ged)[ ]in[ ](?:with|using)[ ]["'`]?{_VALUE}""")
#: Behind an address of mail, or the name of an account that every system has.
_PAIR = re.compile(
    r"""
    (?:@[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.[a-z]{2,10}|(?:root|[Aa]dmin|user|home)(?=[ ]))["'`]?
    (?:[ ]?[/|;,][ ]?|:[ ]?|[ ](?:with|and|using)[ ](?:the[ ])?(?:password[ ])?)["'`]?
    (?P<value>[^\s"'`<>/\\]{8,128})(?=["'`)\].,;]{0,3}(?:\s|\Z))
    """,
    re.VERBOSE,
)
_CALL = re.compile(rf"""[\w.]{{2,30}}[ ]?=?[ ]?\(\s{{0,20}}["'][^"'\n]{{1,80}}["'],\s{{0,20}}["']{_VALUE}["']""")
_TRAILING = ".,;:)]}"


def _words(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The second of two words behind one that speaks of logging in."""
    del seams
    return _judged(_WORDS.match(text, start), firm=False)


def _pair(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The second of `ada@example.org / V` and `root / V`, which nothing announces."""
    del seams
    if text[start] != "@" and text[start - 1 : start].isalnum():
        return NOTHING
    return _judged(_PAIR.match(text, start), firm=False)


def _short(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The word in "user ada, pw V"."""
    del seams
    return _judged(_SHORT.match(text, start), firm=False)


def _with(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The word in "logging in with V"."""
    return _judged(_WITH.match(text, start), firm=False) or _words(text, start, seams)


def _call(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The second argument of `login("ada", "V")`, or of `auth=("ada", "V")`."""
    del seams
    return _judged(_CALL.match(text, start), firm=True)


def _judged(found: re.Match[str] | None, *, firm: bool) -> Sequence[Finding]:
    if found is None:
        return NOTHING
    value = found["value"].rstrip(_TRAILING)
    if not credible_beside(value, PASSWORD, firm=firm):
        return NOTHING
    return (Finding(kind="password", start=found.start("value"), end=found.start("value") + len(value)),)


DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((form, _with) for form in ("logging in", "logged in", "Logging in", "Logged in")),
    *((form, _words) for word in _CREDENTIALS_ABROAD for form in (word, word.capitalize())),
    (" pw ", _short),
    *((literal, _pair) for literal in ("@", "root /", "admin /", "Admin /", "home /", "user /")),
    *(
        (form, _words)
        for word in ("log in", "login", "logon", "sign in", "test user ", "test account")
        for form in (word, word.capitalize())
    ),
    *((form, _words) for form in ("credential", "Credential", "creds", "Creds", "/pass", "/Pass")),
    *(
        (form, _call)
        for form in ("login(", "log_in(", "sign_in(", "signin(", "signIn(", "authenticate(", "basic_auth(")
    ),
    *((form, _call) for form in ("auth=(", "auth = (", "HTTPBasicAuth(", "credentials(")),
)
