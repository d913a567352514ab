"""Move several references together: all of them stand at the old commits, or all at the new ones.

Main decides. What is about to happen is noted in `.git/vademecum-moves.json` first; then main moves as for any commit,
and the others follow. A process killed before main moved has changed nothing; one killed later is completed by the next
writer, because the note says what is left to do. Where old commits are to vanish from the disk, the note stays until
they have, whatever moves meanwhile: it is how the next scrub, and `vade doctor`, know of one that was not finished.
"""

from pathlib import Path

import msgspec
import pygit2

from vademecum.memfs.git.reflogs import rewrite_reflogs
from vademecum.memfs.git.refs import commit_or_none, drop_private, head, set_private
from vademecum.memfs.writing.publication import publishing
from vademecum.memfs.writing.refreshing import file_changes
from vademecum.private import fsync_path, replace_private_file

__all__ = ["Moves", "complete_moves", "forget_moves", "move_together", "pending_moves"]

_NOTE = "vademecum-moves.json"


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """Which references move, and from where to where."""

    #: Of main.
    old: str
    new: str
    #: Each other one of ours, with its new commit; None: it goes.
    others: dict[str, str | None]
    #: Old commit -> the one that took its place, for the reflogs of main; None: it is to vanish.
    rewritten: dict[str, str | None] = {}
    #: What nothing refers to afterwards is to vanish from the disk.
    purges: bool = False
    #: Objects that certainly must.
    removed: tuple[str, ...] = ()
    #: All references stand where they belong, and only the disk is left to do.
    moved: bool = False
    #: What was still to vanish from the disk when this began; it stays to be done where main does not move.
    before: "Moves | None" = None


def move_together(root: Path, git: pygit2.Repository, moves: Moves) -> None:
    """Move main and the others. Needs the `memory-write` lock.

    Raises
    ------
    HeadMoved: a person committed meanwhile; nothing has moved.
    BusyError: a git command of the person's holds one of git's locks; nothing has moved.
    StorageError: the disk failed. The next writer completes what was begun.
    """
    _write_note(root, _with_debts(moves, pending_moves(root)))
    try:
        if moves.new != moves.old:
            with publishing(root, git, moves.old) as publication:
                publication.move_main(moves.old, moves.new, file_changes(git, moves.old, moves.new))
    finally:
        if not _is_at_or_behind(git, moves.new):
            _drop(root)
    complete_moves(root, git)


def complete_moves(root: Path, git: pygit2.Repository) -> None:
    """Finish what a killed process began, or clear its note where main had not moved. Needs the lock."""
    moves = pending_moves(root)
    if moves is None or moves.moved:
        return
    if not _is_at_or_behind(git, moves.new):
        _drop(root)
        return
    for name, commit in moves.others.items():
        if commit is None:
            drop_private(root, name)
        else:
            set_private(root, name, commit)
    if moves.rewritten:
        rewrite_reflogs(git, moves.rewritten)
    if moves.purges:
        # Once is enough: baseline and proposals move on before the disk is done.
        _write_note(root, msgspec.structs.replace(moves, others={}, rewritten={}, moved=True, before=None))
    else:
        forget_moves(root)


def pending_moves(root: Path) -> Moves | None:
    """What is begun and not finished; None: nothing."""
    try:
        return msgspec.json.decode((root / ".git" / _NOTE).read_bytes(), type=Moves)
    except (FileNotFoundError, msgspec.DecodeError):
        return None  # an empty note is one whose rename a power cut undid: nothing had begun


def forget_moves(root: Path) -> None:
    """Everything is done, or nothing was."""
    note = root / ".git" / _NOTE
    note.unlink(missing_ok=True)
    fsync_path(note.parent)


def _with_debts(moves: Moves, before: Moves | None) -> Moves:
    if before is None or not before.purges:
        return moves
    removed = tuple(dict.fromkeys((*before.removed, *moves.removed)))
    return msgspec.structs.replace(moves, purges=True, removed=removed, before=before)


def _drop(root: Path) -> None:
    """Main did not move: what was to be done before is still to be done."""
    moves = pending_moves(root)
    if moves and moves.before:
        _write_note(root, moves.before)
    else:
        forget_moves(root)


def _write_note(root: Path, moves: Moves) -> None:
    replace_private_file(root / ".git" / _NOTE, msgspec.json.encode(moves), durable=True)


def _is_at_or_behind(git: pygit2.Repository, new: str) -> bool:
    """Whether main is at the new commit, or at one that a person made on it since."""
    tip = head(git)
    if tip is None or commit_or_none(git, new) is None:
        return False
    return tip == new or git.descendant_of(pygit2.Oid(hex=tip), pygit2.Oid(hex=new))
