"""What happened to memory, for a person: the list of commits, what differs, and taking commits back."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from vademecum.artifacts import (
    GENERATED,
    NOTES_FOLDER,
    RENDERED,
    is_yours,
    keyed_bullets,
    strip_marks,
    take_back,
)
from vademecum.errors import DirtyPath
from vademecum.memfs import (
    BlamedLine,
    Commit,
    FileDiff,
    Repository,
    UndoPlan,
    Writer,
    blame,
    diff_edits,
    diff_trees,
    find_meant,
    find_undoable,
    masked_name,
    paths_ever,
    plan_undo,
    require_file,
    require_files,
    require_meant,
    said_before,
    shown_commit,
    undo,
)

__all__ = ["Difference", "Undone", "blame_file", "diff", "log", "rehearse_undo", "take_back_commits"]

#: So many commits behind an undone one are looked at for the person's own.
_LOOKED_BACK = 400
_PAGE = 20


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What lies between two states."""

    #: The older revision.
    old: str
    #: The newer revision; None: the files as they lie in the memory folder.
    new: str | None
    files: tuple[FileDiff, ...]
    #: Hand edits that cannot become memory as they are: path -> why.
    unfit: dict[str, str] = {}


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an undo."""

    #: None: it was only rehearsed.
    commit: str | None
    subject: str
    paths: tuple[str, ...]
    #: The commits that are taken back, newest first.
    undoes: tuple[Commit, ...]
    #: What changed by it.
    files: tuple[FileDiff, ...]
    #: Whether learned statements are gone by it, which then stay away; of a redo nothing is promised.
    takes_statements: bool
    #: The person's own later commits of the same files, newest first: what they changed stays.
    keeps: tuple[Commit, ...] = ()
    #: Files with a hand edit that nobody committed, which the undo does not touch.
    hand_edits: tuple[str, ...] = ()


def log(repository: Repository, path: str | None, *, limit: int, offset: int) -> list[Commit]:
    """Commits, newest first; of a file or folder those that changed it. Raises NotFound where none ever did."""
    if path is None:
        return [shown_commit(commit) for commit in repository.log(limit=limit, offset=offset)]
    root = repository.folder
    meant = find_meant(path, repository.tree().paths(), root=root)
    if meant is None:  # what is gone since has a history as well
        meant = require_meant(path, paths_ever(repository), root=root, missing="no commit ever changed {!r}")
    return [shown_commit(commit) for commit in repository.log(meant.path or None, limit=limit, offset=offset)]


def blame_file(repository: Repository, path: str, *, committed_only: bool = False) -> list[BlamedLine]:
    """Who wrote each line of a file; the runs that moved a person's lines are looked through. Raises NotFound."""
    known = repository.tree().paths()
    if find_meant(path, known, root=repository.folder) is None:  # a person may have made it a moment ago
        known += repository.hand_edits().edits
    place = require_file(path, known, root=repository.folder)
    lines = blame(repository, place, committed_only=committed_only)
    if place not in GENERATED:
        return lines
    return [
        msgspec.structs.replace(said_before(repository, place, line, strip_marks), is_yours=True) if yours else line
        for line, yours in zip(lines, is_yours([line.text for line in lines]), strict=True)
    ]


def diff(repository: Repository, revs: Sequence[str], paths: Collection[str]) -> Difference:
    """Hand edits against the newest commit (no revision), the newest commit against one, or two revisions.

    Parameters
    ----------
    paths: only these files, or what lies below these folders.

    Raises
    ------
    NotFound: a revision does not exist, or a path stands on neither side.
    """
    old = repository.tree(revs[0] if revs else None)
    if revs:
        new = repository.tree(revs[1] if len(revs) > 1 else None)
        chosen = _chosen(repository, paths, {*old.paths(), *new.paths()})
        files = tuple(diff for diff in diff_trees(old, new) if diff.path in chosen)
        return Difference(old=old.revision, new=new.revision, files=files)
    found = repository.hand_edits()
    chosen = _chosen(repository, paths, {*old.paths(), *found.edits, *found.refused})
    return Difference(
        old=old.revision,
        new=None,
        files=tuple(diff for diff in diff_edits(old, found.edits) if diff.path in chosen),
        unfit={path: why for path, why in found.refused.items() if path in chosen},
    )


def rehearse_undo(repository: Repository, target: str | None, paths: Collection[str]) -> Undone:
    """What `take_back_commits` would do; raises what that raises."""
    plan = plan_undo(repository, find_undoable(repository, target), paths=paths, merge=_merge_artefact)
    found = repository.hand_edits()
    dirty = found.edits.keys() | (found.refused.keys() - set(plan.base.links()))
    for path in plan.edits:
        if path in dirty:
            raise _beside(path)
    return _answer(repository, plan, None)


def take_back_commits(repository: Repository, target: str | None, paths: Collection[str]) -> Undone:
    """Undo a commit or a run, as the person's own act. See `memfs.undo` for what it raises."""
    try:
        plan, commit = undo(repository, target, paths=paths, merge=_merge_artefact)
    except DirtyPath as error:
        raise (_beside(error.paths[0]) if error.paths else error) from error
    return _answer(repository, plan, commit)


def _beside(path: str) -> DirtyPath:
    shown = masked_name(path)
    return DirtyPath(
        f"{shown} has a hand edit that is not committed, and the undo would change the same file",
        next_step=(
            "`vade diff` shows your edit. Run `vade adopt` and the undo again: your edit stays then, except where both "
            "change the same lines, which the undo tells. Or take your edit back first."
        ),
        paths=(path,),
    )


def _answer(repository: Repository, plan: UndoPlan, commit: Commit | None) -> Undone:
    found = repository.hand_edits()
    return Undone(
        commit=commit.id if commit else None,
        subject=commit.subject if commit else plan.subject,
        paths=tuple(map(masked_name, plan.edits)),
        undoes=tuple(map(shown_commit, plan.commits)),
        files=tuple(diff_edits(plan.base, plan.edits)),
        takes_statements=not plan.is_redo and _takes_statements(plan),
        keeps=tuple(map(shown_commit, _own_since(repository, plan))),
        hand_edits=tuple(sorted(map(masked_name, {*found.edits, *found.refused}))),
    )


def _own_since(repository: Repository, plan: UndoPlan) -> list[Commit]:
    """The person's commits behind the oldest one that is taken back, of files that stay."""
    undone = {commit.id for commit in plan.commits}
    oldest, stays = plan.commits[-1], {path for path, data in plan.edits.items() if data is not None}
    own: list[Commit] = []
    for commit in _newest(repository):
        if commit.id == oldest.id:
            break
        is_own = commit.provenance.writer is Writer.USER and commit.id not in undone
        if is_own and not stays.isdisjoint(commit.paths):
            own.append(commit)
    return own


def _newest(repository: Repository) -> Iterator[Commit]:
    """Newest first, by pages: most undos are of a commit that is not far behind."""
    for offset in range(0, _LOOKED_BACK, _PAGE):
        yield from repository.log(limit=_PAGE, offset=offset)


def _takes_statements(plan: UndoPlan) -> bool:
    """What a note says is no loss: it stands in the note's own file."""
    rendered = {path: data for path, data in plan.edits.items() if path in RENDERED}
    return any(_learned(plan.base.content(path)) - _learned(data) for path, data in rendered.items())


def _learned(data: bytes | None) -> set[str]:
    bullets = keyed_bullets((data or b"").decode(errors="replace"))
    return {key for key, bullet in bullets.items() if not all(map(_is_note, bullet.sources))}


def _is_note(source: str) -> bool:
    return source.startswith(NOTES_FOLDER)


def _merge_artefact(path: str, taken: bytes, present: bytes, former: bytes) -> bytes | None:
    """Lines of generated files move with every run; statement by statement they can still be taken back."""
    if path not in RENDERED:
        return None
    try:
        merged = take_back(taken.decode(), present.decode(), former.decode())
    except UnicodeDecodeError:
        return None
    return None if merged is None else merged.encode()


def _chosen(repository: Repository, paths: Collection[str], sides: set[str]) -> frozenset[str]:
    """Those of the paths of both sides that are wanted, as they may be told; all where none is named."""
    missing = "there is no {} on either side"
    wanted = require_files(paths, sorted(sides), root=repository.folder, missing=missing) if paths else sides
    return frozenset(map(masked_name, wanted))
