"""What a person means by the words behind `vade forget`: files of memory, now or in history, or one session."""

from pathlib import Path

import msgspec

from vademecum.artifacts import (
    GENERATED,
    ROLLOUT_FOLDER,
    RolloutSummary,
    parse_rollout_summary,
)
from vademecum.errors import NotFound, RefusedError, UsageError
from vademecum.learning import rollout_path, text_of
from vademecum.memfs import (
    OWN_FOLDER,
    Former,
    Tree,
    find_meant,
    is_root,
    is_valid,
    masked_name,
    near_ones,
    refuse_folder,
    relative,
)
from vademecum.run_ids import find_id
from vademecum.state import State

__all__ = ["FORGET", "Target", "find_target"]

#: How the subject of a forgetting's commit begins.
FORGET = "Forget "
#: The id of every empty file.
_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be forgotten."""

    #: Files of the present state, sorted.
    paths: tuple[str, ...]
    #: Files that only history has, sorted; none where history is not looked at.
    former_paths: tuple[str, ...]
    #: Session ids, sorted.
    sessions: tuple[str, ...]

    @property
    def every_path(self) -> tuple[str, ...]:
        """Files of the present and of history."""
        return (*self.paths, *self.former_paths)

    @property
    def subject(self) -> str:
        """How a commit names it: by number, because a name may say as much as the file."""
        count = len(self.sessions)
        if count:
            return FORGET + ("a session" if count == 1 else f"{count} sessions")
        files = len(self.every_path)
        return FORGET + ("a file" if files == 1 else f"{files} files")


def find_target(words: str, tree: Tree, state: State, former: Former | None, *, root: Path) -> Target:
    """Find the files at or below this path, else the session with this id or the one that begins so.

    `former`: every version of every file that history has; None: history does not count. `root`: the memory folder.

    Raises
    ------
    NotFound: neither is there.
    UsageError: it could be either, or several sessions; or it is all of memory, or nothing.
    UnsafePath: it is the program's own.
    RefusedError: it is a file that is made of others, or a link that was committed.
    """
    _refuse_what_is_no_target(words, root)
    every_path = sorted({*tree.paths(), *(_own_no_more(former) if former else ())})
    meant = find_meant(words, every_path, root=root)
    paths = meant.files if meant else ()
    _refuse_links(words, paths, tree, root)
    summaries = _told_by(tree, former)
    known = {*_known_sessions(state), *summaries.values()}
    named = None if words.endswith((".md", "/")) else find_id(words, sorted(known), what="sessions")
    if paths and named:
        raise UsageError(
            f"{words!r} is a file or folder and the beginning of a session id",
            next_step=f"Write {words}/ for the folder, {words}.md for the file, or more of the id for the session.",
        )
    if not paths and not named:
        raise NotFound(
            f"memory has no file, folder or session {words!r}",
            next_step=near_ones(words, every_path) or "Run `vade ls` or `vade sessions`.",
        )
    if made := set(GENERATED).intersection(paths):
        raise RefusedError(
            f"{min(made)} is made of sessions and notes, and would be made again",
            next_step="Forget the session or the note that a line rests on, or run `vade reset`.",
        )
    sessions = [named] if named else sorted({summaries[path] for path in paths if path in summaries})
    told = {path for path, session in summaries.items() if session in sessions}
    # By its name as well: a person may have broken the header that says whose it is.
    told |= {path for path in _named_after(sessions, state) if tree.has(path) or (former and former.blobs(path))}
    every = {*paths, *told}
    every |= _same_bytes(every, former, tree)
    present = tuple(sorted(path for path in every if tree.has(path)))
    return Target(paths=present, former_paths=tuple(sorted(every.difference(present))), sessions=tuple(sessions))


def _refuse_what_is_no_target(words: str, root: Path) -> None:
    if not words.strip():
        raise UsageError(
            "nothing is named", next_step="Name a file, a folder (`vade ls`) or a session (`vade sessions`)."
        )
    if is_root(words, root):
        raise UsageError(
            f"{words.strip()!r} is all of memory, and no part of it",
            next_step="`vade reset` puts all of it in the trash, and `vade reset --purge` takes that off the disk.",
        )
    path = relative(words, root, tuple)
    if f"{path}/".startswith(OWN_FOLDER):
        refuse_folder(path.rstrip("/"), words.strip())


def _refuse_links(words: str, paths: tuple[str, ...], tree: Tree, root: Path) -> None:
    """A link that was committed is no file of memory: nothing of ours reads it, and a person takes it away."""
    links = tree.links()
    meant = find_meant(words, links, root=root)
    # Beside pages of the same folder a link just stays.
    named = [path for path in paths if path in links] or (list(meant.files) if meant and not paths else [])
    if named:
        path = min(named)
        link = masked_name(path)
        away = "Delete it in the memory folder, then run `vade adopt`"
        if not is_valid(path):
            away = f"Run `git rm -- '{link}'` in the memory folder, and commit"
        raise RefusedError(
            f"{link} is a symbolic link that was committed, and no file of memory",
            next_step=f"{away}; `vade forget {link} --scrub` takes it out of history as well then.",
            paths=(link,),
        )


def _own_no_more(former: Former) -> list[str]:
    """What history has, without the program's own files."""
    return [path for path in former.paths() if not path.startswith(OWN_FOLDER)]


def _known_sessions(state: State) -> set[str]:
    recorded = state.records.names()
    return recorded | {source.session_id for source in state.sources.all()}


def _named_after(sessions: list[str], state: State) -> list[str]:
    return [rollout_path(head.stem) for head in state.records.heads() if head.session_id in sessions]


def _told_by(tree: Tree, former: Former | None) -> dict[str, str]:
    """Rollout summary -> the session that it tells of, wherever it stands."""
    paths = {*tree.paths(), *(former.paths() if former else ())}
    summaries = {path: _summary(path, tree, former) for path in paths if path.startswith(ROLLOUT_FOLDER)}
    return {path: summary.session_id for path, summary in summaries.items() if summary}


def _summary(path: str, tree: Tree, former: Former | None) -> RolloutSummary | None:
    present = parse_rollout_summary(text_of(tree, path))
    if present or not former:
        return present
    texts = (data.decode(errors="replace") for data in former.versions(path))
    return next(filter(None, map(parse_rollout_summary, texts)), None)


def _same_bytes(paths: set[str], former: Former | None, tree: Tree) -> set[str]:
    """Former names of these files: whatever only history has and once held the very same bytes."""
    if former is None:
        return set()
    contents = {blob for path in paths for blob in former.blobs(path)} - {_EMPTY}
    return {path for path in _own_no_more(former) if not tree.has(path) and contents & former.blobs(path)}
