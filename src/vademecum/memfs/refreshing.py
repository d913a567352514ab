"""Bring files of the work tree from one commit to the next, those only that are exactly at the old one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pygit2

from vademecum.errors import UnsafePath
from vademecum.memfs.flushing import Job
from vademecum.memfs.worktree import WorkTree, write_file

__all__ = ["FileChange", "refresh", "stage_files"]


class FileChange(NamedTuple):
    """A regular file before and after; None where there is none."""

    old: pygit2.Oid | None
    new: pygit2.Oid | None
    #: The content of `new`.
    data: bytes | None


def stage_files(folder: Path, files: WorkTree, changes: Mapping[str, FileChange]) -> dict[str, Path]:
    """Write the next content of each file to `folder`, and make the folders that it will go to."""
    staged: dict[str, Path] = {}
    for path, change in changes.items():
        if change.data is not None:
            files.make_folder_of(path)
            staged[path] = folder / f"file-{len(staged)}"
            write_file(staged[path], change.data)
    return staged


def refresh(files: WorkTree, changes: Mapping[str, FileChange], staged: Mapping[str, Path]) -> Iterator[Job]:
    """Move staged files into place and delete what goes; the jobs that are returned put the names on the disk."""
    for path, change in changes.items():
        if not _is_at(files, path, change.old):
            continue
        if change.new is None:
            files.remove(path)
        else:
            files.take_over(staged[path], path)
    modified = {path for path, change in changes.items() if change.old is not None and change.new is not None}
    return files.flush_jobs(modified, changes.keys() - modified)


def _is_at(files: WorkTree, path: str, blob: pygit2.Oid | None) -> bool:
    try:
        data = files.read(path)
    except UnsafePath:
        return False  # somebody put a link or a folder there: theirs to keep
    return (None if data is None else pygit2.hash(data)) == blob
