"""How far a value reaches: to the end of its string, structure, line or word."""

import re
from itertools import islice

MAX_STRING = 16_384
"""A longer string is no longer one value; what begins it is masked like an unclosed one."""
MAX_PLAIN = 256
"""Characters of an unquoted value that are looked at before it is known to be a secret."""
_MAX_STRUCTURE = 4_096
_MAX_PARTS = 100
"""Characters, and quotes and brackets, that are walked in search of the end of a structure."""

OPENING_QUOTE = re.compile(r"""[bBrRfFuU@$]{0,2}(?P<slashes>\\{0,15})(?P<quote>["'`])""")
"""What opens a string, with the letters that languages put before it."""

TRIPLE_QUOTED = re.compile(
    r"""[bBrRfFuU]{0,2}(?P<quote>"{3}|'{3})\s{0,80}(?P<value>[^\s"'][^\n]{1,400}?)(?=\s{0,80}(?P=quote))"""
)
"""A string between three quotes that holds one line; it may stand on its own."""

_STRING = r"""(?:[A-Z][\w:]{0,40}\()?[bBrRfFuU@$&]{0,2}\\{0,15}["'`]"""
ANNOTATION = rf"""(?:
    \[[0-9]{{0,4}}\]
  | \??:[ ]?[A-Za-z_][\w.|\[\] ]{{0,40}}?(?=[ ]?=[^=>])
  | [?!]?[ ]?:[ ]?[&*A-Za-z_\[][^=\n"`;{{}}]{{0,60}}?(?=[ ]?:?=[ ]?{_STRING})
  | [ ]{{1,4}}(?:[Aa]s[ ])?[A-Za-z\[*][\w.\[\]*]{{0,30}}+(?=[ ]=[ ]{_STRING})
  | [ ]\{{[ ]?get;[^}}\n]{{0,40}}\}}
)"""
"""The type between a name and the `=` before its string, as languages write it; part of a verbose expression."""

_PLAIN = re.compile(
    r"""(?:[^\s"'`<>\\,;&]++|\\(?![nrt"'`\\])|[,;&](?!\s|$|\\n|["'`}\])]|[\w.\-]{1,40}[=:]))+""",
)
_TAGGED = re.compile(r"[^<]+")
_PARTS = re.compile(r"""\\+["']?|["'{}\[\]]""")
_LINE = re.compile(r"""[^\n"'`\\]{0,400}?(?=[ \t]*(?:[ \t]#|[\n"'`\\]|\Z))""")
_CLOSERS = {")": "(", "]": "[", "}": "{"}


def string_end(text: str, start: int, slashes: int, quote: str) -> int | None:
    """Where the content of a string ends that `slashes` backslashes and `quote` opened; None if it is not closed.

    Strings inside escaped strings close with as many backslashes as they were opened with; a quote with fewer closes
    the string around them. A plain string may hold escaped quotes, and a single-quoted one doubled quotes.
    """
    doubled = "(?!')(?<!'')" if quote == "'" and not slashes and text[start : start + 1] != "'" else ""
    for found in re.compile(rf"\\*{quote}{doubled}|\n").finditer(text, start, start + MAX_STRING):
        if found.group() == "\n":
            return None
        backslashes = len(found.group()) - 1
        if slashes == 0 and backslashes % 2 == 0:
            return found.end() - 1
        if slashes and backslashes <= slashes:
            return found.end() - 1 - slashes if backslashes == slashes else None
    return None


def balanced_end(text: str, start: int) -> int | None:
    """The end of the object or list that opens at `start`, strings respected; None if it is not closed in reach."""
    depth = 0
    inside = ""
    for found in islice(_PARTS.finditer(text, start, start + _MAX_STRUCTURE), _MAX_PARTS):
        part = found.group()
        if inside:
            if part == inside:
                inside = ""
        elif part[-1] in "\"'":
            inside = part
        elif part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def plain_end(text: str, start: int, *, tagged: bool = False) -> int:
    """The end of an unquoted value: white space, a quote, an escaped line break, or a comma with something after it.

    At most `MAX_PLAIN` characters are looked at, so that values which are no secrets cost little; `run_end` goes on.
    """
    found = (_TAGGED if tagged else _PLAIN).match(text, start, start + MAX_PLAIN)
    if found is None:
        return start
    value = found.group()
    while value and (value[-1] in ",;:" or (value[-1] in _CLOSERS and _CLOSERS[value[-1]] not in value)):
        value = value[:-1]
    return start + len(value)


def run_end(text: str, end: int) -> int:
    """The end of the unquoted value of which `plain_end` saw only the beginning."""
    found = _PLAIN.match(text, end)
    return found.end() if found else end


def line_end(text: str, start: int) -> int:
    """The end of an unquoted value of several words: before a comment, a quote or the line break."""
    found = _LINE.match(text, start)
    return found.end() if found else start
