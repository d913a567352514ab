"""A password beside the name of its account, without a word that says what it is: "log in with ada / V"."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.judge import credible_beside
from vademecum.secrets.names import PASSWORD

_VALUE = r"""(?P<value>[^\s"'`<>]{6,128})"""
_FILLING = "credentials|details|data|as|with|using|is|are|to|at|on|it|use|the|these|user|staging|production|test"
_WORDS = re.compile(
    rf"""
    (?:[Ll]og(?:ged)?[ -]?[io]n|[Ss]ign(?:ed)?[ -]?in|[Cc]red(?:ential)?s?|/[Pp]ass(?:word)?)
    (?:[ ](?:{_FILLING})\b){{0,4}}
    [ ]?[:=–—-]?[ ]?["'`]?
    [\w.@+-]{{1,64}}["'`]?
    (?:[ ]?[/:,|][ ]?|[ ](?:with|and|pass|pw)[ ]|[ ])
    ["'`]?{_VALUE}
    """,
    re.VERBOSE,
)
_CALL = re.compile(rf"""[\w.]{{2,30}}[ ]?=?[ ]?\(\s{{0,20}}["'][^"'\n]{{1,80}}["'],\s{{0,20}}["']{_VALUE}["']""")
_TRAILING = ".,;:)]}"


def _words(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The second of two words behind one that speaks of logging in."""
    del seams
    return _judged(_WORDS.match(text, start), firm=False)


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
    *(
        (form, _words)
        for word in ("log in", "login", "logged in", "logon", "sign in")
        for form in (word, word.capitalize())
    ),
    *((form, _words) for form in ("credential", "Credential", "creds", "Creds", "/pass", "/Pass")),
    *(
        (form, _call)
        for form in ("login(", "log_in(", "sign_in(", "signin(", "signIn(", "authenticate(", "basic_auth(")
    ),
    *((form, _call) for form in ("auth=(", "auth = (", "HTTPBasicAuth(", "credentials(")),
)
