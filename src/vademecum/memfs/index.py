"""Git's index: kept at what we committed, so that `git status` is clean and a person's `git commit` undoes nothing."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from vademecum.memfs.gitlock import lock_of

__all__ = ["next_index", "staged_blobs"]

_CHECKSUM_BYTES = 20
_NO_CHECKSUM = bytes(_CHECKSUM_BYTES)  # git's setting index.skipHash


def staged_blobs(git_dir: Path, paths: Mapping[str, pygit2.Oid | None]) -> dict[str, pygit2.Oid | None]:
    """Say which blob the index holds for each path: None when it holds none.

    Parameters
    ----------
    paths: what HEAD holds, given back when there is no readable index.
    """
    index = _read(git_dir / "index")
    if index is None:
        return dict(paths)
    return {path: _blob_in(index, path) for path in paths}


def next_index(
    git_dir: Path,
    file: Path,
    head: pygit2.Tree | None,
    blobs: Mapping[str, tuple[pygit2.Oid | None, pygit2.Oid | None]],
) -> bytes:
    """Write to `file` what the index becomes, and return its bytes. Whatever else a person staged is kept.

    Parameters
    ----------
    head: what the index starts from when there is none, or when it is damaged.
    blobs: for each path its old and its new blob; an entry that is not at the old one stays as it is.
    """
    for leftover in (file, lock_of(file)):
        leftover.unlink(missing_ok=True)
    current = git_dir / "index"
    if current.exists():
        file.write_bytes(current.read_bytes())
    index = _read(file)
    if index is None:
        file.unlink(missing_ok=True)
        index = pygit2.Index(str(file))
        if head is not None:
            index.read_tree(head)
    for path, (old, new) in blobs.items():
        if _blob_in(index, path) != old:
            continue
        if new is not None:
            index.add(pygit2.IndexEntry(path, new, FileMode.BLOB))
        elif old is not None:
            index.remove(path)
    index.write()
    file.chmod(0o600)
    return file.read_bytes()


def _read(file: Path) -> pygit2.Index | None:
    """Open an index; None when there is none, or a damaged one, which git itself could not use either."""
    if not file.exists():
        return None
    data = file.read_bytes()
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    # Asked before libgit2 is: pygit2 1.21 prints a traceback of its own when it cannot open an index.
    if not body.startswith(b"DIRC") or checksum not in {hashlib.sha1(body).digest(), _NO_CHECKSUM}:
        return None
    return pygit2.Index(str(file))


def _blob_in(index: pygit2.Index, path: str) -> pygit2.Oid | None:
    return index[path].id if path in index else None
