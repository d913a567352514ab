"""Where the citation blocks of an answer stand: in both forms, damaged ones too, and none that is only quoted.

    <memory-citation> ... </memory-citation>     anywhere, in any case of letters
    ```memory-citation ... ```                   a fence with that word behind it

Inside an ordinary fence or between backticks a block is an example, and is text like any other. A block without end
goes as far as its lines look like those of a block, so that it never takes prose along. Everything is found in one
walk, whatever the text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import msgspec

__all__ = ["CitationBlock", "find_citation_blocks"]

_NAME = "memory-citation"
#: What a walk stops at. A run of ticks is looked at from its first one only: hostile text stays linear.
_STOP = re.compile(
    r"^ {0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$"
    rf"|(?P<glued>(?<!`)`{{3,}}|(?<!~)~{{3,}})[ \t]*{_NAME}[ \t\r]*$"
    rf"|(?P<tag><{_NAME}[ \t]*>)",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(rf"<(?P<close>/?){_NAME}[ \t]*>", re.IGNORECASE)
_MORE_CLOSES = re.compile(rf"(?:\s*</{_NAME}[ \t]*>)+", re.IGNORECASE)
_BLANK_REST = re.compile(r"[ \t\r]*(?:\n|\Z)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
#: How a line of a damaged block begins: a tag, also one that was cut off, or the list of sessions.
_BEGINNING = re.compile(
    rf"</?(?:{_NAME}|citation_entries|session_ids)\b|</?[a-z_-]{{0,20}}$|(?:sessions|session_ids)[ \t]*:", re.IGNORECASE
)
_ENTRY = re.compile(r"\.md(?:$|:\s*L?[0-9])|\|note=", re.IGNORECASE)
_IDS = re.compile(r"(?=.*[0-9])[\w.:,-]{8,}")
#: A longer line is none of a block.
_MAX_LINE_CHARS = 2_000


class CitationBlock(msgspec.Struct, frozen=True, kw_only=True):
    """One block in a text: `text[start:end]` goes when it is taken out."""

    #: From the empty lines before it.
    start: int
    end: int
    #: What stands between its marks.
    body: str


def find_citation_blocks(text: str) -> list[CitationBlock]:
    """The blocks in the order of the text; none overlap."""
    return list(_Walk(text).blocks()) if _NAME in text.casefold() else []


class _Walk:
    """One text with what is looked up in it again and again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tags = list(_TAG.finditer(text))
        self._tag_starts = [tag.start() for tag in self._tags]
        self._closes = self._closes_of_tags()
        self._ticks = [match.start() for match in re.finditer("`", text)]
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        self._fences = list(_FENCE.finditer(text))
        self._fence_starts = [fence.start() for fence in self._fences]
        self._ends = _ends_of_fences(self._fences)

    def blocks(self) -> Iterator[CitationBlock]:
        position = 0
        for stop in _STOP.finditer(self._text):
            if stop.start() < position:
                continue
            mark = stop["mark"] or stop["glued"]
            if stop["tag"]:
                found = self._tagged(stop)
            elif stop["glued"] or stop["info"].strip().casefold() == _NAME:
                found = self._fenced(stop, stop.start("mark") if stop["mark"] else stop.start("glued"), mark)
            else:
                position = max(position, self._end_of_code(stop))
                continue
            if found:
                position = found.end
                yield found

    def _end_of_code(self, opening: re.Match[str]) -> int:
        """Behind an ordinary fence; where it is never closed it is none, and hides nothing."""
        return self._ends.get(opening.start(), opening.end())

    def _fenced(self, opening: re.Match[str], start: int, mark: str) -> CitationBlock | None:
        if self._is_in_code(start):
            return None
        body = opening.end()
        following = bisect_left(self._fence_starts, body)
        close = self._fences[following] if following < len(self._fences) else None
        if close and _closes(close, mark):
            return self._block(start, close.end(), self._text[body : close.start()])
        end = self._end_of_damaged(body)
        return self._block(start, end, self._text[body:end])

    def _tagged(self, opening: re.Match[str]) -> CitationBlock | None:
        start, body = opening.start(), opening.end()
        if self._is_in_code(start):
            return None
        close = self._closes[bisect_left(self._tag_starts, start)]
        if close is None:
            end = self._end_of_damaged(body)
            is_prose = end == body and not _BLANK_REST.match(self._text, body)
            return None if is_prose else self._block(start, end, self._text[body:end])
        if (
            not self._begins_line(start)
            and self._line_end(body) > close.start()
            and not self._is_like_block(body, close)
        ):
            return None  # a sentence about the tags
        more = _MORE_CLOSES.match(self._text, close.end())
        return self._block(start, more.end() if more else close.end(), self._text[body : close.start()])

    def _closes_of_tags(self) -> list[re.Match[str] | None]:
        """For every opening tag the nearest close; None where another block opens before it, behind other words.

        Worked out backwards, so that what lies between two tags is looked at once.
        """
        closes: list[re.Match[str] | None] = [None] * len(self._tags)
        for at in range(len(self._tags) - 2, -1, -1):
            following = self._tags[at + 1]
            if following["close"]:
                closes[at] = following
            elif self._is_like_block(self._tags[at].end(), following):
                closes[at] = closes[at + 1]
        return closes

    def _is_like_block(self, position: int, tag: re.Match[str]) -> bool:
        return all(map(_is_of_block, self._text[position : tag.start()].split("\n")))

    def _end_of_damaged(self, body: int) -> int:
        """Behind the last line that looks like one of a block."""
        end = position = body
        while position <= len(self._text):
            line_end = self._line_end(position)
            if line_end - position > _MAX_LINE_CHARS or not _is_of_block(self._text[position:line_end]):
                break
            if not _BLANK_REST.match(self._text, position):
                end = line_end
            position = line_end + 1
        return end

    def _block(self, start: int, end: int, body: str) -> CitationBlock:
        if self._begins_line(start):
            start = self._line_start(start)
            while start and self._text[start - 1] in "\r\n":
                start -= 1
        if start == 0:
            while end < len(self._text) and self._text[end] in "\r\n":
                end += 1
        return CitationBlock(start=start, end=end, body=body)

    def _is_in_code(self, position: int) -> bool:
        """Whether an odd number of backticks stands before it on its line."""
        ticks = bisect_left(self._ticks, position) - bisect_left(self._ticks, self._line_start(position))
        return ticks % 2 == 1

    def _begins_line(self, position: int) -> bool:
        while position and self._text[position - 1] in " \t":
            position -= 1
        return not position or self._text[position - 1] == "\n"

    def _line_start(self, position: int) -> int:
        before = bisect_left(self._newlines, position)
        return self._newlines[before - 1] + 1 if before else 0

    def _line_end(self, position: int) -> int:
        following = bisect_left(self._newlines, position)
        return self._newlines[following] if following < len(self._newlines) else len(self._text)


def _is_of_block(line: str) -> bool:
    text = line.strip()
    if len(text) > _MAX_LINE_CHARS:
        return False
    return not text or bool(_BEGINNING.match(text) or _ENTRY.search(text) or _IDS.fullmatch(text))


def _closes(fence: re.Match[str], mark: str) -> bool:
    return fence[1][0] == mark[0] and len(fence[1]) >= len(mark) and not fence[2].strip()


def _ends_of_fences(fences: list[re.Match[str]]) -> dict[int, int]:
    """Start of every fence that is closed -> its end; walked backwards, so that each is looked at once."""
    ends: dict[int, int] = {}
    #: Per sign the closing fences behind the present one, the nearest last. One that is no longer than a nearer one
    #: closes nothing more, so the lengths fall.
    closing: dict[str, list[re.Match[str]]] = {"`": [], "~": []}
    for fence in reversed(fences):
        mark, able = fence[1], closing[fence[1][0]]
        count = bisect_right(able, -len(mark), key=lambda close: -len(close[1]))
        if count:
            ends[fence.start()] = able[count - 1].end()
        if not fence[2].strip():
            while able and len(able[-1][1]) <= len(mark):
                able.pop()
            able.append(fence)
    return ends
