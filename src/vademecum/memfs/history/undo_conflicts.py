"""Why a commit cannot be taken back: which lines changed since, and by whom."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from vademecum.errors import MergeConflict
from vademecum.memfs.commits.commit import commits_from
from vademecum.memfs.history.blame import blame_lines
from vademecum.memfs.history.diffs import changed_hunks
from vademecum.memfs.records import Commit, Writer
from vademecum.memfs.repository import Repository

__all__ = ["Conflict", "Versions", "conflict_of", "refusal"]

_SHOWN_CONFLICTS = 3
_SHOWN_COMMITS = 3


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """One file as an undo meets it; None where it is not there."""

    #: As the commit that is taken back left it.
    taken: bytes | None
    present: bytes | None
    #: As it was before that commit.
    former: bytes | None


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """One file whose later changes stand in the way."""

    path: str
    #: Where in the present file, in words; empty where it is gone or no text.
    where: str
    #: Who changed it since, newest first.
    later: tuple[Commit, ...]
    #: All that changed the file since and count still: no undo, and nothing that an undo took back. Newest first.
    standing: tuple[Commit, ...]


def conflict_of(
    repository: Repository, path: str, versions: Versions, commit: Commit, undone: Collection[str]
) -> Conflict:
    """Say what stands in the way of taking `commit` back in one file.

    Parameters
    ----------
    undone: ids of all commits that are taken back: none of them stands in its own way.
    """
    head = repository.tree()
    later: list[Commit] = []
    for other in commits_from(repository.git, head.revision, path):
        if other.id == commit.id:
            break
        if other.id not in undone:
            later.append(other)
    standing = tuple(_standing(later))
    lines = _overlaps(versions)
    if lines and head.has(path) and head.read_bytes(path) == versions.present:
        origins = blame_lines(repository.git, head.revision, path)
        brought = {origin for span in lines for origin in origins[span.start : span.stop]}
        # Lines that went were brought by nobody: then it is everybody who changed the file.
        later = [other for other in later if other.id in brought] or later
    return Conflict(path=path, where=", ".join(map(_span, lines)), later=tuple(later), standing=standing)


def _standing(later: Sequence[Commit]) -> Iterator[Commit]:
    """An undo is never to be taken back for another one: that would do again what it undid, and lead in a circle."""
    taken_back: set[str] = set()
    for commit in later:
        if commit.id in taken_back:
            continue
        if commit.provenance.writer is Writer.UNDO:
            taken_back.update(commit.provenance.undoes)
        else:
            yield commit


def refusal(conflicts: Sequence[Conflict], first: Commit | None) -> MergeConflict:
    """The error that names them. `first`: the commit without which nothing would stand in the way."""
    shown = "; ".join(map(_in_words, conflicts[:_SHOWN_CONFLICTS]))
    more = len(conflicts) - _SHOWN_CONFLICTS
    advice = f"Undo the later change first (`vade undo {first.id[:10]}`), or name" if first else "Name"
    return MergeConflict(
        f"{shown}{f'; and {more} more' if more > 0 else ''}",
        intact="Nothing was taken back.",
        next_step=f"{advice} the paths that shall be taken back, or edit the file and run `vade adopt`.",
        paths=tuple(conflict.path for conflict in conflicts),
    )


def _overlaps(versions: Versions) -> list[range]:
    """The lines of the present text (from 0) that changed where the undo would change something as well."""
    if versions.present is None:
        return []
    taken = versions.taken or b""
    wanted = [old for old, _ in changed_hunks(taken, versions.former or b"")]
    return [
        new
        for old, new in changed_hunks(taken, versions.present)
        if any(old.start <= other.stop and other.start <= old.stop for other in wanted)
    ]


def _span(lines: range) -> str:
    return f"line {lines.start + 1}" if len(lines) < 2 else f"lines {lines.start + 1}-{lines.stop}"


def _in_words(conflict: Conflict) -> str:
    place = f"{conflict.path} {conflict.where}".rstrip()
    commits = ", ".join(map(_named, conflict.later[:_SHOWN_COMMITS]))
    return f"{place} changed since, by {commits}" if commits else f"{place} changed since"


def _named(commit: Commit) -> str:
    whose = "your own " if commit.provenance.writer is Writer.USER else ""
    return f"{whose}{commit.id[:10]} ({commit.subject})"
