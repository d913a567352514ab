"""Secrets that a sentence gives away: "the api token for staging is ...", in several languages."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Finding
from vademecum.secrets.names import phrase_meaning

_MIN_LENGTH = 10
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{0,9}[0-9]{1,4}\Z")
#: To the line below, which may be indented or stand behind a blank one, but to no nested key there.
LINE_BREAK = r"[^\S\n]{0,8}\n{1,2}[ \t]{0,16}(?![\w.\-]{1,60}[:=])"
_VERBS = "is|was|are|be|equals|becomes|ist|lautet|war|es|est|era|è|är|=|:|：|to"
_ENGLISH = re.compile(
    rf"""
    (?:[Pp]ass(?:words?|phrases?|codes?|wd)|PASSWORD|[Ss]ecrets?|SECRET|[Tt]okens?|TOKEN|[Kk]eys?|KEY|[Cc]redentials?)
    (?:,?[ ](?!(?:{_VERBS})\b)[\w'’()@./-]{{1,24}}+){{0,6}}
    ,?[ ]?(?:(?<=[ ])(?:{_VERBS})(?![\w])|[:=：]|'s(?=[ ]))
    (?:[ ](?:now|still|currently|just|set|reset|changed|to|this|one|the|following)){{0,4}}[:：]?
    (?:[^\S\n]{{1,2}}|{LINE_BREAK})["'“”‘’`«*(]{{0,3}}
    (?P<value>(?:[^\s"'“”‘’`<>«»\\]|\\(?![nrt"'\\])){{8,512}})
    """,
    re.VERBOSE,
)
_NUMBER = re.compile("[0-9]")
_BEFORE = re.compile(
    r"""
    (?<![^\s"'`(*:=])(?P<value>[^\s"'`<>]{7,256}[^\s"'`<>.,;:!?)*])["'`*)]{0,3},?
    (?:
      [ ](?:is|was|as|for|are|will[ ]be|that's|that[ ]is|which[ ]is)[ ](?:\w{1,12}[ ]){0,3}
    | [ ]\((?:\w{1,12}[ ]?/[ ]?)?
    )\Z
    """,
    re.VERBOSE,
)
_REACH_BEFORE = 120
_WHOLE_WORD = re.compile(r"[A-Za-z]{3,10}(?![\w-])")
TRAILING = ".,;:!?)*]}。，；、）」』"
"""What ends a sentence, a bracket or bold words behind a value."""


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value that a word which means a secret is said to be, or that is said to be one."""
    del seams
    if text.startswith(("key", "Key", "KEY"), start) and not phrase_meaning(text, start, start + 3):
        return NOTHING
    return _from(_ENGLISH.match(text, start)) or _before(text, start)


def _before(text: str, start: int) -> Sequence[Finding]:
    """The value in "V is the password" and "use V as a token"."""
    if text[start - 1 : start] not in (" ", "(", "/") or not _WHOLE_WORD.match(text, start):
        return NOTHING
    reach = max(0, start - _REACH_BEFORE)
    before = text[reach:start]
    found = _BEFORE.search(before) if _NUMBER.search(before) else None
    if found is None or not is_given_away(found["value"]):
        return NOTHING
    first = reach + found.start("value")
    kind = _kind(text[start : start + 10])
    return (Finding(kind=kind, start=first, end=first + len(found["value"])),)


def _from(found: re.Match[str] | None) -> Sequence[Finding]:
    if found is None:
        return NOTHING
    value = found["value"]
    shown = value.rstrip(TRAILING)
    if not is_given_away(shown):
        return NOTHING
    first = found.start("value")
    kept = value.rstrip(".,;:?)*]}。，；、）」』")
    return (Finding(kind=_kind(found.group()), start=first, end=first + len(kept)),)


def is_given_away(value: str) -> bool:
    """Whether a word of a sentence can be nothing but a secret: mixed, and not a compound of words."""
    if values.is_placeholder(value) or values.is_path(value) or values.is_code(value) or values.is_uuid(value):
        return False
    if values.is_unmistakable(value) or values.is_made_up(value):
        return True
    if len(value) < _MIN_LENGTH or not values.mixed(value, classes=2) or not any(map(str.isalpha, value)):
        return False
    return values.is_odd(value) or (values.is_one_piece(value) and _WORD_AND_NUMBER.match(value) is None)


def _kind(words: str) -> str:
    lowered = words[:40].lower()
    if "token" in lowered:
        return "token"
    if "key" in lowered:
        return "api-key"
    return "secret" if lowered.startswith("secret") else "password"


ENGLISH = ("password", "passphrase", "passcode", "passwd", "secret", "token", "key", "credential")
"""Literals of the English words, in lower case."""
