"""Secrets that are known by what carries them: header lines, cookies and addresses."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding
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
)
