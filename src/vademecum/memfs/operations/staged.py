"""What an operation gives back: the next content of the files that it touches, checked, and nothing written yet."""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from vademecum.errors import NoChange, NotFound, ReadOnly, RefusedError
from vademecum.memfs.pages import rules
from vademecum.memfs.pages.files import Files

__all__ = ["EditRules", "Edited", "Operation", "Staged", "finish"]


class EditRules(msgspec.Struct, frozen=True, kw_only=True):
    """What whoever edits may do, and how they may spell a path."""

    #: The folder of the repository or the draft: an absolute path inside it is understood.
    root: Path
    #: Only a person may edit what belongs to the person.
    is_person: bool


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an operation on some `Files`. Nothing is written yet."""

    #: Each path that differs, with its whole next text; None where the file goes.
    edits: Mapping[str, str | None]
    #: What was done, in one clause: "created reference/x.md".
    done: str
    #: What whoever asked should know besides, one line each.
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that differ, sorted by code point."""
        return tuple(sorted(self.edits))


#: An operation with all its arguments but the state that it works on.
Operation = Callable[[Files, EditRules], Edited]


class Staged:
    """Edits on top of other files, in memory: what a later step of the same operation sees."""

    def __init__(self, base: Files) -> None:
        self._base = base
        self.edits: dict[str, str | None] = {}

    def put(self, path: str, text: str | None) -> None:
        """Set the whole text of a file; None deletes it."""
        self.edits[path] = text

    def paths(self) -> list[str]:
        """List all paths, sorted by code point."""
        kept = {path for path in self._base.paths() if path not in self.edits}
        return sorted(kept | {path for path, text in self.edits.items() if text is not None})

    def has(self, path: str) -> bool:
        """Say whether the file exists."""
        return self.edits[path] is not None if path in self.edits else self._base.has(path)

    def read(self, path: str) -> str:
        """Return the whole text; raises `NotFound`, and `FrontMatterInvalid` when it is not UTF-8."""
        if path not in self.edits:
            return self._base.read(path)
        text = self.edits[path]
        if text is None:
            raise NotFound(f"{path} was deleted just before", paths=(path,))
        return text

    def size(self, path: str) -> int:
        """Return the size of a file in bytes; raises `NotFound`."""
        return len(self.read(path).encode()) if path in self.edits else self._base.size(path)


def finish(files: Files, edits: Mapping[str, str | None], *, done: str, notes: tuple[str, ...] = ()) -> Edited:
    """Check what an operation made of `files`, as a commit would.

    Raises
    ------
    NoChange: every file would stay as it is.
    ReadOnly: a file would become read-only.
    RefusedError: a file would be too large, or hold a conflict marker.
    FrontMatterInvalid, SecretFound, UnsafePath: see `Repository.commit`.
    """
    changed = {path: text for path, text in edits.items() if _differs(files, path, text)}
    if not changed:
        raise NoChange(f"nothing would change: {', '.join(sorted(edits))} would be as before", paths=tuple(edits))
    for path, text in changed.items():
        if text is not None:
            _refuse_unwanted(files, path, text)
    rules.refuse_unfit_files(changed, files)
    return Edited(edits=changed, done=done, notes=notes)


def _differs(files: Files, path: str, text: str | None) -> bool:
    return files.has(path) if text is None else rules.text_before(files, path) != text


def _refuse_unwanted(files: Files, path: str, text: str) -> None:
    if rules.is_read_only(text):
        raise ReadOnly(f"{path} would become read_only, which only a person may decide, by hand", paths=(path,))
    if (marker := rules.conflict_marker(text)) and not rules.conflict_marker(rules.text_before(files, path) or ""):
        raise RefusedError(
            f"{path} would hold a conflict marker ({marker[:7]})",
            next_step="Decide what the lines shall say, and leave the marker out.",
            paths=(path,),
        )
    before, after = files.size(path) if files.has(path) else 0, len(text.encode(errors="replace"))
    # One that a person made larger by hand may still be made smaller.
    if after > rules.MAX_FILE_BYTES and after > before:
        raise RefusedError(
            f"{path} would have {after} bytes; a memory file has at most {rules.MAX_FILE_BYTES}",
            next_step="Put a part of it into a page of its own.",
            paths=(path,),
        )
