"""Asks every room how it is: the program, the home, the state, the repository, and what memory says.

Nothing is changed. A room that fails is a finding; the others are asked all the same.
"""

import platform
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

import msgspec

from vademecum import __version__
from vademecum.amounts import plural
from vademecum.artifacts import HANDBOOK_PATH, MAX_HANDBOOK_BYTES, MAX_SUMMARY_BYTES, SUMMARY_PATH
from vademecum.engine import FIRST_STEP, Memory
from vademecum.errors import BusyError, ConfigError, DatabaseBroken, GitFailed, VademecumError
from vademecum.learners import learner_named
from vademecum.learning import told_of_loss
from vademecum.locks import Domain, Locks
from vademecum.memfs import (
    Finding,
    Level,
    Repository,
    audit_tree,
    audit_work_tree,
    git_version,
    inspect_repository,
    truncated_objects,
)
from vademecum.recall import SearchIndex, fill_of_blocks
from vademecum.state import State, past_rescues

__all__ = ["Diagnosis", "examine", "examine_identity"]

_MEGABYTE = 1_000_000
#: A write of all artefacts and an index of many sessions need no more than this.
_SCARCE_BYTES = 200 * _MEGABYTE
_FULL_BYTES = 5 * _MEGABYTE
#: Above this share the next line that is added may push another one out of the context.
_FULL_SHARE = 0.8
_RUN_DOCTOR = "Run `vade doctor`"
_ASK_GIT = "Copy the memory folder whole, then ask git itself: run `git fsck` and `git status` in it."
_ORDER = {level: rank for rank, level in enumerate(Level)}


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found, the most serious first."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return all(finding.level is not Level.PROBLEM for finding in self.findings)


def examine_identity(
    identity: str | None, *, home: Path | None = None, environ: Mapping[str, str] | None = None
) -> Diagnosis:
    """Examine an identity, else that of the present directory; settings that cannot be read are a finding.

    Raises UsageError for a bad name, UnknownIdentity.
    """
    try:
        return examine(Memory.open(identity, home=home, environ=environ, must_exist=True))
    except ConfigError as error:
        memory = Memory.open(identity, home=home, environ=environ, must_exist=True, with_defaults=True)
        return examine(
            memory,
            _finding(Level.PROBLEM, "settings", f"{error}; the rest was examined with the defaults", error.next_step),
        )


def examine(memory: Memory, *known: Finding) -> Diagnosis:
    """Examine one identity. `known`: what was found on the way to it."""
    found = [*known, *_guarded("program", _program()), *_guarded("home", _home(memory))]
    found += _guarded("learner", _learner(memory))
    if not memory.folder.is_blank:
        found += [*_guarded("locks", _locks(memory)), *_guarded("state", _state(memory))]
        found += _guarded("search", _search(memory))
        found += _repository(memory)
    else:
        found.append(_finding(Level.NOTE, "memory", f"identity {memory.folder.name} has no memory yet", FIRST_STEP))
    found = map(_without_itself, found)
    return Diagnosis(findings=tuple(sorted(found, key=lambda finding: _ORDER[finding.level])))


def _without_itself(finding: Finding) -> Finding:
    """Who runs this command gains nothing from being told to run it, as other commands tell."""
    sent_here = finding.next is not None and finding.next.startswith(_RUN_DOCTOR)
    return msgspec.structs.replace(finding, next=_ASK_GIT) if sent_here else finding


def _repository(memory: Memory) -> list[Finding]:
    root = memory.folder.memory
    truncated = list(_guarded("repository", truncated_objects(root)))
    if truncated:
        return truncated
    return [*_guarded("repository", inspect_repository(root)), *_guarded("memory", _content(memory))]


def _guarded(area: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except VademecumError as error:
        yield _finding(Level.PROBLEM, area, str(error), error.next_step)
    except OSError as error:
        what = f"{error.filename or area} cannot be examined: {error.strerror}"
        yield _finding(Level.PROBLEM, area, what, "Check its owner and permissions.")


def _finding(level: Level, area: str, what: str, next_step: str | None = None) -> Finding:
    return Finding(level=level, area=area, what=what, next=next_step)


def _program() -> Iterator[Finding]:
    yield _finding(Level.OK, "program", f"vademecum {__version__}, Python {platform.python_version()}")
    try:
        yield _finding(Level.OK, "program", git_version())
    except GitFailed as error:
        yield _finding(
            Level.WARNING, "program", f"{error}, so objects are neither proved sound nor packed", error.next_step
        )


def _home(memory: Memory) -> Iterator[Finding]:
    for text in memory.config.warnings:
        yield _finding(Level.WARNING, "settings", text, "Correct it with `vade config set`.")
    place = next(folder for folder in (memory.home.root, *memory.home.root.parents) if folder.is_dir())
    free = shutil.disk_usage(place).free
    what = f"{free // _MEGABYTE:,} MB are free for {memory.home.root}"
    if free < _SCARCE_BYTES:
        level = Level.PROBLEM if free < _FULL_BYTES else Level.WARNING
        yield _finding(level, "home", what, "Free some space: a full disk refuses every write.")
    else:
        yield _finding(Level.OK, "home", what)
    yield from _permissions(memory)


def _learner(memory: Memory) -> Iterator[Finding]:
    """Whether the one that the settings name can begin; nobody is asked anything."""
    learner = learner_named(memory.config.learner, memory.config)
    yield _finding(Level.OK, "learner", f"{learner.name} learns")


def _permissions(memory: Memory) -> Iterator[Finding]:
    folder = memory.folder
    folders = (memory.home.root, folder.root, folder.memory, folder.memory / ".git", folder.locks.parent)
    for path, mode in (*((path, 0o700) for path in folders), *((path, 0o600) for path in _private_files(memory))):
        if path.exists() and path.stat().st_mode & 0o077:
            what = f"others may open {path} (mode {path.stat().st_mode & 0o777:o})"
            yield _finding(Level.WARNING, "home", what, f"chmod {mode:o} {path}")


def _private_files(memory: Memory) -> Iterator[Path]:
    yield memory.home.config
    for database in (memory.folder.state, memory.folder.search):
        yield from (database.with_name(database.name + suffix) for suffix in ("", "-wal", "-shm"))


def _locks(memory: Memory) -> Iterator[Finding]:
    try:
        with Locks(memory.folder.locks).hold(Domain.MEMORY_WRITE, purpose="vade doctor", wait_seconds=0):
            yield _finding(Level.OK, "locks", "writers take turns")
    except BusyError as error:
        yield _finding(Level.NOTE, "locks", f"somebody writes now: {error}")


def _state(memory: Memory) -> Iterator[Finding]:
    if not memory.folder.state.exists():
        yield _finding(Level.NOTE, "state", "there is no state.db yet; the next `vade learn` makes it")
        return
    for told in past_rescues(memory.folder.state):
        what = f"state.db was damaged on {told.at:%Y-%m-%d} and was made anew"
        yield _finding(Level.NOTE, "state", what, f"Delete {told.folder} when you do not need the old file any more.")
    with State.open(memory.folder.state, rescues=False) as state:
        state.check()
        count = sum(state.records.counts().values())
    yield _finding(Level.OK, "state", f"state.db is sound, records of {plural(count, 'session')}")


def _search(memory: Memory) -> Iterator[Finding]:
    if not memory.folder.search.exists():
        return
    try:
        SearchIndex.check(memory.folder.search)
    except DatabaseBroken as error:
        what = f"{error}; nothing is lost, it holds copies only"
        yield _finding(Level.WARNING, "search", what, "Run `vade search WORDS`: it is thrown away and filled anew.")
    else:
        yield _finding(Level.OK, "search", "search.db is sound")


def _losses(memory: Memory, repository: Repository) -> Iterator[Finding]:
    """Whether the memory lacks what was learned into another folder in its place."""
    try:
        with State.open(memory.folder.state, rescues=False) if memory.folder.state.exists() else nullcontext() as state:
            told = told_of_loss(state, repository) if state else ""
    except DatabaseBroken:
        return  # the examination of the state has told why
    if told:
        yield _finding(Level.WARNING, "memory", told, "Put the old folder back, or run `vade learn`.")


def _content(memory: Memory) -> Iterator[Finding]:
    try:
        repository = Repository.open(memory.folder.memory, locks=Locks(memory.folder.locks))
        tree = repository.tree()
    except VademecumError:
        return  # the inspection of the repository has told why
    yield from _losses(memory, repository)
    yield from audit_tree(tree, most_bytes={HANDBOOK_PATH: MAX_HANDBOOK_BYTES, SUMMARY_PATH: MAX_SUMMARY_BYTES})
    yield from audit_work_tree(repository)
    full = fill_of_blocks(tree, budget_tokens=memory.config.budget_tokens)
    if full >= _FULL_SHARE:
        level = Level.WARNING if full > 1 else Level.NOTE
        what = f"the files under system/ fill {full:.0%} of their part of the context"
        yield _finding(level, "memory", what, "Shorten them: what does not fit is left out of every prompt.")
    yield _finding(Level.OK, "memory", f"{plural(len(tree.paths()), 'file')} examined at revision {tree.revision[:12]}")
