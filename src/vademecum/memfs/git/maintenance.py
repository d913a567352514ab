"""Loose objects are packed now and then, so that years of edits leave few files. Nothing is ever pruned.

An edit leaves four or five loose objects, each a file of at least one disk block. Their number costs no time (an edit
among 8,000 of them takes as long as one among 500), but space: 10,000 edits take 200 MB loose and 10 MB packed.

What is packed is a list of the loose objects themselves, whether a reference leads to them or not: somebody may still
want what git would call garbage. A loose copy goes when the pack with it is on the disk. Killed anywhere, all objects
are there, some perhaps twice, and the next pass goes on.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from vademecum.errors import GitFailed
from vademecum.memfs.git.command import run_git
from vademecum.private import fsync_path

__all__ = ["DUE_OBJECTS", "count_loose", "loose_files", "pack_when_due"]

#: So many loose objects are packed: about 450 edits, for half a second (on a quiet disk) that one of them takes longer.
#: Fewer would make more packs than a look-up should go through; 10,000 edits leave 25.
DUE_OBJECTS = 2000

#: Ids are spread evenly: eight of the 256 folders tell the number well enough, and cost a write 0.1 ms.
_FOLDERS = tuple(f"{number:02x}" for number in range(256))
_SAMPLE = _FOLDERS[::32]
#: Of the rest of an id; anything else in these folders is a file that a writer was killed at.
_NAME_LENGTH = 38
_TIMEOUT_SECONDS = 10.0


def pack_when_due(root: Path) -> bool:
    """Pack loose objects where there are many, and say whether it was done. Needs the `memory-write` lock.

    A repository with very many is packed in several passes, one with each write. What fails has changed nothing: the
    write that was made before must not fail for it, and `vade doctor` tells of git and of the number of objects.
    """
    objects = root / ".git" / "objects"
    if sum(map(_count_at, _places(objects, _SAMPLE))) * len(_FOLDERS) < DUE_OBJECTS * len(_SAMPLE):
        return False
    try:
        _pack(root, objects)
    except (GitFailed, OSError):
        return False
    return True


@lru_cache(maxsize=8)
def _places(objects: Path, folders: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(objects / folder for folder in folders)


def _count_at(folder: Path) -> int:
    try:
        return _count_of(folder, folder.stat().st_mtime_ns)
    except FileNotFoundError:
        return 0


@lru_cache(maxsize=8 * len(_SAMPLE))
def _count_of(folder: Path, _changed_ns: int) -> int:
    """Once for each change of the folder: a write puts its few objects mostly elsewhere.

    Of two changes within one tick of the clock the later may be missed: it counts with the next one.
    """
    with os.scandir(folder) as entries:
        return sum(len(entry.name) == _NAME_LENGTH for entry in entries)


def count_loose(root: Path) -> int:
    """Count the loose objects of a repository."""
    return sum(1 for _ in _loose(root / ".git" / "objects", _FOLDERS))


def loose_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Find the loose objects of a repository: the id of each, and its file."""
    objects = root / ".git" / "objects"
    return ((name, objects / name[:2] / name[2:]) for name in _loose(objects, _FOLDERS))


def _pack(root: Path, objects: Path) -> None:
    # Not more at once: a flood is packed in portions, and no single write waits for all of it.
    chosen = list(islice(_loose(objects, _FOLDERS), 2 * DUE_OBJECTS))
    names = "".join(f"{name}\n" for name in chosen).encode()
    pack = str(objects / "pack" / "pack")
    run_git(root, "pack-objects", "-q", pack, stdin=names, timeout_seconds=_TIMEOUT_SECONDS)
    fsync_path(objects / "pack")
    # Unlike `git prune-packed` this leaves the empty folders: they are needed again, and it takes a fifth of the time.
    for name in chosen:
        (objects / name[:2] / name[2:]).unlink(missing_ok=True)
    _keep_git_from_pruning(root)


def _keep_git_from_pruning(root: Path) -> None:
    """Many packs would make a `git commit` of the person collect garbage by itself. Their own setting stays."""
    if not run_git(root, "config", "--local", "--get", "gc.auto", fine=(0, 1)):
        run_git(root, "config", "--local", "gc.auto", "0")


def _loose(objects: Path, folders: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        try:
            with os.scandir(objects / folder) as entries:
                names = [entry.name for entry in entries]
        except FileNotFoundError:
            continue
        yield from (folder + name for name in names if len(name) == _NAME_LENGTH)
