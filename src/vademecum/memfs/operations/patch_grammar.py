"""The grammar of patches: what the text says, line by line, before any file is looked at.

    *** Begin Patch
    *** Add File: reference/new.md
    +first line
    *** Update File: reference/page.md
    *** Move to: reference/other.md          (optional)
    @@ ## Heading                            (optional: a line above the hunk; several narrow it down)
     a line that stays
    -a line that goes
    +a line that comes
    *** End of File                          (optional: the hunk ends with the file)
    *** Delete File: reference/old.md
    *** End Patch

A hunk's lines begin with a blank, `-` or `+`; an empty one is an empty line that stays. Blank lines between the
operations do not count. CRLF is read as LF.
"""

from collections.abc import Iterator

import msgspec

from vademecum.errors import PatchInvalid
from vademecum.memfs.pages.text import from_outside

__all__ = ["AddFile", "DeleteFile", "PatchHunk", "PatchStep", "UpdateFile", "parse_patch"]

_BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ADD = "*** Add File: "
_DELETE = "*** Delete File: "
_UPDATE = "*** Update File: "
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"
_ANCHOR = "@@"
_STEPS = (_ADD, _DELETE, _UPDATE)


class PatchHunk(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that stand in a file, and what they become."""

    #: Where it stands in the patch: its first line, from 1.
    line: int
    #: Lines of the file above it that say where it is meant, outermost first.
    anchors: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    #: True when the file ends with it.
    at_end: bool


class AddFile(msgspec.Struct, frozen=True, kw_only=True):
    """A new file."""

    path: str
    text: str


class DeleteFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that goes."""

    path: str


class UpdateFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that changes, and perhaps moves."""

    path: str
    move_to: str | None
    hunks: tuple[PatchHunk, ...]


PatchStep = AddFile | DeleteFile | UpdateFile


def parse_patch(text: str) -> list[PatchStep]:
    """Read a patch; raises `PatchInvalid`, which names the line."""
    lines = from_outside(text).split("\n")
    if lines[0] != _BEGIN:
        raise _invalid(1, f"a patch begins with the line `{_BEGIN}`")
    if _END not in lines:
        raise _invalid(len(lines), f"the patch has no line `{_END}`; it may have been cut")
    end = lines.index(_END)
    trailing = next((number for number in range(end + 1, len(lines)) if lines[number].strip()), None)
    if trailing is not None:
        raise _invalid(trailing + 1, f"nothing may follow `{_END}`")
    steps = list(_Reader(lines[:end]).steps())
    if not steps:
        raise _invalid(end + 1, "the patch changes no file")
    return steps


class _Reader:
    """Reads the lines of a patch, up to its end, once."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 1  # behind the line that begins the patch
        #: For each line the first from it on that is not empty; looked up, for a patch may be blank for very long.
        self._filled: list[str | None] = [None] * (len(lines) + 1)
        for number in range(len(lines) - 1, -1, -1):
            self._filled[number] = lines[number] or self._filled[number + 1]

    def steps(self) -> Iterator[PatchStep]:
        while (line := self._peek()) is not None:
            if not line.strip():
                self._at += 1
            elif line.startswith(_ADD):
                path = self._path(_ADD)
                yield AddFile(path=path, text=self._added())
            elif line.startswith(_DELETE):
                yield DeleteFile(path=self._path(_DELETE))
            elif line.startswith(_UPDATE):
                yield self._update()
            else:
                raise self._invalid("expected `*** Add File: `, `*** Update File: ` or `*** Delete File: `")

    def _update(self) -> UpdateFile:
        path = self._path(_UPDATE)
        line = self._peek()
        move_to = self._path(_MOVE) if line is not None and line.startswith(_MOVE) else None
        hunks: list[PatchHunk] = []
        while not self._is_at_step():
            if (self._peek() or "").strip() or not self._only_blanks_before_step():
                hunks.append(self._hunk())
            else:
                self._at += 1
        if not hunks:
            raise self._invalid(f"the update of {path} has no hunk")
        return UpdateFile(path=path, move_to=move_to, hunks=tuple(hunks))

    def _hunk(self) -> PatchHunk:
        first = self._at
        anchors: list[str] = []
        while (line := self._peek()) is not None and line.startswith(_ANCHOR):
            anchors += [line.removeprefix(_ANCHOR).removeprefix(" ")] if line.removeprefix(_ANCHOR).strip() else []
            self._at += 1
        old: list[str] = []
        new: list[str] = []
        while not self._is_at_hunk_end():
            self._read_line(old, new)
        if not old:
            raise _invalid(first + 1, "the hunk does not say where it belongs: it has no line that stays or goes")
        at_end = self._peek() == _END_OF_FILE
        self._at += at_end
        return PatchHunk(line=first + 1, anchors=tuple(anchors), old=tuple(old), new=tuple(new), at_end=at_end)

    def _read_line(self, old: list[str], new: list[str]) -> None:
        line = self._lines[self._at]
        sign, rest = line[:1], line[1:]
        if sign not in {"", " ", "-", "+"}:
            raise self._invalid("a line of a hunk begins with a blank, `-` or `+`")
        if sign != "+":
            old.append(rest)
        if sign != "-":
            new.append(rest)
        self._at += 1

    def _added(self) -> str:
        first = self._at
        while (line := self._peek()) is not None and line.startswith("+"):
            self._at += 1
        if self._at == first:
            raise self._invalid("a new file needs lines that begin with `+`")
        return "".join(f"{line[1:]}\n" for line in self._lines[first : self._at])

    def _path(self, marker: str) -> str:
        path = self._lines[self._at].removeprefix(marker).strip()
        if not path:
            raise self._invalid(f"`{marker.strip()}` names no path")
        self._at += 1
        return path

    def _peek(self) -> str | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _is_at_step(self) -> bool:
        line = self._peek()
        return line is None or line.startswith(_STEPS)

    def _is_at_hunk_end(self) -> bool:
        line = self._peek()
        if self._is_at_step() or line == _END_OF_FILE or (line or "").startswith(_ANCHOR):
            return True
        # Blank lines before the next operation separate it; as context they would say nothing but "an empty line".
        return not line and self._only_blanks_before_step()

    def _only_blanks_before_step(self) -> bool:
        following = self._filled[self._at]
        return following is None or following.startswith(_STEPS)

    def _invalid(self, what: str) -> PatchInvalid:
        return _invalid(self._at + 1, what)


def _invalid(line: int, what: str) -> PatchInvalid:
    return PatchInvalid(f"line {line} of the patch: {what}", intact="No file was changed.")
