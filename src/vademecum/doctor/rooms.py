"""What the rooms say of themselves: the program, the home, the locks, the databases, the repository, the pages."""

import os
import platform
import shutil
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from pathlib import Path

from vademecum import __version__
from vademecum.amounts import plural
from vademecum.artifacts import HANDBOOK_PATH, MAX_HANDBOOK_BYTES, MAX_SUMMARY_BYTES, SUMMARY_PATH
from vademecum.doctor.learning import given
from vademecum.engine import FIRST_STEP, Memory
from vademecum.errors import BusyError, DatabaseBroken, GitFailed, VademecumError
from vademecum.findings import Finding, Level, fine, guarded, note, problem, warning
from vademecum.learning import told_of_loss, unknown_rollouts
from vademecum.locks import Domain, Locks
from vademecum.memfs import Repository, audit_tree, audit_work_tree, git_version, inspect_repository, truncated_objects
from vademecum.private import odd_folder
from vademecum.recall import SearchIndex, fill_of_blocks
from vademecum.state import State, is_empty_file, past_rescues

__all__ = ["absence", "home", "locks", "program", "repository", "search", "state"]

_MEGABYTE = 1_000_000
#: A write of all artefacts and an index of many sessions need no more than this.
_SCARCE_BYTES = 200 * _MEGABYTE
_FULL_BYTES = 5 * _MEGABYTE
#: Above this share the next line that is added may push another one out of the context.
_FULL_SHARE = 0.8
_REBUILD = "Run `vade learn`: it takes up what the memory files tell, and reads the sessions that are still there."


def program() -> Iterator[Finding]:
    """The program, its interpreter, and git."""
    yield fine("program", f"vademecum {__version__}, Python {platform.python_version()}")
    try:
        yield fine("program", git_version())
    except GitFailed as error:
        yield warning("program", f"{error}, so objects are neither proved sound nor packed", error.next_step)


def home(memory: Memory) -> Iterator[Finding]:
    """The settings that are read as something else, the disk, and who may open what."""
    for text in memory.config.warnings:
        yield warning("settings", text, "Correct it with `vade config set`.")
    place = next(folder for folder in (memory.home.root, *memory.home.root.parents) if folder.is_dir())
    free = shutil.disk_usage(place).free
    what = f"{free // _MEGABYTE:,} MB are free for {memory.home.root}"
    if free < _SCARCE_BYTES:
        level = Level.PROBLEM if free < _FULL_BYTES else Level.WARNING
        yield Finding(level=level, area="home", what=what, next="Free some space: a full disk refuses every write.")
    else:
        yield fine("home", what)
    if not os.access(place, os.W_OK):
        what = f"nothing can be written into {place}: memory can be read, and learns and keeps nothing"
        yield problem("home", what, "Make the folder and its disk writable for you.")
    yield from _folders(memory)
    yield from _permissions(memory)


def _folders(memory: Memory) -> Iterator[Finding]:
    """What stands in the place of our own folders; the first on the way says it for those below."""
    own, folder = memory.home, memory.folder
    for path in (own.runtime, own.locks, folder.root.parent, folder.root, folder.memory, folder.locks.parent):
        if kind := odd_folder(path):
            what = f"{path} is {kind}; the memory's own folders must be real ones"
            yield problem("home", what, f"Move it away (mv {path} {path}.old), and put the folder back.")
    for path in (folder.locks, folder.drafts, folder.cache, folder.pins):
        if kind := odd_folder(path):
            what = f"{path} is {kind}, where a folder must be"
            yield problem("home", what, f"Move it away (mv {path} {path}.old): the folder is made anew.")


def _permissions(memory: Memory) -> Iterator[Finding]:
    folder = memory.folder
    folders = (memory.home.root, folder.root, folder.memory, folder.memory / ".git", folder.locks.parent)
    for path, mode in (*((path, 0o700) for path in folders), *((path, 0o600) for path in _private_files(memory))):
        if path.exists() and path.stat().st_mode & 0o077:
            what = f"others may open {path} (mode {path.stat().st_mode & 0o777:o})"
            yield warning("home", what, f"chmod {mode:o} {path}")


def _private_files(memory: Memory) -> Iterator[Path]:
    yield memory.home.config
    for database in (memory.folder.state, memory.folder.search):
        yield from (database.with_name(database.name + suffix) for suffix in ("", "-wal", "-shm"))


def absence(memory: Memory) -> Iterator[Finding]:
    """Why there is no memory: nobody wrote one yet, or what was written is gone."""
    known = _learned_sessions(memory)
    if known:
        what = f"the folder {memory.folder.memory} is gone, and state.db still knows {plural(known, 'session')}"
        again = "Put it back into its place; `vade learn` would make a new one and write them into it anew."
        yield problem("memory", what, again)
    else:
        yield note("memory", f"identity {memory.folder.name} has no memory yet", FIRST_STEP)


def _learned_sessions(memory: Memory) -> int:
    if not memory.folder.state.exists():
        return 0
    with State.read(memory.folder.state, rescues=False) as state:
        return sum(head.consolidated_updated_at is not None for head in state.records.heads())


def locks(memory: Memory) -> Iterator[Finding]:
    """Whether somebody writes."""
    try:
        with Locks(memory.folder.locks).hold(Domain.MEMORY_WRITE, purpose="vade doctor", wait_seconds=0):
            yield fine("locks", "writers take turns")
    except BusyError as error:
        yield note("locks", f"somebody writes now: {error}")


def state(memory: Memory) -> Iterator[Finding]:
    """Whether the database is sound, and knows what the memory tells of."""
    path = memory.folder.state
    for told in past_rescues(path):
        what = f"state.db was damaged on {told.at:%Y-%m-%d} and was made anew"
        yield note("state", what, f"Delete {told.folder} when you do not need the old file any more.")
    if not os.path.lexists(path):
        yield note("state", "there is no state.db yet; the next `vade learn` makes it")
        yield from _untold(memory, frozenset())
        return
    if is_empty_file(path):  # opened here, it would be a sound one that knows nothing
        what = "state.db is empty (0 bytes): what it held is lost. The memory files are not touched by this"
        yield problem("state", what, _REBUILD)
        return
    with State.read(path, rescues=False) as database:
        database.check()
        count = sum(database.records.counts().values())
        waiting, stems = database.records.count_unconsolidated(), database.records.stems()
    yield fine("state", f"state.db is sound, records of {plural(count, 'session')}")
    yield from _untold(memory, stems)
    if waiting:
        what = f"{waiting} of them do not stand in the memory files yet"
        yield note("state", what, "Run `vade learn`; `vade status` says why they wait.")


def _untold(memory: Memory, stems: Collection[str]) -> Iterator[Finding]:
    """Sessions that the memory tells of and the state does not know: it was lost, or made anew."""
    try:
        unknown = unknown_rollouts(
            Repository.open(memory.folder.memory, locks=Locks(memory.folder.locks)).tree(), stems
        )
    except VademecumError:
        return  # the inspection of the repository tells why
    if unknown:
        what = (
            f"the memory tells of {plural(len(unknown), 'session')} that state.db does not know: it was lost, or is new"
        )
        yield warning("state", what, _REBUILD)


def search(memory: Memory) -> Iterator[Finding]:
    """Whether the index is sound."""
    if not os.path.lexists(memory.folder.search):
        return
    try:
        SearchIndex.check(memory.folder.search)
    except DatabaseBroken as error:
        what = f"{error}; nothing is lost, it holds copies only"
        yield warning("search", what, "Run `vade search WORDS`: it is thrown away and filled anew.")
    else:
        yield fine("search", "search.db is sound")


def repository(memory: Memory) -> list[Finding]:
    """Whether git's objects are sound; where they are, what is wrong with the pages and what a session would get."""
    root = memory.folder.memory
    truncated = list(guarded("repository", truncated_objects(root)))
    if truncated:
        return truncated  # whoever reads such an object may wait for ever
    found = [*guarded("repository", inspect_repository(root)), *guarded("memory", _content(memory))]
    return [*found, *guarded("context", given(memory))]


def _losses(memory: Memory, opened: Repository) -> Iterator[Finding]:
    """Whether the memory lacks what was learned into another folder in its place."""
    try:
        with (
            State.read(memory.folder.state, rescues=False)
            if memory.folder.state.exists()
            else nullcontext() as database
        ):
            told = told_of_loss(database, opened) if database else ""
    except VademecumError:
        return  # the examination of the state has told why
    if told:
        yield warning("memory", told, "Put the old folder back, or run `vade learn`.")


def _content(memory: Memory) -> Iterator[Finding]:
    try:
        opened = Repository.open(memory.folder.memory, locks=Locks(memory.folder.locks))
        tree = opened.tree()
    except VademecumError:
        return  # the inspection of the repository has told why
    yield from _losses(memory, opened)
    yield from audit_tree(tree, most_bytes={HANDBOOK_PATH: MAX_HANDBOOK_BYTES, SUMMARY_PATH: MAX_SUMMARY_BYTES})
    yield from audit_work_tree(opened)
    full = fill_of_blocks(tree, budget_tokens=memory.config.budget_tokens)
    if full >= _FULL_SHARE:
        level = Level.WARNING if full > 1 else Level.NOTE
        what = f"the files under system/ fill {full:.0%} of their part of the context"
        yield Finding(
            level=level, area="memory", what=what, next="Shorten them: what does not fit is left out of every prompt."
        )
    yield fine("memory", f"{plural(len(tree.paths()), 'file')} examined at revision {tree.revision[:12]}")
