"""Assignments: a name that means a secret, a separator, and a value (env, YAML, JSON, TOML, INI, shell, code, XML)."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Finding
from vademecum.secrets.judge import Place, credible, credible_below, credible_string
from vademecum.secrets.names import Meaning, meaning_of, name_start
from vademecum.secrets.spans import (
    ANNOTATION,
    MAX_PLAIN,
    OPENING_QUOTE,
    TRIPLE_QUOTED,
    balanced_end,
    line_end,
    plain_end,
    run_end,
    string_end,
)

_QUOTES = ('"', "'", "`")
_OPTION_REACH = 24
_AFTER_NAME = re.compile(
    rf"""
    (?P<tail>[A-Za-z0-9_.\-]{{1,60}}+)
    (?P<close>\\{{0,15}}["'`])?[)\]]{{0,2}}(?:\*\*|__)?
    (?:
      (?P<before>[ \t\u00a0]{{0,16}})
      {ANNOTATION}?[ ]?
      (?P<sep>:=|=>|={{1,3}}|!={{1,2}}|::=|\?{{1,2}}=|\+=|:(?![:=]|//)|：|＝)
    |
      (?:[\s,;]|\\n){{1,40}}+(?:\\{{0,15}}["'])?[vV]alue(?:\\{{0,15}}["'])?[ \t]{{0,8}}(?P<named>[:=])
    |
      (?P<tag>>)
    )
    """,
    re.VERBOSE,
)
_OPTION = re.compile(r"(?P<tail>[A-Za-z0-9_.\-]{1,60})[ \t]{1,4}(?=[^\s\-=:])")
_GAP = re.compile(r"(?:\*\*)?(?P<gap>[ \t\u00a0]{0,60}(?:[|>][+-]?[ \t]{0,4}(?=\r?\n))?)(?P<below>\r?\n[ \t]{0,60})?")
_SCALAR = re.compile(r"(?:-?[0-9][0-9.eE+-]{0,40}|[Tt]rue|[Ff]alse)(?=\s*(?:[,}\]]|$))")
_SCHEMA = re.compile(r"""["']\$?(?:type|description|ref|required|name)\\{0,15}["']\s*:""")
_LINE_HEAD = re.compile(r"[ \t>+|\-*#]{0,60}(?:(?:export|set|setenv|ENV|ARG|declare -x|let|local)[ \t]{1,4})?[\"'`]?\Z")
_REST_OF_LINE = re.compile(r"[ \t]*(?:\s#.*|//.*)?(?:\r?\n|\\n|\Z)")


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value of the name around `start`, if the name means a secret and the value looks like one."""
    del seams
    after = _AFTER_NAME.match(text, start) or _after_option(text, start)
    if after is None:
        return NOTHING
    first = name_start(text, start)
    name = text[first : after.end("tail")]
    meaning = meaning_of(name)
    if meaning is None or text[max(0, first - 2) : first] in ("::", "P<"):  # a type, or a group of an expression
        return NOTHING
    if text[first - 1 : first] == text[after.end() : after.end() + 1] in _QUOTES and not after["close"]:
        return NOTHING  # "Password:" as a whole is a string
    place = _place(text, first, after)
    if place.tagged and text[first - 1 : first] != "<":
        return NOTHING
    finding = value_at(text, after.end(), meaning, place)
    if finding is None or text[finding.start : finding.end] == name:  # a variable that is passed on
        return NOTHING
    return (finding,)


def _after_option(text: str, start: int) -> re.Match[str] | None:
    """What follows the name of a command line option, which may have a blank for a separator."""
    if "-" not in text[max(0, start - _OPTION_REACH) : start] or text[name_start(text, start)] != "-":
        return None
    return _OPTION.match(text, start)


def _place(text: str, first: int, after: re.Match[str]) -> Place:
    groups = after.groupdict()
    separator = groups.get("sep") or groups.get("named") or ""
    line = text.rfind("\n", max(0, first - 120), first) + 1 or max(0, first - 120)
    at_line = _LINE_HEAD.match(text[line:first]) is not None and (line == 0 or text[line - 1] == "\n")
    if not at_line and text[max(0, first - 2) : first] == "\\n":
        at_line = True
    following = text[after.end() : after.end() + 1]
    return Place(
        colon=separator in (":", "："),
        spaced=separator.startswith(("=", "+=", "??=")) and (bool(groups.get("before")) or following in (" ", "\t")),
        keyed=groups.get("close") or "",
        at_line=at_line,
        argument=text[first - 1 : first] in ("(", ",") or text[max(0, first - 2) : first] == ", ",
        tagged=bool(groups.get("tag")),
        indent=first - line,
    )


def value_at(text: str, after: int, meaning: Meaning, place: Place) -> Finding | None:
    """The value behind a separator that ends at `after`, if it is a secret."""
    gap = _GAP.match(text, after)
    assert gap is not None, "every part of the gap is optional"
    start = gap.end()
    below = gap["below"] is not None
    span = _string(text, start)
    if span:
        content = text[slice(*span)]
        runs = text[span[0] - 1] == "`" and " " in content  # a shell does
        return _finding(meaning, *span) if not runs and credible_string(content, meaning, place) else None
    quote = OPENING_QUOTE.match(text, start)
    start = quote.end() if quote else start
    if place.keyed.endswith(('"', "'")) and text[start : start + 1] in ("{", "["):
        return _structure(text, start, meaning, place)
    scalar = _SCALAR.match(text, start) if place.keyed and place.colon and meaning.strong else None
    if scalar:
        return _finding(meaning, start, scalar.end(), place.keyed)
    end = plain_end(text, start, tagged=place.tagged)
    if below:
        indent = len(gap["below"].strip("\r\n"))
        alone = _REST_OF_LINE.match(text, end) is not None
        believed = credible_below(text[start:end], meaning, place, indent, alone=alone)
        return _finding(meaning, start, end) if believed else None
    return _plain(text, start, end, meaning, place)


def _string(text: str, start: int) -> tuple[int, int] | None:
    """Where the content of the string stands that opens here; None where none does, or it is not closed."""
    triple = TRIPLE_QUOTED.match(text, start)
    if triple:
        return triple.span("value")
    quote = OPENING_QUOTE.match(text, start)
    end = string_end(text, quote.end(), len(quote["slashes"]), quote["quote"]) if quote else None
    return (quote.end(), end) if quote and end is not None else None


def _plain(text: str, start: int, end: int, meaning: Meaning, place: Place) -> Finding | None:
    value = text[start:end]
    last = _REST_OF_LINE.match(text, end) is not None
    if credible(value, meaning, place, last=last):
        return _finding(meaning, start, run_end(text, end) if end - start == MAX_PLAIN else end)
    if place.colon and place.at_line and not last and text[end : end + 1] == " ":
        whole = line_end(text, start)
        line = text[start:whole]
        if (
            ": " not in line
            and not (values.is_code(value) or values.is_code(line))
            and credible_string(line, meaning, place)
        ):
            return _finding(meaning, start, whole)
    return None


def _structure(text: str, start: int, meaning: Meaning, place: Place) -> Finding | None:
    """A whole object or list under a secret name; a JSON schema or a list of names is looked at member by member."""
    end = balanced_end(text, start)
    if end is None or not meaning.strong or end - start <= 2 or not place.colon:
        return None
    inside = text[start:end]
    if _SCHEMA.search(inside):
        return None
    return _finding(meaning, start, end, place.keyed)


def _finding(meaning: Meaning, start: int, end: int, quote: str = "") -> Finding:
    return Finding(kind=meaning.kind, start=start, end=end, quote=quote)
