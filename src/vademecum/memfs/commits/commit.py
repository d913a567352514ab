"""Commits: made from a tree and its provenance, and read back as records."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice

import pygit2
from pygit2.enums import FileMode, SortMode

from vademecum.memfs.commits.tree import OWN_FOLDER
from vademecum.memfs.git.objects import blob_at, changes_between
from vademecum.memfs.messages import compose, parse_provenance, signature, subject_of
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.secrets import mask

__all__ = [
    "accepted_until",
    "commits_from",
    "contents_of",
    "create_commit",
    "describe",
    "files_in_history",
    "find_run",
    "history_of",
    "newest_commit_where",
    "once_there",
    "since",
    "was_at",
    "writer_of",
]

#: How far back `was_at` looks: a git command that lost a race is seconds old.
_RECENT = 200

# A day from both ends, so that the time can be shown in any zone.
_DAY_SECONDS = 86_400
_FIRST_SECOND = int(datetime.min.replace(tzinfo=UTC).timestamp()) + _DAY_SECONDS
_LAST_SECOND = int(datetime.max.replace(tzinfo=UTC).timestamp()) - _DAY_SECONDS


def create_commit(
    git: pygit2.Repository,
    tree_id: pygit2.Oid,
    parents: list[str],
    *,
    subject: str,
    provenance: Provenance,
    at: datetime,
) -> str:
    """Write a commit that no branch names yet, and return its id."""
    by = signature(provenance.writer, at)
    message = compose(subject, provenance)
    return str(git.create_commit(None, by, by, message, tree_id, [pygit2.Oid(hex=parent) for parent in parents]))


def describe(git: pygit2.Repository, commit: pygit2.Commit, paths: Iterable[str] | None = None) -> Commit:
    """Read a commit as a record. Its paths are those that differ from its first parent, looked up unless known."""
    return Commit(
        id=str(commit.id),
        subject=mask(subject_of(commit.message)),
        at=_time_of(commit),
        provenance=parse_provenance(commit.message),
        paths=_changed_paths(git, commit) if paths is None else tuple(sorted(paths)),
        author=commit.author.name,
    )


def commits_from(git: pygit2.Repository, revision: str, path: str | None) -> Iterator[Commit]:
    """Walk the history from `revision` backwards, children first; only commits that changed `path` when it is given."""
    return (describe(git, commit) for commit in _walk(git, revision, path))


def since(
    git: pygit2.Repository, revision: str, writer: Writer, *, path: str | None = None, most: int
) -> tuple[list[pygit2.Commit], pygit2.Commit | None]:
    """Return the commits that came after the last one of a writer, newest first, and that one.

    None: none of the newest `most` is the writer's. Only commits that changed `path` count, when it is given. Not as
    records, because what a commit changed takes longer to find out than who made it.
    """
    later: list[pygit2.Commit] = []
    for commit in islice(_walk(git, revision, path), most):
        if writer_of(commit) is writer:
            return later, commit
        later.append(commit)
    return later, None


def writer_of(commit: pygit2.Commit) -> Writer:
    """Say who made a commit."""
    return parse_provenance(commit.message).writer


def _walk(git: pygit2.Repository, revision: str, path: str | None) -> Iterator[pygit2.Commit]:
    for commit in git.walk(pygit2.Oid(hex=revision), SortMode.TOPOLOGICAL | SortMode.TIME):
        if path is None or _touches(commit, path):
            yield commit


def find_run(git: pygit2.Repository, provenance: Provenance, *, after: str, until: str) -> Commit | None:
    """Find the commit in (`after`, `until`] that the same writer made in the same run, by exact trailers."""
    # What a person accepted of a run's proposal is a commit of its own.
    same = (provenance.run, provenance.writer, provenance.accepted)
    return newest_commit_where(
        git, lambda found: (found.run, found.writer, found.accepted) == same, after=after, until=until
    )


def newest_commit_where(
    git: pygit2.Repository, matches: Callable[[Provenance], bool], *, after: str | None = None, until: str
) -> Commit | None:
    """Find the newest commit up to `until` with such a provenance; only those later than `after` when it is given."""
    walker = git.walk(pygit2.Oid(hex=until), SortMode.TOPOLOGICAL)
    if after is not None:
        walker.hide(pygit2.Oid(hex=after))
    return next((describe(git, commit) for commit in walker if matches(parse_provenance(commit.message))), None)


def accepted_until(git: pygit2.Repository, revision: str) -> list[str]:
    """Return the runs of whose proposals a person took in something up to `revision`, newest first, each once."""
    walker = git.walk(pygit2.Oid(hex=revision), SortMode.TOPOLOGICAL)
    found = (parse_provenance(commit.message) for commit in walker)
    return list(dict.fromkeys(made.run for made in found if made.accepted and made.run))


def was_at(git: pygit2.Repository, revision: str, path: str, blob: pygit2.Oid | None) -> bool:
    """Say whether one of the last commits up to `revision` had `blob` at `path`."""
    recent = islice(git.walk(pygit2.Oid(hex=revision), SortMode.TOPOLOGICAL), _RECENT)
    return any(blob_at(commit.tree, path) == blob for commit in recent)


def once_there(git: pygit2.Repository, revision: str, folder: str, names: Iterable[str]) -> set[str]:
    """Return those of the names that any commit up to `revision` had directly below `folder`."""
    sought, found = set(names), set[str]()
    seen: pygit2.Oid | None = None
    for commit in git.walk(pygit2.Oid(hex=revision), SortMode.TOPOLOGICAL):
        if not sought:
            break
        below = _entry(commit.tree, folder)
        if below is None or below == seen:
            continue
        seen = below
        there = git[below].peel(pygit2.Tree)
        found |= {name for name in sought if name in there}
        sought -= found
    return found


def history_of(git: pygit2.Repository, roots: Iterable[str]) -> list[pygit2.Commit]:
    """Every commit that can be reached from the roots, parents first."""
    starts = [pygit2.Oid(hex=root) for root in roots]
    if not starts:
        return []
    walker = git.walk(starts[0], SortMode.TOPOLOGICAL | SortMode.REVERSE)
    for start in starts[1:]:
        walker.push(start)
    return list(walker)


def files_in_history(git: pygit2.Repository, commits: Iterable[pygit2.Commit]) -> dict[str, set[str]]:
    """Map every path that any of the commits has to the ids of all contents that it ever had."""
    found: dict[str, set[str]] = {}
    seen: set[tuple[pygit2.Oid, str]] = set()

    def collect(tree: pygit2.Tree, prefix: str) -> None:
        if (tree.id, prefix) in seen:
            return
        seen.add((tree.id, prefix))
        for entry in tree:
            if entry.filemode == FileMode.TREE:
                collect(git[entry.id].peel(pygit2.Tree), f"{prefix}{entry.name}/")
            elif entry.filemode != FileMode.COMMIT:
                found.setdefault(f"{prefix}{entry.name}", set()).add(str(entry.id))

    for commit in commits:
        collect(commit.tree, "")
    return found


def contents_of(git: pygit2.Repository, commits: Iterable[pygit2.Commit]) -> set[str]:
    """Return the ids of all contents of files that any of the commits has."""
    return {blob for blobs in files_in_history(git, commits).values() for blob in blobs}


def _time_of(commit: pygit2.Commit) -> datetime:
    """When it was made; git takes years that no calendar here knows, and they become the nearest that one does."""
    return datetime.fromtimestamp(min(max(commit.commit_time, _FIRST_SECOND), _LAST_SECOND), tz=UTC)


def _changed_paths(git: pygit2.Repository, commit: pygit2.Commit) -> tuple[str, ...]:
    parent = commit.parents[0].tree_id if commit.parents else None
    changed = (change.path for change in changes_between(git, parent, commit.tree_id))
    return tuple(path for path in changed if not path.startswith(OWN_FOLDER))


def _touches(commit: pygit2.Commit, path: str) -> bool:
    before = _entry(commit.parents[0].tree, path) if commit.parents else None
    return _entry(commit.tree, path) != before


def _entry(tree: pygit2.Tree, path: str) -> pygit2.Oid | None:
    return tree[path].id if path in tree else None
