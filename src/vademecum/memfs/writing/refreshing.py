"""Bring files of the work tree from one commit to the next, those only that are exactly at the old one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pygit2

from vademecum.errors import UnsafePath
from vademecum.memfs.disk.flushing import Job
from vademecum.memfs.disk.worktree import WorkTree, write_new
from vademecum.memfs.git.objects import blob_at, changes_between, link_at, list_links

__all__ = ["FileChange", "brought_folders", "file_changes", "is_link_at", "refresh", "stage_files"]


class FileChange(NamedTuple):
    """A regular file before and after; None where there is none."""

    old: pygit2.Oid | None
    new: pygit2.Oid | None
    #: The content of `new`.
    data: bytes | None
    #: The symbolic link that was committed in the place of `old`; None where there is none.
    link: pygit2.Oid | None = None


def file_changes(git: pygit2.Repository, old: str | None, new: str) -> dict[str, FileChange]:
    """Find the regular files in which two commits differ, and links that went; None stands for no commit."""
    before = None if old is None else git[old].peel(pygit2.Tree)
    after = git[new].peel(pygit2.Tree)
    changes: dict[str, FileChange] = {}
    paths = [change.path for change in changes_between(git, None if before is None else before.id, after.id)]
    gone: set[str] = set() if before is None else list_links(git, before.id).keys() - list_links(git, after.id).keys()
    for path in sorted({*paths, *gone}):
        blob = blob_at(after, path)
        data = None if blob is None else git[blob].peel(pygit2.Blob).data
        changes[path] = FileChange(blob_at(before, path), blob, data, link_at(before, path))
    return changes


def brought_folders(git: pygit2.Repository, commit: str, changes: Mapping[str, FileChange]) -> Iterator[pygit2.Oid]:
    """Name the trees that a commit with these changes needs: those of the folders on the way to them."""
    tree = git[commit].peel(pygit2.Commit).tree
    folders = {path[:at] for path in changes for at, sign in enumerate(path) if sign == "/"}
    yield from (tree[folder].id for folder in sorted(folders) if folder in tree)
    yield tree.id


def stage_files(folder: Path, files: WorkTree, changes: Mapping[str, FileChange]) -> dict[str, Path]:
    """Write the next content of each file to `folder`, and make the folders that it will go to."""
    staged: dict[str, Path] = {}
    for path, change in changes.items():
        if change.data is not None:
            files.make_folder_of(path)
            staged[path] = folder / f"file-{len(staged)}"
            write_new(staged[path], change.data)
    return staged


def refresh(files: WorkTree, changes: Mapping[str, FileChange], staged: Mapping[str, Path]) -> Iterator[Job]:
    """Move staged files into place and delete what goes; the jobs that are returned put the names on the disk."""
    for path, change in changes.items():
        if not (_is_at(files, path, change.old) or is_link_at(files, path, change.link)):
            continue
        if change.new is None:
            files.remove(path)
        else:
            files.take_over(staged[path], path)
    modified = {path for path, change in changes.items() if change.old is not None and change.new is not None}
    return files.flush_jobs(modified, changes.keys() - modified)


def is_link_at(files: WorkTree, path: str, link: pygit2.Oid | None) -> bool:
    """Say whether exactly this committed symbolic link stands there."""
    target = None if link is None else files.link_target(path)
    return target is not None and pygit2.hash(target) == link


def _is_at(files: WorkTree, path: str, blob: pygit2.Oid | None) -> bool:
    try:
        data = files.read(path)
    except UnsafePath:
        return False  # somebody put a link or a folder there: theirs to keep
    return (None if data is None else pygit2.hash(data)) == blob
