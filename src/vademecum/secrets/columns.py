"""Columns whose head means a secret: tables of Markdown and of databases, CSV, columns parted by blanks, HTML, SQL.

Every line below the head that has as many cells is a row; what stands in the column is judged as any value is that
stands apart from its name.
"""

import re
from collections.abc import Container, Iterator, Sequence

from vademecum.secrets import margins
from vademecum.secrets.finding import NOTHING, Finding
from vademecum.secrets.judge import credible_beside
from vademecum.secrets.names import Meaning, meaning_of

#: What may follow the name in a head.
_ENDS_CELL = re.compile(
    rf"""[\w.\-]{{1,60}}+(?:[ ][^\W\d]{{1,12}})?["'`*]{{0,3}}[ \t]{{0,60}}
    (?:(?P<sign>[|│┃║,;\t])|(?P<blanks>(?<=[ ]{{2}})(?=\w))|(?P<tag></t[hd]>)|(?P<last>{margins.BREAK}))""",
    re.VERBOSE,
)
_SQL = re.compile(r"""[\w"`\]]{1,60}(?:[ ]{0,4},[^()\n]{0,200})?\)\s{0,8}(?:VALUES|values)\s{0,8}(?=\()""")
_BREAK = re.compile(margins.BREAK)
_MARGIN = re.compile(r"[ \t]{0,8}[0-9]{1,6}(?:→|\t|:)|[+>-](?![-+])")
_RULE = re.compile(r"[\s|│┃║├┼┤╞╪╡╠╬╣└┴┘┌┬┐+:=─━═-]*\Z")
_HEAD_CELL = re.compile(r"""[\s"'`*]*[^\W\d][\w .()/-]{0,40}[\s"'`*]*\Z""")
_BLANKS = re.compile(r"[ ]{2,}")
_TUPLE = re.compile(r"\(([^()\n]{0,400})\)[ \t]{0,8},?\s{0,8}")
_MEMBER = re.compile(r"""\s*(?:'(?:[^'\\]|''|\\.)*'|"[^"]*"|[^,'"]+)\s*(?:,|\Z)""")
_ROW = re.compile(r"<tr\b[^<>]{0,200}>")
_CELL_TAG = re.compile(r"<t[hd]\b[^<>]{0,200}>")
_AROUND = " \t\r\"'`*"
_LINE_REACH, _ROWS, _REACH = 400, 200, 8_000

#: First and last character of a cell.
_Span = tuple[int, int]


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The values below the head of a column in which the name around `start` stands."""
    del seams
    if _SQL.match(text, start):
        return list(_of_insert(text, start))
    ends = _ENDS_CELL.match(text, start)
    if ends is None:
        return NOTHING
    if ends["tag"]:
        return list(_of_html(text, start, ends.start("tag")))
    return list(_of_lines(text, start, ends))


def _of_lines(text: str, start: int, ends: re.Match[str]) -> Iterator[Finding]:
    first = max((one.end() for one in _BREAK.finditer(text, max(0, start - _LINE_REACH), start)), default=0)
    stop = _BREAK.search(text, start, start + _LINE_REACH)
    if stop is None or start - first >= _LINE_REACH:
        return
    margin = _MARGIN.match(text, first, stop.start())
    first = margin.end() if margin else first
    for sign in _signs(text, first, ends):
        head = _cells(text, first, stop.start(), sign)
        number = next((at for at, (_, end) in enumerate(head) if start < end), 0)
        meaning = _head(text, head, number, sign)
        if meaning and not _is_row(text, first, head, sign):
            for begin, end in _rows(text, stop.end(), with_margin=margin is not None):
                row = _cells(text, begin, end, sign)
                if len(row) != len(head):
                    if _RULE.match(text, begin, end) and begin < end:
                        continue
                    return
                yield from _judged(text, row[number], meaning)
            return


def _signs(text: str, first: int, ends: re.Match[str]) -> Sequence[str]:
    """What parts the cells of this line: where the name is the last one, what stands before it says."""
    if ends["sign"]:
        return (ends["sign"],)
    if ends["blanks"] is not None:
        return ("  ",)
    before = text[first : ends.start()]
    return [sign for sign in ("|", "│", "┃", "║", "\t", ";", ",", "  ") if sign in before]


def _cells(text: str, first: int, end: int, sign: str) -> list[_Span]:
    line = text[first:end]
    if sign == "  ":
        parted = [found.span() for found in _BLANKS.finditer(line.rstrip(), len(line) - len(line.lstrip()))]
    else:
        parted = [(at, at + 1) for at, one in enumerate(line) if one == sign]
    begins = [0, *(after for _, after in parted)]
    ends = [*(before for before, _ in parted), len(line)]
    return [(first + begin, first + stop) for begin, stop in zip(begins, ends, strict=True)]


def _head(text: str, head: list[_Span], number: int, sign: str) -> Meaning | None:
    """What the column means, if this line is the head of a table."""
    filled = [text[begin:end] for begin, end in head if text[begin:end].strip()]
    if len(filled) < 2 or not (sign in "|│┃║" or all(map(_HEAD_CELL.match, filled))):
        return None
    name = text[slice(*head[number])].strip(_AROUND)
    meaning = meaning_of(name) if _HEAD_CELL.match(name) and name.count(" ") < 4 else None
    return meaning if meaning and meaning.strong else None


def _is_row(text: str, first: int, head: list[_Span], sign: str) -> bool:
    """Whether this line stands below another one of its table."""
    above = text[max(0, first - _LINE_REACH) : max(0, first - 1)].rpartition("\n")[2]
    blank = f"{sign} "
    return above.count(sign) + 1 == len(head) and (blank in above) == (blank in text[first : head[-1][1]])


def _rows(text: str, start: int, *, with_margin: bool) -> Iterator[_Span]:
    for _ in range(_ROWS):
        stop = _BREAK.search(text, start, start + _LINE_REACH)
        end = stop.start() if stop else min(len(text), start + _LINE_REACH)
        margin = _MARGIN.match(text, start, end) if with_margin else None
        begin = margin.end() if margin else start
        if not text[begin:end].strip():
            return
        yield begin, end
        if stop is None:
            return
        start = stop.end()


def _of_html(text: str, start: int, end: int) -> Iterator[Finding]:
    begin = text.rfind("<tr", max(0, start - _LINE_REACH * 4), start)
    if begin < 0:
        return
    opened = [found.end() for found in _CELL_TAG.finditer(text, begin, start)]
    meaning = meaning_of(text[opened[-1] : end].strip()) if opened else None
    if meaning is None or not meaning.strong:
        return
    stop = text.find("</table", end, end + _REACH)
    rows = [row.end() for row in _ROW.finditer(text, end, stop if stop >= 0 else end + _REACH)]
    for row in rows[:_ROWS]:
        closed = text.find("</tr", row, row + _LINE_REACH * 4)
        cells = [found.end() for found in _CELL_TAG.finditer(text, row, closed if closed >= 0 else row)]
        if len(cells) >= len(opened):
            cell = cells[len(opened) - 1]
            yield from _judged(text, (cell, text.find("<", cell)), meaning)


def _of_insert(text: str, start: int) -> Iterator[Finding]:
    opened = text.rfind("(", max(0, start - _LINE_REACH), start)
    closed = text.find(")", start)
    names = text[opened + 1 : closed].split(",")
    number = text.count(",", opened, start)
    meaning = meaning_of(names[number].strip(_AROUND + "[]\n")) if opened >= 0 else None
    after = text.find("(", closed + 1)
    for _ in range(_ROWS):
        row = _TUPLE.match(text, after)
        if row is None or meaning is None or not meaning.strong:
            return
        members = [found.span() for found in _MEMBER.finditer(text, row.start(1), row.end(1))]
        if len(members) == len(names):
            begin, end = members[number]
            yield from _judged(text, (begin, end - text[begin:end].endswith(",")), meaning)
        after = row.end()


def _judged(text: str, cell: _Span, meaning: Meaning) -> Iterator[Finding]:
    content = text[slice(*cell)]
    value = content.strip(_AROUND + "\n")
    if not value or any(map(str.isspace, value)) or not credible_beside(value, meaning, firm=True):
        return
    begin = cell[0] + content.index(value)
    yield Finding(kind=meaning.kind, start=begin, end=begin + len(value))
