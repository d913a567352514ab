"""Which commits an undo takes back, and which have no way back."""

from collections.abc import Iterable, Iterator, Sequence

import pygit2
from pygit2.enums import SortMode

from vademecum.errors import NotFound, RefusedError, UsageError
from vademecum.memfs.commits.commit import describe
from vademecum.memfs.commits.meant import find_meant
from vademecum.memfs.forgetting.scrub import SCRUBBED
from vademecum.memfs.git.objects import blob_at, list_links
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.messages import parse_provenance
from vademecum.memfs.pages.paths import is_valid
from vademecum.memfs.pages.rules import masked_name
from vademecum.memfs.records import Commit, Writer
from vademecum.memfs.repository import Repository
from vademecum.run_ids import find_run_id

__all__ = ["find_undoable", "refuse_links"]

#: So many links are named one by one.
_NAMED = 3
_SEE_LOG = "Run `vade log` to see what can be undone."


def find_undoable(repository: Repository, target: str | None) -> tuple[Commit, ...]:
    """Find the commits that are meant, newest first.

    Parameters
    ----------
    target: a run (the beginning of its id will do), of which all commits are meant; a revision; or None for the newest
        commit that is no undo, that no undo took back, and that has a way back.

    Raises
    ------
    NotFound: there is no such run or revision, or nothing was written yet.
    RefusedError: the revision is no part of main, or has no way back.
    UsageError: several runs are meant, or a run and a revision.
    """
    with git_failures(repository.folder):
        git, head = repository.git, repository.head()
        if target is None:
            return (_newest_standing(git, head),)
        found = _work_of(repository, target) or [_named(repository, target)]
        for commit in found:
            _refuse_without_way_back(git, commit)
        return tuple(describe(git, commit) for commit in found)


def _walk(git: pygit2.Repository, head: str) -> Iterator[pygit2.Commit]:
    return iter(git.walk(pygit2.Oid(hex=head), SortMode.TOPOLOGICAL | SortMode.TIME))


def _work_of(repository: Repository, name: str) -> list[pygit2.Commit]:
    """The commits of the run that is meant; none where it is no run."""
    commits = [(commit, _run_of(commit)) for commit in _walk(repository.git, repository.head())]
    run = find_run_id(name, (run for _, run in commits if run), what="runs")
    if run is not None and run != name and _is_revision(repository, name):
        raise UsageError(f"{name} is the beginning of the run {run}, and of a commit", next_step="Give more of the id.")
    return [commit for commit, made_by in commits if run is not None and made_by == run]


def _run_of(commit: pygit2.Commit) -> str | None:
    """The run that made it; what a person decided on a run's proposal may carry its id as well."""
    provenance = parse_provenance(commit.message)
    return None if provenance.writer in {Writer.MEMORY_TOOL, Writer.USER, Writer.UNDO} else provenance.run


def _is_revision(repository: Repository, name: str) -> bool:
    try:
        return bool(repository.resolve(name))
    except NotFound:
        return False


def _newest_standing(git: pygit2.Repository, head: str) -> Commit:
    taken_back: set[str] = set()
    for commit in _walk(git, head):
        provenance = parse_provenance(commit.message)
        # An undo that was itself taken back takes nothing back any more.
        if str(commit.id) in taken_back or _why_no_way_back(git, commit):
            continue
        if provenance.writer is Writer.UNDO:
            taken_back.update(provenance.undoes)
        else:
            return describe(git, commit)
    raise NotFound("there is no commit that could be undone", next_step="Run `vade log` to see what was written.")


def _named(repository: Repository, target: str) -> pygit2.Commit:
    git, head = repository.git, repository.head()
    try:
        commit = git[repository.resolve(target)].peel(pygit2.Commit)
    except NotFound as error:
        raise NotFound(
            f"no commit on main belongs to a run {target!r}, and there is no such revision",
            next_step="Run `vade log` to see the commits with their runs.",
        ) from error
    if str(commit.id) != head and not git.descendant_of(head, str(commit.id)):
        raise RefusedError(f"{target} is no part of main: nothing in memory comes from it", next_step=_SEE_LOG)
    return commit


def _refuse_without_way_back(git: pygit2.Repository, commit: pygit2.Commit) -> None:
    if why := _why_no_way_back(git, commit):
        next_step = _SEE_LOG if commit.parents else "Edit the files it brought and run `vade adopt`."
        raise RefusedError(f"{str(commit.id)[:10]} has no way back: {why}", next_step=next_step)


def _why_no_way_back(git: pygit2.Repository, commit: pygit2.Commit) -> str:
    """Why nothing can take this commit back; empty where an undo may try."""
    if not commit.parents:
        return "it is the first commit, and before it there was no memory"
    before = commit.parents[0].tree
    if blob_at(commit.tree, SCRUBBED) != blob_at(before, SCRUBBED):
        return "it says what was scrubbed from the whole history, and no commit holds that any more"
    if not describe(git, commit).paths:
        links = _links_brought(git, commit)
        return f"it only brings {_told(links)}" if links else "it changes no file of memory"
    return ""


def _links_brought(git: pygit2.Repository, commit: pygit2.Commit) -> list[str]:
    """Name the symbolic links that a commit brought, sorted: an undo leaves them."""
    before = list_links(git, commit.parents[0].tree_id) if commit.parents else {}
    return [path for path, blob in list_links(git, commit.tree_id).items() if before.get(path) != blob]


def refuse_links(repository: Repository, commits: Sequence[Commit], paths: Iterable[str]) -> None:
    """Raise `RefusedError` where a person names a link that one of the commits brought, and no file of it."""
    with git_failures(repository.folder):
        git = repository.git
        found = (git[commit.id].peel(pygit2.Commit) for commit in commits)
        links = sorted({link for commit in found for link in _links_brought(git, commit)})
    changed = [path for commit in commits for path in commit.paths]
    for path in paths:
        meant = find_meant(path, links, root=repository.folder)
        if meant and find_meant(path, changed, root=repository.folder) is None:
            raise RefusedError(f"{commits[0].id[:10]} brings {_told(meant.files)}", paths=meant.files)


def _told(links: Sequence[str]) -> str:
    named, more = ", ".join(map(masked_name, links[:_NAMED])), len(links) - _NAMED
    rest = f" and {more} more" if more > 0 else ""
    which = "which is a symbolic link, and no file" if len(links) == 1 else "which are symbolic links, and no files"
    what = "it" if len(links) == 1 else "them"
    # `adopt` takes in what became of memory paths only.
    way = f"delete {what}, then run `vade adopt`" if all(map(is_valid, links)) else f"`git rm` {what}, and commit"
    return f"{named}{rest}, {which} of memory ({way})"
