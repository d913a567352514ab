"""Reset: memory goes back to its first files, and what was there is kept below `refs/vademecum/trash/<time>/`.

The new beginning has no past, so nothing of the old one is in a prompt, a search or a clone. Until the trash is purged
a person gets all of it back with plain git: `git reset --hard refs/vademecum/trash/<time>/main`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pygit2

from vademecum.errors import NotFound
from vademecum.memfs.commits.commit import contents_of, create_commit, history_of
from vademecum.memfs.forgetting.purging import purge
from vademecum.memfs.git.holders import foreign_holders, own_references
from vademecum.memfs.git.opening import MAIN, git_failures, open_git
from vademecum.memfs.git.refs import PRIVATE, TRASH, refuse_unusual_state, set_private
from vademecum.memfs.messages import subject_of
from vademecum.memfs.records import Provenance, Writer
from vademecum.memfs.repository import Repository
from vademecum.memfs.seeds import seed_files
from vademecum.memfs.writing.changeset import Changeset
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, format_file
from vademecum.memfs.writing.moving import Moves, move_together, pending_moves

__all__ = ["Trash", "empty_trash", "has_begun_anew", "is_of_a_reset", "list_trash", "put_in_trash"]

_BEGIN_ANEW = "Begin anew"
_TIME = "%Y%m%dT%H%M%SZ"


class Trash(msgspec.Struct, frozen=True, kw_only=True):
    """What one reset put away."""

    #: The reference that names the former memory.
    reference: str
    #: When it was put away, UTC.
    at: datetime
    #: How many commits it has.
    commits: int


def list_trash(repository: Repository) -> list[Trash]:
    """What resets put away, oldest first."""
    with git_failures(repository.folder):
        git = open_git(repository.folder)
        names = [name for name in sorted(git.references) if name.startswith(TRASH) and name.endswith("/main")]
        return [_described(git, name) for name in names]


def put_in_trash(repository: Repository, kept: Mapping[str, bytes]) -> Trash:
    """Begin anew with the first files and those in `kept`; everything else goes to the trash.

    Call it inside `repository.writing`. A file that a person edited and did not commit stays where it is.

    Raises
    ------
    RefusedError: the person is on another branch, or in the middle of a merge.
    HeadMoved: a person committed meanwhile. Nothing has changed; call it again.
    """
    with git_failures(repository.folder):
        git = open_git(repository.folder)
        refuse_unusual_state(git)
        own = {name: commit for name, commit in own_references(git).items() if not name.startswith(TRASH)}
        place = _begun_place(git, own) or _free_place(git, repository.now())
        new = _beginning(repository, git, kept)
        # First the way back, then the step: killed between the two, nothing is lost and nothing has changed.
        for name, commit in own.items():
            set_private(repository.folder, f"{place}{_short(name)}", commit)
        others: dict[str, str | None] = {name: None for name in own if name != MAIN}
        move_together(repository.folder, git, Moves(old=own[MAIN], new=new, others=others))
        return _described(git, f"{place}main")


def has_begun_anew(repository: Repository, former: str) -> bool:
    """Whether memory has begun anew since this revision was the newest."""
    head = repository.head()
    with git_failures(repository.folder):
        git = open_git(repository.folder)
        # One that is not there any more went with an emptied trash.
        return head != former and (former not in git or not git.descendant_of(head, former))


def is_of_a_reset(repository: Repository) -> bool:
    """Whether the present history began with a reset."""
    with git_failures(repository.folder):
        git = open_git(repository.folder)
        first = history_of(git, [repository.head()])[0]
        return subject_of(first.message) == _BEGIN_ANEW


def empty_trash(repository: Repository) -> int:
    """Drop everything that resets put away, and take it off the disk; how many objects that were.

    What a person's own branch, tag or the like still needs of it stays.

    Raises
    ------
    NotFound: there is nothing.
    GitFailed: see `purging.purge`.
    """
    root = repository.folder
    with repository.writing("emptying the trash"), git_failures(root):
        git = open_git(root)
        thrown = {name: commit for name, commit in own_references(git).items() if name.startswith(TRASH)}
        if not thrown and pending_moves(root) is None:
            raise NotFound("there is nothing in the trash", next_step="`vade reset` puts memory there.")
        before = sum(1 for _ in git.odb)
        if thrown:
            move_together(root, git, _dropping(git, root, thrown))
        purge(root, git)
        return before - sum(1 for _ in open_git(root).odb)


def _dropping(git: pygit2.Repository, root: Path, thrown: Mapping[str, str]) -> Moves:
    own = own_references(git)
    foreign = [commit for holder in foreign_holders(git, root / ".git") for commit in holder.commits]
    kept = history_of(git, [*(commit for name, commit in own.items() if name not in thrown), *foreign])
    kept_ids = {commit.id for commit in kept}
    lost = [commit for commit in history_of(git, thrown.values()) if commit.id not in kept_ids]
    contents = contents_of(git, lost) - contents_of(git, kept)
    return Moves(
        old=own[MAIN],
        new=own[MAIN],
        others=dict.fromkeys(thrown),
        rewritten={str(commit.id): None for commit in lost},
        purges=True,
        removed=(*(str(commit.id) for commit in lost), *sorted(contents)),
    )


def _beginning(repository: Repository, git: pygit2.Repository, kept: Mapping[str, bytes]) -> str:
    seeds = {path: text.encode() for path, text in seed_files().items()}
    files = seeds | {FORMAT_PATH: format_file(PRESENT)} | dict(kept)
    tree = Changeset(git, None, files).write_tree()
    provenance = Provenance(writer=Writer.USER, origin="human")
    return create_commit(git, tree, [], subject=_BEGIN_ANEW, provenance=provenance, at=repository.now())


def _free_place(git: pygit2.Repository, now: datetime) -> str:
    """A folder of references that is not there yet: two resets of one second are two."""
    stem = f"{TRASH}{now.astimezone(UTC):{_TIME}}"
    places = (f"{stem}/", *(f"{stem}-{number}/" for number in range(2, 1_000)))
    return next(place for place in places if not any(name.startswith(place) for name in git.references))


def _begun_place(git: pygit2.Repository, own: Mapping[str, str]) -> str | None:
    """The folder in which all of this lies as far as anything does: a reset that was killed at it is repeated."""
    trash = {name: str(git.references[name].target) for name in sorted(git.references) if name.startswith(TRASH)}
    mains = (name for name, commit in trash.items() if name.endswith("/main") and commit == own[MAIN])
    places = (name.removesuffix("main") for name in mains)
    wanted = {_short(name): commit for name, commit in own.items()}
    return next((place for place in places if _agrees(trash, place, wanted)), None)


def _agrees(trash: Mapping[str, str], place: str, wanted: Mapping[str, str]) -> bool:
    return all(trash.get(place + name, commit) == commit for name, commit in wanted.items())


def _short(name: str) -> str:
    return "main" if name == MAIN else name.removeprefix(PRIVATE)


def _described(git: pygit2.Repository, name: str) -> Trash:
    commit = str(git.references[name].target)
    stamp = name.removeprefix(TRASH).partition("/")[0].partition("-")[0]
    at = datetime.strptime(stamp, _TIME).replace(tzinfo=UTC)
    return Trash(reference=name, at=at, commits=len(history_of(git, [commit])))
