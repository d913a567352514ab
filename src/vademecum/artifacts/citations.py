"""Citations: what an agent says, at the end of an answer, of the memories it used.

    <memory-citation>                                    ```memory-citation
    <citation_entries>                                   MEMORY.md:12-14|note=package manager
    MEMORY.md:12-14|note=[package manager]               sessions: 0199a000-1111 0199a000-2222
    </citation_entries>                                  ```
    <session_ids>
    0199a000-1111
    </session_ids>
    </memory-citation>

Read with patience: a missing tag, another order, commas, list marks and reversed lines are understood. Nothing here
says whether a file or a session exists.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from vademecum.artifacts.citation_blocks import find_citation_blocks

__all__ = ["Citations", "CitedLines", "parse_citations", "strip_citations"]

#: Longest path or id that is believed, and highest line.
_MAX_NAME_CHARS = 512
_MAX_LINE_DIGITS = 9
_SECTION = re.compile(r"<(/?)(citation_entries|session_ids)[ \t]*>", re.IGNORECASE)
_SESSIONS = re.compile(r"(?:sessions|session_ids)[ \t]*:", re.IGNORECASE)
_LIST_MARK = re.compile(r"^[-*][ \t]+")
_RANGE = re.compile(r"[ \t]*L?([0-9]+)[A-Za-z]*(?:[ \t]*[-–—][ \t]*L?([0-9]+)[A-Za-z]*)?[ \t]*")
_BETWEEN_IDS = re.compile(r"[\s,;]+")
_ENTRIES, _IDS = "citation_entries", "session_ids"


class CitedLines(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was used, or lines of it."""

    #: As the answer names it, from the root of the memory.
    path: str
    #: First and last file line, in order; None: the whole file.
    line_start: int | None = None
    line_end: int | None = None
    #: Why, in the words of the answer.
    note: str = ""


class Citations(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an answer cites, each once, in its order."""

    files: tuple[CitedLines, ...] = ()
    #: Ids of sessions.
    sessions: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is cited."""
        return not (self.files or self.sessions)


def strip_citations(text: str) -> str:
    """The text without citation blocks and the empty lines right before them; all other bytes stay as they are."""
    position, kept = 0, list[str]()
    for block in find_citation_blocks(text):
        kept.append(text[position : block.start])
        position = block.end
    return "".join([*kept, text[position:]]) if position else text


def parse_citations(text: str) -> Citations:
    """What the blocks of an answer cite; a line that cannot be understood is passed over."""
    files, sessions = dict[tuple[str, int | None, int | None], CitedLines](), dict[str, None]()
    for block in find_citation_blocks(text):
        for item in _items(block.body):
            if isinstance(item, CitedLines):
                files.setdefault((item.path, item.line_start, item.line_end), item)
            else:
                sessions[item] = None
    return Citations(files=tuple(files.values()), sessions=tuple(sessions))


def _items(body: str) -> Iterator[CitedLines | str]:
    lines = list(_lines_by_section(body))
    found = [item for section, line in lines for item in _items_of_line(section, line)]
    if found or any(section == _IDS for section, _ in lines):
        yield from found
    else:  # an older form lists ids where the entries stand
        yield from _ids(line for section, line in lines if section == _ENTRIES and ":" not in line)


def _lines_by_section(body: str) -> Iterator[tuple[str, str]]:
    """Every line with the section that it stands in; empty: in none, which is as good as among the entries."""
    section, position = "", 0
    for tag in _SECTION.finditer(body):
        yield from ((section, line) for line in body[position : tag.start()].split("\n"))
        section, position = ("" if tag[1] else tag[2].casefold()), tag.end()
    yield from ((section, line) for line in body[position:].split("\n"))


def _items_of_line(section: str, line: str) -> Iterable[CitedLines | str]:
    text = _LIST_MARK.sub("", line.strip()).strip("` \t")
    if listed := _SESSIONS.match(text):
        return _ids([text[listed.end() :]])
    if section == _IDS:
        return _ids([text])
    entry = _entry(text)
    return [entry] if entry else []


def _ids(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        for word in _BETWEEN_IDS.split(line):
            name = word.strip("`'\"[]()<>")
            if _is_name(name):
                yield name


def _entry(text: str) -> CitedLines | None:
    place, _, note = text.rpartition("|note=") if "|note=" in text else (text, "", "")
    note = " ".join(note.strip().removeprefix("[").removesuffix("]").split())
    path, colon, lines = place.strip().rpartition(":")
    span = _RANGE.fullmatch(lines) if colon else None
    if span is None:
        whole = _path(place)
        return CitedLines(path=whole, note=note) if whole.endswith(".md") else None
    first, last = span[1], span[2] or span[1]
    if not _is_name(_path(path)) or max(len(first), len(last)) > _MAX_LINE_DIGITS:
        return None
    start, end = sorted((int(first), int(last)))
    return CitedLines(path=_path(path), line_start=start, line_end=end, note=note)


def _path(text: str) -> str:
    name = text.strip().strip("`").removeprefix("./")
    return name if _is_name(name) else ""


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_NAME_CHARS and text.isprintable()
