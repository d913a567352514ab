"""Git's index: kept at what we committed, so that `git status` is clean and a person's `git commit` undoes nothing.

A process that writes again finds the index as it left it, and need not read thousands of entries for it: what it wrote
last is kept, and used while git's own file still ends with the same checksum.

A person may have git keep it in a form that libgit2 cannot read (`core.splitIndex`). Then git itself makes it plain.
"""

import hashlib
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pygit2
from pygit2.enums import FileMode

from vademecum.errors import GitFailed
from vademecum.memfs.git.command import run_git

__all__ = ["StagedIndex", "staged_blobs"]

_CHECKSUM_BYTES = 20
_VERSIONS = range(2, 5)  # what libgit2 reads; git itself knows no others
_NO_CHECKSUM = bytes(_CHECKSUM_BYTES)  # git's setting index.skipHash
#: Index file and its copy -> its checksum and its entries, as this process wrote them last.
_kept: dict[tuple[Path, Path], tuple[bytes, pygit2.Index]] = {}
_MOST_KEPT = 8


class StagedIndex:
    """A copy of git's index, read once. What a person staged is in it and stays in it.

    Parameters
    ----------
    source: git's own index. Hold its lock, so that nothing is staged between this and the moment the copy takes its
        place.
    copy: where the copy goes; must not exist.
    head: what the copy starts from when there is no index, or one that not even git can read.
    """

    def __init__(self, source: Path, copy: Path, head: pygit2.Tree | None) -> None:
        self.file = copy
        self._source = source
        # Taken out: what is changed here and never takes the place of git's own is of no further use.
        checksum, index = _kept.pop((source, copy), (_NO_CHECKSUM, None))
        if index is None or _checksum_of(source) != checksum:
            index = _read(source, copy, head)
        self._index = index

    def blob(self, path: str) -> pygit2.Oid | None:
        """Return the blob that is staged for a path; None when there is none."""
        return self._index[path].id if path in self._index else None

    def move(self, path: str, old: pygit2.Oid | None, new: pygit2.Oid | None) -> None:
        """Stage `new` (None: nothing) for a path, when it is still at `old`."""
        if self.blob(path) != old:
            return
        if new is not None:
            self._index.add(pygit2.IndexEntry(path, new, FileMode.BLOB))
        elif old is not None:
            self._index.remove(path)

    def write(self) -> None:
        """Write the copy to its file, and put it on the disk."""
        self._index.write()
        self.file.chmod(0o600)

    def publish(self) -> None:
        """Put the copy, which was written, in the place of git's own."""
        checksum = _checksum_of(self.file)
        self.file.rename(self._source)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[self._source, self.file] = checksum, self._index


def staged_blobs(file: Path) -> dict[str, pygit2.Oid]:
    """Map every path in git's index to its blob; empty where there is no index, or one that not even git can read."""
    with TemporaryDirectory(prefix="vademecum-") as folder:
        index = _read(file, Path(folder) / "index", None)
        return {str(entry.path): entry.id for entry in (index[place] for place in range(len(index)))}


def _read(source: Path, copy: Path, head: pygit2.Tree | None) -> pygit2.Index:
    data = source.read_bytes() if source.exists() else b""
    if _is_whole(data):
        copy.write_bytes(data)
        index = _loaded(copy) or _loaded_by_git(source, copy)
        if index is not None:
            return index
    copy.unlink(missing_ok=True)
    index = pygit2.Index(str(copy))
    if head is not None:
        index.read_tree(head)
    return index


def _loaded(copy: Path) -> pygit2.Index | None:
    """Open the copy; None where libgit2 cannot read it: a split one, and others with parts that it does not know."""
    # Opened while nothing is there: pygit2 1.21 prints a traceback of its own when it cannot open an index.
    aside = copy.with_name(f"{copy.name}-aside")
    copy.rename(aside)
    index = pygit2.Index(str(copy))
    aside.rename(copy)
    try:
        index.read(force=True)
    except pygit2.GitError:
        return None
    return index


def _loaded_by_git(source: Path, copy: Path) -> pygit2.Index | None:
    """Have git write the copy as one file that every git reads. None where it cannot either, or is not there."""
    try:
        run_git(source.parent.parent, "update-index", "--no-split-index", "--force-write-index", index=copy)
    except GitFailed:
        return None
    return _loaded(copy)


def _checksum_of(file: Path) -> bytes:
    """What an index file ends with; empty where there is none."""
    try:
        with file.open("rb") as stream:
            stream.seek(-_CHECKSUM_BYTES, os.SEEK_END)
            return stream.read()
    except OSError:
        return b""


def _is_whole(data: bytes) -> bool:
    # Asked before libgit2 is: pygit2 1.21 prints a traceback of its own when it cannot open an index.
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    is_known = body.startswith(b"DIRC") and int.from_bytes(body[4:8]) in _VERSIONS
    return is_known and checksum in {hashlib.sha1(body).digest(), _NO_CHECKSUM}
