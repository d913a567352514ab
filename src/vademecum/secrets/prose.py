"""Secrets that a sentence gives away: "the api token for staging is ...", in several languages."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.names import phrase_meaning

_MIN_LENGTH = 10
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{0,9}[0-9]{1,4}\Z")
#: To the line below, which may be indented or stand behind a blank one, but to no nested key there.
LINE_BREAK = r"[^\S\n]{0,8}\n{1,2}[ \t]{0,16}(?![\w.\-]{1,60}[:=])"
_VERBS = "is|was|are|be|equals|becomes|ist|lautet|war|es|est|era|è|är|=|:|：|to"
_ENGLISH = re.compile(
    rf"""
    (?:[Pp]ass(?:words?|phrases?|codes?|wd)?|PASSWORD|[Pp][Ww]|[Pp]in|PIN|[Ss]ecrets?|SECRET
      |[Tt]okens?|TOKEN|[Kk]eys?|KEY|[Cc]redentials?)
    (?:,?[ ](?!(?:{_VERBS})\b)(?:[\w'’()\[\]@./-]|:(?=//)){{1,32}}+){{0,6}}
    ,?[ ]?(?:(?<=[ ])(?:{_VERBS})(?![\w])|[:=：]|'s(?=[ ])|\(?it(?:'s|[ ]is)(?=[ ]))
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
      [ ](?:is|was|as|for|are|will[ ]be|(?:should|will)[ ]work[ ]as|works[ ]as|that's|that[ ]is|which[ ]is)
      [ ](?:\w{1,12}[ ]){0,3}
    | [ ]\((?:\w{1,12}[ ]?/[ ]?)?
    )\Z
    """,
    re.VERBOSE,
)
_REACH_BEFORE = 120
_WHOLE_WORD = re.compile(r"[A-Za-z]{3,11}(?![\w-])")
_OTHER_ONE = re.compile(r"one[ ](?:is|was)(?:[ ]now)?:?[ ][\"'`*]{0,3}(?P<value>[^\s\"'`<>]{7,256})")
_REST_OF_LINE = re.compile(r"[\"'`*)]{0,3}[ \t]*(?:\r?\n|\Z)")
_LONG_KEY = 20
TRAILING = ".,;:!?)*]}。，；、）」』"
"""What ends a sentence, a bracket or bold words behind a value."""


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value that a word which means a secret is said to be, or that is said to be one."""
    del seams
    if text.startswith(("key", "Key", "KEY"), start) and not phrase_meaning(text, start, start + 3):
        found = _ENGLISH.match(text, start)
        return _from(found) if found and _is_long_key(found["value"]) else NOTHING
    return _from(_ENGLISH.match(text, start)) or _before(text, start)


def _is_long_key(value: str) -> bool:
    """Whether the value opens something even where the key is not said to: most keys only name things."""
    return len(value) >= _LONG_KEY and values.is_one_piece(value) and values.is_unmistakable(value)


def _short(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value that a short word for a password is said to be; such letters end many other words too."""
    del seams
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        return NOTHING
    return _from(_ENGLISH.match(text, start))


def _other_one(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The second value in "the old password was V, the new one is W"."""
    del seams
    if "assword" not in text[max(0, start - _REACH_BEFORE) : start]:
        return NOTHING
    return _from(_OTHER_ONE.match(text, start))


def _before(text: str, start: int) -> Sequence[Finding]:
    """The value in "V is the password" and "use V as a token"."""
    if text[start - 1 : start] not in (" ", "(", "/") or not _WHOLE_WORD.match(text, start):
        return NOTHING
    reach = max(0, start - _REACH_BEFORE)
    before = text[reach:start]
    found = _BEFORE.search(before) if _NUMBER.search(before) else None
    kind = _kind(text[start : start + 11])
    if found is None or not is_given_away(found["value"], kind):
        return NOTHING
    first = reach + found.start("value")
    return (Finding(kind=kind, start=first, end=first + len(found["value"])),)


def _from(found: re.Match[str] | None) -> Sequence[Finding]:
    if found is None:
        return NOTHING
    value = found["value"]
    shown = value.rstrip(TRAILING)
    first = found.start("value")
    before = found.string[found.start() : first]
    kind = _kind(before)
    begins_text = "\n" in before and not _REST_OF_LINE.match(found.string, found.end("value"))
    if not is_given_away(shown, "" if begins_text else kind):
        return NOTHING
    kept = value.rstrip(".,;:?)*]}。，；、）」』")
    return (Finding(kind=kind, start=first, end=first + len(kept)),)


def is_given_away(value: str, kind: str) -> bool:
    """Whether a word of a sentence can be nothing but a secret: mixed, and not a compound of words.

    Where it is said to be a password (`kind`), it may be a word with a number, too.
    """
    if values.is_placeholder(value) or values.is_path(value) or values.is_code(value) or values.is_uuid(value):
        return False
    if values.is_unmistakable(value) or values.is_made_up(value):
        return True
    if kind == "password" and values.is_usual_password(value):
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


_WORDS = ("password", "passphrase", "passcode", "passwd", "secret", "token", "key", "credential")
DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((form, detect) for word in _WORDS for form in (word, word.upper(), word.capitalize())),
    *((form, _short) for word in ("pass", "pw", "pin") for form in (f"{word} is", f"{word.capitalize()} is")),
    *((form, _short) for form in ("PW is", "PIN is", "pass was", "pw was", "pw: ", "PW: ", "Pw: ")),
    ("one is", _other_one),
)
