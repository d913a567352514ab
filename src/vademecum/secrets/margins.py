"""What stands before a line where a tool or a person shows it: numbers, signs of a diff, of a quotation, of a list."""

import re

BREAK = r"(?:\r?\n|\\{1,15}n)"
"""The end of a line, also as an escape."""

_MARGIN = r"(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|\\{1,15}t|[:|]))?[+\-|>*•#]?"
_BLANK_LINE = rf"(?:{_MARGIN}[ \t]{{0,8}}{BREAK})?"
_RULE = rf"(?:{_MARGIN}[ \t]{{0,8}}(?:[=~\-]{{3,80}}|```\w{{0,12}}){BREAK})?"
NEXT_LINE = rf"{BREAK}{_BLANK_LINE}{_RULE}{_MARGIN}(?:[ \t]{{0,60}}[>\-*•](?=\s))?"
"""To the next line, past one blank line and one that underlines or opens a block; with the margin of that line."""

_BREAK = re.compile(BREAK)
_INDENT = re.compile(r"(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|[:|]))?[+\-|>]?[ \t]*")


def indent_of(line: str) -> int:
    """Where a line begins behind its margin and its blanks."""
    found = _INDENT.match(line)
    return found.end() if found else 0


def has_break(between: str) -> bool:
    """Whether a line ends in this."""
    return _BREAK.search(between) is not None
