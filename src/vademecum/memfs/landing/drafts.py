"""Drafts: a plain folder in which a learner writes, and the frozen copy of it that is checked and landed.

The learner never sees git: the folder holds the files of one revision and `.inputs/`, which never lands. `freeze`
copies what changed into memory; whatever happens to the folder afterwards has no effect on what is checked and landed.
"""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import pygit2

from vademecum.errors import LandingRefused, NotFound
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.disk.walking import FoundFile, walk
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.operations.staged import Edited, EditRules, Operation
from vademecum.memfs.pages.paths import is_valid, validate
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Change, ChangeKind
from vademecum.memfs.repository import Repository
from vademecum.private import make_private_folders

__all__ = ["INPUTS", "Draft", "Frozen", "clear_drafts", "delete_draft", "runs_drafting"]

#: The folder in a draft for what the learner reads; nothing in it lands.
INPUTS = ".inputs"

#: Most files that a draft may hold, inputs not counted.
_MAX_FILES = 50_000
#: Most bytes of changed files that are taken into memory to be checked; far more than may land.
_MAX_FROZEN_BYTES = 64 * 1024 * 1024


class Frozen(msgspec.Struct, frozen=True, kw_only=True):
    """What a draft held at one moment: its base, and the bytes that differ from it."""

    #: The revision that the draft was opened at.
    base: Tree
    #: Each path that differs, with its whole content; None where the file is gone.
    edits: Mapping[str, bytes | None]
    #: What stands in the draft but is no plain file, and why, by path.
    irregular: Mapping[str, str]

    @property
    def changes(self) -> list[Change]:
        """List what differs from the base, sorted by path."""
        return [Change(path=path, kind=self._kind(path)) for path in sorted(self.edits)]

    def differs_from(self, other: "Frozen") -> bool:
        """Say whether something was written between this moment and another one of the same draft."""
        return (self.edits, self.irregular) != (other.edits, other.irregular)

    def has(self, path: str) -> bool:
        """Say whether the file exists after the change."""
        return self.edits[path] is not None if path in self.edits else self.base.has(path)

    def read(self, path: str) -> str:
        """Return the text after the change; raises `NotFound`, and `FrontMatterInvalid` when it is not UTF-8."""
        if path not in self.edits:
            return self.base.read(path)
        data = self.edits[path]
        if data is None:
            raise NotFound(f"the draft has no {path}", paths=(path,))
        return decode(data, path)

    def size(self, path: str) -> int:
        """Return the size after the change, in bytes; raises `NotFound`."""
        return self.base.size(path) if path not in self.edits else len(self.read(path).encode())

    def paths(self) -> list[str]:
        """List all paths after the change, sorted by code point."""
        kept = {path for path in self.base.paths() if self.edits.get(path, b"") is not None}
        return sorted(kept | {path for path, data in self.edits.items() if data is not None})

    def _kind(self, path: str) -> ChangeKind:
        if self.edits[path] is None:
            return ChangeKind.DELETED
        return ChangeKind.MODIFIED if self.base.has(path) else ChangeKind.ADDED


def runs_drafting(folder: Path) -> list[str]:
    """The runs of which something lies in a folder of drafts, oldest first; one that is at work is among them."""
    with git_failures(folder):
        return sorted({_run_of(path) for path in folder.iterdir()} - {""}) if folder.is_dir() else []


def delete_draft(folder: Path, run: str) -> None:
    """Delete all that a run left in a folder of drafts: the draft, and files beside it (`<run>.<suffix>`).

    Raises StorageError.
    """
    with git_failures(folder):
        for left in list(folder.iterdir()):
            if _run_of(left) == run:
                _delete(left)


def clear_drafts(folder: Path) -> None:
    """Delete everything in a folder of drafts, finished work too. Only for who keeps others from drafting there."""
    with git_failures(folder):
        for left in list(folder.iterdir()) if folder.is_dir() else ():
            _delete(left)


class Draft:
    """A folder with the files of one revision, for a learner to write in. A context manager: leaving deletes it."""

    def __init__(self, base: Tree, folder: Path) -> None:
        self.base = base
        self.folder = folder
        self.inputs = folder / INPUTS
        self._files = WorkTree(folder)

    @classmethod
    def open(cls, repository: Repository, revision: str, folder: Path) -> "Draft":
        """Write the files of `revision` to `folder`, which must not exist yet (files 0600, folders 0700).

        Files that somebody committed under names that are no memory paths stay out, and are no part of the draft.

        Raises
        ------
        NotFound: there is no such revision.
        StorageError: the folder exists, or cannot be written; what was begun is deleted.
        """
        draft = cls(repository.tree(revision), folder)
        with git_failures(folder):
            make_private_folders(folder.parent)
            folder.mkdir(mode=0o700)
            try:
                draft.inputs.mkdir(mode=0o700)
                paths = filter(is_valid, draft.base.paths())
                draft._files.populate((path, draft.base.read_bytes(path)) for path in paths)
            except BaseException:
                with suppress(OSError):
                    _delete(folder)
                raise
        return draft

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What cannot be deleted is no reason to fail work that was done: the next consolidation tries again.
        with suppress(OSError):
            _delete(self.folder)

    def write(self, path: str, text: str) -> None:
        """Write one file of the draft; raises `UnsafePath` for what is no memory path or leads through a link."""
        with git_failures(self.folder):
            self._files.write(validate(path), text.encode())

    def apply(self, operation: Operation) -> Edited:
        """Do one of `memfs.operations` in the folder, under the rules that hold for everybody but the person.

        Raises what the operation raises; nothing is written then.
        """
        edited = operation(self.freeze(), EditRules(root=self.folder, is_person=False))
        with git_failures(self.folder):
            for path, text in edited.edits.items():
                if text is None:
                    self._files.remove(path)
                else:
                    self._files.write(path, text.encode())
        return edited

    def freeze(self) -> Frozen:
        """Copy what differs from the base into memory.

        Raises
        ------
        LandingRefused: there is too much to look at.
        StorageError: the folder cannot be read.
        """
        edits: dict[str, bytes | None] = {path: None for path in self.base.paths() if is_valid(path)}
        irregular: dict[str, str] = {}
        frozen_bytes = 0
        with git_failures(self.folder):
            for count, found in enumerate(walk(self.folder, skip=INPUTS)):
                if count >= _MAX_FILES:
                    raise LandingRefused(f"the draft holds more than {_MAX_FILES} files")
                if found.irregular:
                    irregular[found.path] = found.irregular
                    edits.pop(found.path, None)
                elif self._is_unchanged(found):
                    del edits[found.path]
                else:
                    edits[found.path] = found.data
                    frozen_bytes += len(found.data)
                    if frozen_bytes > _MAX_FROZEN_BYTES:
                        raise LandingRefused(f"the draft changes more than {_MAX_FROZEN_BYTES} bytes")
        return Frozen(base=self.base, edits=edits, irregular=irregular)

    def _is_unchanged(self, found: FoundFile) -> bool:
        path = found.path
        return self.base.has(path) and is_valid(path) and str(pygit2.hash(found.data)) == self.base.blob_id(path)


def _run_of(path: Path) -> str:
    return path.name.partition(".")[0]


def _delete(draft: Path) -> None:
    """Delete a draft, or whatever stands in its place, also where a learner took permissions away."""
    if draft.is_symlink() or not draft.is_dir():
        draft.unlink()
        return
    try:
        shutil.rmtree(draft)
    except PermissionError:
        _open_up(draft)
        shutil.rmtree(draft)


def _open_up(folder: Path) -> None:
    folder.chmod(0o700)
    for below in folder.iterdir():
        if below.is_dir() and not below.is_symlink():
            _open_up(below)
