"""A value that stands behind its name without a separator that says so: the next cell, the line below, an argument.

`| password | V |`, a heading with V below it, `<td>Token</td><td>V</td>`, `setPassword("V")`, `requirepass V`,
`getenv("API_KEY", "V")`: what lies between the two is no word, so the rule is one. Since anything may stand there,
the value has to look like a secret by itself; how much so depends on what lies between.
"""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import margins
from vademecum.secrets.finding import NOTHING, Finding
from vademecum.secrets.judge import credible_beside
from vademecum.secrets.names import Meaning, meaning_of, name_start, phrase_meaning
from vademecum.secrets.spans import ANNOTATION

_QUOTE = r"""\\{0,15}["'`]{1,3}"""
#: The other attributes of a tag whose name means a secret, or one of whose attributes does.
_TAG = r"(?:[ ][\w:.-]{1,30}=\"[^\"<>\n]{0,60}\"){1,4}(?=>)|</?[A-Za-z][^<>\n]{0,60}>|<!\[CDATA\["
#: `Some("V")`, `.equals("V")`, `or "V"`, `default="V"`: words of code between a name and its value.
_WORDS = r"""(?:(?:new[ ])?[A-Z]\w{0,24}(?:::\w{1,12})?|\.\w{1,16})(?=\(\\{0,15}["'`])|(?:or|default|value)\b"""
_SIGN = r"[|│┃║:=,>()\[\]{?→⇒—–»]|->|-(?=[ \t])|\*{1,2}|\.{3,40}"
_SIGNS = rf"(?:{_TAG}|[ ](?:\.|[0-9]{{1,2}})(?=[ ])|[ \t]{{1,60}}|{_QUOTE}|{_SIGN}|{_WORDS})"
BETWEEN = rf"""(?P<between>(?>{_SIGNS}{{0,10}}+(?:{margins.NEXT_LINE}{_SIGNS}{{0,6}}+)?))(?<!\w)
    (?=[^\s"'`<>|│]{{0,63}}?[0-9])"""
"""What may lie between a name and its value, and that a digit is near; part of a verbose expression."""
_AFTER_NAME = re.compile(
    rf"""(?P<tail>[A-Za-z0-9_.\-]{{1,60}}+){ANNOTATION}?{BETWEEN}(?P<value>[^\s"'`<>|│┃║\\]{{6,512}})""", re.VERBOSE
)
_REST_OF_LINE = re.compile(
    rf"""[*"'`)\]|│]{{0,3}}(?:</[^<>\n]{{1,40}}>){{0,2}}[ \t]{{0,60}}(?:{margins.BREAK}|["'`]|\Z)"""
)
_TRAILING = ".,;:?)*]}"
_CALLED = re.compile(r"""(?:\A|\w|[)\]])(?:\.\w{1,16})?[({]\\{0,15}["'`]{1,3}\Z""")
_LABELLED = re.compile(r"[:=*`]|[=~-]{3}")
_HEADING = re.compile(
    r"(?:\A|\n|\\n)[^\w\n]{0,20}(?:[0-9]{1,6}[^\w\n]{1,4})?(?:#{1,6}|[*_]{2}|[-*•][ ]|[0-9]+[.)])[^\n]{0,60}\Z"
)
_GETS = re.compile(
    r"(?:get|find|read|load|has|is|fetch|lookup|delete|remove|parse|verify|check|validate|decode)", re.IGNORECASE
)
_TYPE_ENDS = ("::", "P<")


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value that stands beside or below the name around `start`."""
    del seams
    found = _AFTER_NAME.match(text, start)
    if found is None:
        return NOTHING
    first = name_start(text, start)
    meaning = _meaning(text, first, found.end("tail"))
    if meaning is None or text[max(0, first - 2) : first] in _TYPE_ENDS:
        return NOTHING
    value = found["value"].rstrip(_TRAILING)
    end = found.start("value") + len(value)
    firm = is_firm(text, first, found["between"], end)
    if firm is None or not credible_beside(value, meaning, firm=firm):
        return NOTHING
    return (Finding(kind=meaning.kind, start=found.start("value"), end=end),)


def _meaning(text: str, first: int, end: int) -> Meaning | None:
    meaning = meaning_of(text[first:end]) or phrase_meaning(text, first, end)
    return meaning if meaning and meaning.strong else None


def is_firm(text: str, first: int, between: str, end: int) -> bool | None:
    """Whether what lies between says by itself that a value follows; None where it says that none does.

    The name begins at `first`, the value ends at `end`.
    """
    if margins.has_break(between):
        return _is_label(text, first, between) if _REST_OF_LINE.match(text, end) and "," not in between else None
    if _CALLED.search(between):
        return _GETS.match(text, first) is None
    return any(sign in between for sign in "|│┃║\t→⇒—–»") or "</" in between or ("<" in between and ">" in between)


def _is_label(text: str, first: int, between: str) -> bool:
    """Whether the line of the name is a label or a heading, or the value is set apart on its own."""
    return _LABELLED.search(between) is not None or _HEADING.search(text[max(0, first - 80) : first]) is not None
