"""Secrets that a list or an object parts from their name: `["--token", "V"]`, items of YAML, `{"value": V, "name": N}`.

No separator says that the one belongs to the other; only their places do. A flag says of the next argument what a
name says of its value. Any other name is believed only before a value that looks random.
"""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.assignments import value_at
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.judge import Place, credible_argument
from vademecum.secrets.names import PASSWORD, Meaning, meaning_of, name_start
from vademecum.secrets.spans import MAX_PLAIN, OPENING_QUOTE, plain_end, run_end, string_end

_BLANK = r"(?:\s|\\{1,15}[nrt])"
#: Also as a diff, a quotation or a listing with numbers shows it: with a margin before the next line.
_NEXT_LINE = r"(?:\r?\n|\\{1,15}n)(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|\\{1,15}t|[:|]))?[+|>\-]?"
#: Between two members of a list; people comment on the lines of their settings.
_BETWEEN = rf"{_BLANK}{{0,80}}+,(?:(?:{_NEXT_LINE}|{_BLANK}|(?:\#|//)[^\n]{{0,120}}){{0,80}}+)"
_AFTER_NAME = re.compile(
    rf"""
    (?P<tail>[A-Za-z0-9_.\-]{{1,60}}+)(?P<close>\\{{0,15}}["'`])?
    (?:
      (?P<comma>{_BETWEEN})
    | [ \t]{{0,8}}(?:\#[^\n]{{0,120}})?{_NEXT_LINE}[ \t]{{0,60}}(?P<item>-[ \t]{{1,8}})
    | [ \t]{{1,8}}\\{{1,15}}(?:\r?\n|n)[ \t]{{0,60}}(?P<continued>)
    | [ \t]{{0,8}}(?:\#[^\n]{{0,120}})?\r?\n[+|>]?[ \t]{{0,60}}(?P<below>)
    | [ \t]{{1,40}}(?P<blank>)
    )
    """,
    re.VERBOSE,
)
_QUOTES, _SEPARATORS = frozenset("\"'`"), frozenset(":=")
_KEY_ENDS = ('":', '\\":', "':")
_SHORT_FLAG = re.compile(rf"""-(?:(?P<login>u|user)|[pP])\\{{0,15}}["'`]{_BETWEEN}""")
_REST_OF_LINE = re.compile(r"[ \t]*(?:[ \t]\#[^\n]*)?(?:\r?\n|\\{1,15}n|\\?\Z|[)\]\"'`\\])")
_IS_CALL = re.compile(r"\w\([ \t]{0,8}[bBrRfFuU@$]{0,2}\\{0,15}[\"'`]\Z")
_OPENS = re.compile(rf"[\[({{]{_BLANK}{{0,40}}[bBrRfFuU@$]{{0,2}}\\{{0,15}}[\"'`]\Z")
_NAME_FIELD = re.compile(
    r"""(?<!\w)(?:[a-z]{3,12}_?)?(?:name|key|id|env|var|variable|header|field)\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["'`]?\Z"""
    r"""|\bvariable[ ]"\Z""",
    re.IGNORECASE,
)
_VALUE_FIELD = re.compile(
    r"""(?<!\w)(?:(?:[a-z]{3,12}_?)?val(?:ue)?|default)\\{0,15}["']?[ \t]{0,8}[:=]""", re.IGNORECASE
)
#: Where another object begins, or another item of a list.
_APART = re.compile(r"[{}<>]|(?:\n|\\n)[ \t]{0,60}-[ \t]")
_BLOCK = re.compile(r"[\"'][ ]{0,4}\{")
"""Of Terraform, whose blocks have their names before them."""
_OBJECT_REACH = 320
_FIELD = Place(colon=True, spaced=False, keyed='"', at_line=True, argument=False, tagged=False, indent=0)


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value of the flag or name around `start`, from the next member of a list or a field beside it."""
    del seams
    # Most names stand in sentences and code: they cost no expression.
    if text[start - 1 : start] == " " and text[start - 2 : start - 1] not in _SEPARATORS:
        return NOTHING
    first = name_start(text, start)
    if text[first] != "-" and not _stands_alone(text, first, start):
        return NOTHING
    after = _AFTER_NAME.match(text, start)
    if after is None and _NAME_FIELD.search(text, max(0, first - 16), first) is None:
        return NOTHING
    end = after.end("tail") if after else plain_end(text, start)
    meaning = meaning_of(text[first:end])
    if meaning is None:
        return NOTHING
    if after and (found := _next_member(text, first, after, meaning)):
        return (found,)
    return _other_field(text, first, end, meaning)


def _stands_alone(text: str, first: int, start: int) -> bool:
    """Whether a name is a string or a value by itself, and no key of an object: what that holds, others tell."""
    if text[first - 1 : first] not in _QUOTES and text[first - 2 : first - 1] not in _SEPARATORS:
        return False
    return not text.startswith(_KEY_ENDS, plain_end(text, start))


def _next_member(text: str, first: int, after: re.Match[str], meaning: Meaning) -> Finding | None:
    closed = after["close"]
    if closed and text[first - 1 : first] != closed[-1]:
        return None
    is_flag = text[first] == "-"
    if not is_flag and not (closed and after["comma"] and meaning.strong and _OPENS.search(text[first - 60 : first])):
        return None
    span = _string(text, after.end())
    if span is None:
        return _word(text, after, meaning) if is_flag and text[after.end() : after.end() + 1] not in "\"'`" else None
    value = text[span[0] : span[1]]
    is_call = not is_flag or _IS_CALL.search(text[max(0, first - 30) : first]) is not None
    believed = credible_argument(value, meaning, is_call=is_call) if is_flag else _is_apart(value)
    return Finding(kind=meaning.kind, start=span[0], end=span[1]) if believed else None


def _is_apart(value: str) -> bool:
    """Whether the second of two strings can be nothing but a secret: lists of names hold names."""
    if not values.is_random(value) or values.is_placeholder(value) or values.is_path(value) or values.is_uuid(value):
        return False
    return meaning_of(value) is None and (values.mixed(value, classes=3) or not set(value) & set("_-. :"))


def _string(text: str, start: int) -> tuple[int, int] | None:
    """Where the content of the string stands that opens here."""
    quote = OPENING_QUOTE.match(text, start)
    end = string_end(text, quote.end(), len(quote["slashes"]), quote["quote"]) if quote else None
    return (quote.end(), end) if quote and end is not None else None


def _word(text: str, after: re.Match[str], meaning: Meaning) -> Finding | None:
    """An argument without quotes; where it could be the next word of a text, it has to look random."""
    start = after.end()
    end = plain_end(text, start)
    value = text[start:end]
    if values.is_code(value) or not credible_argument(value, meaning, is_call=True):
        return None
    is_expected = after["item"] is not None or after["continued"] is not None
    if not (is_expected or values.is_random(value)) or (after["comma"] is None and not _REST_OF_LINE.match(text, end)):
        return None
    return Finding(kind=meaning.kind, start=start, end=run_end(text, end) if end - start == MAX_PLAIN else end)


def _other_field(text: str, first: int, end: int, meaning: Meaning) -> Sequence[Finding]:
    """The field `value` of the object whose field `name` this name is; it may stand before or after that one."""
    if _NAME_FIELD.search(text[max(0, first - 40) : first]) is None:
        return NOTHING
    reach = max(0, first - _OBJECT_REACH)
    begins = max((found.end() for found in _APART.finditer(text, reach, first)), default=reach)
    block = _BLOCK.match(text, end)
    end = block.end() if block else end
    apart = _APART.search(text, end, end + _OBJECT_REACH)
    ends = apart.start() if apart else end + _OBJECT_REACH
    field = _VALUE_FIELD.search(text, begins, first) or _VALUE_FIELD.search(text, end, ends)
    found = value_at(text, field.end(), meaning, _FIELD) if field else None
    return (found,) if found else NOTHING


def _short_flag(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The argument of `-p`, which may be a port or a path, or of `-u`, which has a password behind a colon."""
    del seams
    flag = _SHORT_FLAG.match(text, start)
    span = _string(text, flag.end()) if flag else None
    if flag is None or span is None:
        return NOTHING
    begin = text.find(":", *span) + 1 if flag["login"] else span[0]
    value = text[begin : span[1]]
    is_secret = credible_argument(value, PASSWORD, is_call=True) if flag["login"] else values.is_random(value)
    if not begin or not is_secret or not values.mixed(value, classes=2 if flag["login"] else 3):
        return NOTHING
    return NOTHING if values.is_path(value) else (Finding(kind="password", start=begin, end=span[1]),)


DETECTORS: tuple[tuple[str, Detector], ...] = tuple(
    (f"-{flag}{close}", _short_flag) for flag in ("p", "P", "u", "user") for close in ('"', "'", '\\"')
)
