"""Secrets that are known by what carries them: header lines, cookies, addresses and command lines."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.names import meaning_of
from vademecum.secrets.spans import run_end

_CREDENTIALS = r"[A-Za-z0-9._~+/-]{16,}={0,2}"
_BEARER = re.compile(rf"[Bb](?:earer|EARER)[ \t]{{1,8}}({_CREDENTIALS})")
_AUTHORIZATION = re.compile(
    r"""
    (?:uthorization|UTHORIZATION)(?:\\{0,15}["'])?[ \t]{0,4}[:=,]\s{0,4}(?:\\{0,15}["'`])?
    (?:(?P<scheme>[A-Za-z][A-Za-z0-9_-]{1,30})[ \t]{1,4}(?:token=)?)?(?:\\{0,15}["'])?
    (?P<value>[^\s"'`<>\\,;]{6,256})
    """,
    re.VERBOSE,
)
_INSIDE_WORD = re.compile(r"(?:[^\\][A-Za-z0-9]|^[A-Za-z0-9])[Aa]\Z")
_PARAMETER = re.compile(r"""[^\s"'`<>\\,;]{1,40}=""")
_URL = re.compile(
    r"""://(?:(?P<user>[^\s/?\#@:"'<>`\\|,\[]{0,256}):(?P<password>[^\s/?\#"'<>`\\]{1,512})|(?P<token>[^\s/?\#@:"'<>`\\]{1,512}))@""",
    re.VERBOSE,
)
_EXAMPLE_PASSWORDS = frozenset(("pass", "password", "passwd", "pwd", "pw", "secret", "token", "xxx"))
_COOKIE_LINE = re.compile(
    r"""
    (?:ookie|OOKIE)(?:\\{0,15}["'])?\s{0,2}[:=]\s{0,2}(?:\\{0,15}["'])?
    ((?:[^\s=;,"'\\]{1,80}+(?:=[^\s;"'\\]*+)?(?:;[ ]?|(?=[\s"'\\])|\Z))+)
    """,
    re.VERBOSE,
)
_COOKIE = re.compile(r"([^\s=;,]{1,80})=([^\s;,]{12,})")
_COOKIE_ATTRIBUTES = frozenset(("path", "domain", "expires", "max-age", "samesite"))
_QUERY_KEY = re.compile(r"[?&]key=([A-Za-z0-9_.~%-]{16,256})")
_CURL_USER = re.compile(
    r"""[ \t](?:-u|--(?:proxy-)?user|-U)[ \t=]{0,4}(?:\\{0,15}["'])?[^\s:"'\\]{0,128}:(?P<value>[^\s"'\\]{1,256})"""
)
_SHORT_OPTION = re.compile(r"""[ \t]-[pPa][ \t]{0,2}(?:\\{0,15}["'])?(?P<value>[^\s"'\\-][^\s"'\\]{2,256})""")
_GLUED_OPTION = re.compile(r"""[ \t]-p(?:\\{0,15}["'])?(?P<value>[^\s"'\\-][^\s"'\\]{2,256})""")
_PASS_SCHEME = re.compile(r"""-pass(?:in|out)?[ \t]{1,4}(?:\\{0,15}["'])?pass:(?P<value>[^\s"'\\]{2,256})""")
_VALUE = r"""(?:\\{0,15}["'])?(?P<value>[^\s"'\\$|-][^\s"'\\|]{2,256})"""
#: How a command line begins -> where in it the value stands.
_COMMANDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("zip ", re.compile(rf"[ \t]-P[ \t]{{0,2}}{_VALUE}")),
    ("7z ", re.compile(rf"[ \t]-p{_VALUE}")),
    ("openssl ", re.compile(rf"[ \t]-k[ \t]{{1,2}}{_VALUE}")),
    ("sqlplus ", re.compile(r"""[ \t]{1,4}[\w$\#]{1,64}/(?P<value>[^\s@"'\\]{3,256})""")),
    ("htpasswd ", re.compile(rf"[ \t]-\w{{0,6}}b\w{{0,6}}[ \t]+[^\s-]\S{{0,128}}[ \t]+\S{{1,128}}[ \t]+{_VALUE}")),
    ("gh secret set ", re.compile(rf"[ \t](?:--body|-b)[ \t=]{{1,2}}{_VALUE}")),
    ("az keyvault secret set", re.compile(rf"[ \t]--value[ \t=]{{1,2}}{_VALUE}")),
    ("--password-stdin", re.compile(rf"<<<[ \t]{{0,2}}{_VALUE}")),
)
#: The same, of what begins with the literal itself.
_WHOLE_COMMANDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "echo ",
        re.compile(
            rf"echo[ \t]{{1,2}}(?:-n[ \t]{{1,2}})?{_VALUE}[\"']?[ \t]{{0,4}}\|[^|\n]{{0,200}}"
            r"(?:--password-stdin|sudo[ \t]-S|gh[ ]secret[ ]set|chpasswd)"
        ),
    ),
    *(
        (words, re.compile(rf"""{words}(?:[ ]PASSWORD)?[ \t]{{1,4}}(?:\\{{0,15}}['"])(?P<value>[^'"\n\\]{{3,256}})"""))
        for words in ("IDENTIFIED BY", "identified by", "WITH PASSWORD", "with password")
    ),
)
#: Name and value stand beside each other, with nothing between them.
_SETTING = re.compile(rf"(?:set[ ]-\w{{0,4}}x\w{{0,4}}|setx|ENV)[ \t]{{1,4}}(?P<name>\w{{2,60}})[ \t]{{1,4}}{_VALUE}")
_NETRC = re.compile(r"login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?P<value>[^\s\"'\\]{3,256})")
_COMMAND_REACH = 400


def bearer(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`Bearer` and sixteen characters or more; words of a sentence are shorter or have no digit."""
    found = _BEARER.match(text, start)
    if found is None or (
        start and start not in seams and text[start - 1].isalnum() and text[start - 2 : start - 1] != "\\"
    ):
        return NOTHING
    return _if_secret("bearer-token", text, found.span(1))


def authorization(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The credentials of an `Authorization` header, in a header line, a mapping or code; the scheme stays."""
    del seams
    found = _AUTHORIZATION.match(text, start)
    if found is None or _INSIDE_WORD.search(text[max(0, start - 3) : start]):
        return NOTHING
    value, scheme = found["value"], (found["scheme"] or "").lower()
    if _PARAMETER.match(value) and not value.endswith("=") and scheme not in ("basic", "bearer", "token"):
        return NOTHING
    if not scheme and (values.is_code(value) or not values.is_random(value)):
        return NOTHING
    if scheme in ("basic", "bearer", "token", "apikey", "key") or values.is_random(value):
        kind = "basic-auth" if scheme == "basic" else "authorization"
        span = found.start("value"), run_end(text, found.end("value"))
        return _if_secret(kind, text, span, lenient=scheme == "basic")
    return NOTHING


def url(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The password of `scheme://user:password@host`, or a user that is a token."""
    del seams
    found = _URL.match(text, start)
    if found is None:
        return NOTHING
    if found["token"] is not None:
        random = values.is_random(found["token"]) and not values.is_placeholder(found["token"])
        return (
            (Finding(kind="url-credentials", start=found.start("token"), end=found.end("token")),)
            if random
            else NOTHING
        )
    password = found["password"]
    if password.lower() in _EXAMPLE_PASSWORDS or values.is_placeholder(password):
        return NOTHING
    return (Finding(kind="url-credentials", start=found.start("password"), end=found.end("password")),)


def query_key(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`key=` in the query of an address: a name too plain to mean anything elsewhere, so the value must look random."""
    del seams
    found = _QUERY_KEY.match(text, start)
    if found is None or not values.is_random(found[1]) or values.is_placeholder(found[1]):
        return NOTHING
    return (Finding(kind="api-key", start=found.start(1), end=found.end(1)),)


def cookies(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The values of a cookie header that look random; attributes such as the path stay."""
    del seams
    line = _COOKIE_LINE.match(text, start)
    if line is None:
        return NOTHING
    return [
        Finding(kind="cookie", start=cookie.start(2), end=cookie.end(2))
        for cookie in _COOKIE.finditer(text, line.start(1), line.end(1))
        if cookie[1].lower() not in _COOKIE_ATTRIBUTES and values.is_random(cookie[2])
    ]


def _command(expression: re.Pattern[str], *, is_whole: bool = False) -> Detector:
    """A detector for the value of an option in the rest of the command that begins at the literal.

    `is_whole`: the expression begins with the literal, too.
    """
    look = expression.match if is_whole else expression.search

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        del seams
        stop = text.find("\n", start, start + _COMMAND_REACH)
        found = look(text, start, stop if stop >= 0 else start + _COMMAND_REACH)
        if found is None or found["value"] in _EXAMPLE_PASSWORDS or values.is_placeholder(found["value"]):
            return NOTHING
        return (Finding(kind="password", start=found.start("value"), end=found.end("value")),)

    return detect


def _setting(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`set -gx NAME VALUE`, `setx NAME VALUE`, `ENV NAME VALUE`, where the name means a secret."""
    del seams
    found = _SETTING.match(text, start)
    if found is None or meaning_of(found["name"]) is None or values.is_placeholder(found["value"]):
        return NOTHING
    return _if_secret("password", text, found.span("value"))


def _netrc(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`login NAME password VALUE`, as a .netrc file writes it."""
    del seams
    found = _NETRC.match(text, start)
    if found is None or values.is_placeholder(found["value"]) or values.is_prose(found["value"]):
        return NOTHING
    return (Finding(kind="password", start=found.start("value"), end=found.end("value")),)


def _if_secret(kind: str, text: str, span: tuple[int, int], *, lenient: bool = False) -> Sequence[Finding]:
    value = text[span[0] : span[1]]
    if values.is_placeholder(value) or values.is_path(value) or not (lenient or values.mixed(value, classes=2)):
        return NOTHING
    return (Finding(kind=kind, start=span[0], end=span[1]),)


DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((literal, bearer) for literal in ("bearer", "Bearer", "BEARER")),
    *((literal, authorization) for literal in ("uthorization", "UTHORIZATION")),
    *((literal, cookies) for literal in ("ookie", "OOKIE")),
    ("://", url),
    *((literal, query_key) for literal in ("?key=", "&key=")),
    *((literal, _command(_CURL_USER)) for literal in ("curl ", "http ")),
    *((literal, _command(_SHORT_OPTION)) for literal in ("sshpass ", "docker login", "redis-cli ")),
    *((literal, _command(_GLUED_OPTION)) for literal in ("mysql ", "mysqldump ", "mysqladmin ")),
    ("openssl ", _command(_PASS_SCHEME)),
    *((literal, _command(expression)) for literal, expression in _COMMANDS),
    *((literal, _command(expression, is_whole=True)) for literal, expression in _WHOLE_COMMANDS),
    *((literal, _setting) for literal in ("set -", "setx ", "ENV ")),
    ("login ", _netrc),
)
