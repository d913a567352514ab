"""Who learns, whether that can be reached, what may still be spent, and what a session would get of it all."""

import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from vademecum.engine import Memory, spent_elsewhere
from vademecum.errors import VademecumError
from vademecum.findings import Finding, Level, fine, note, problem, warning
from vademecum.home import project_root
from vademecum.learner_names import MODEL
from vademecum.learners import learner_named
from vademecum.learning import ConsolidationStatus
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import compile_context
from vademecum.state import RunKind, Spend, State

__all__ = ["budgets", "failures", "given", "learner"]

_REACH_SECONDS = 2.0
_PORTS = {"http": 80, "https": 443}
_NEARLY = 0.8
_LEARNING = (RunKind.EXTRACTION, RunKind.CONSOLIDATION)
_IN_VAIN = frozenset({ConsolidationStatus.FAILED, ConsolidationStatus.INVALID})


def learner(memory: Memory) -> Iterator[Finding]:
    """Whether the one that the settings name can begin, and whether a server of the person's own is there."""
    chosen = learner_named(memory.config.learner, memory.config)
    yield fine("learner", f"{chosen.name} learns")
    if not memory.config.generate_memories:
        yield note(
            "learner",
            "the setting memories.generate_memories is off: nothing is learned",
            "Run `vade config unset memories.generate_memories` to learn again.",
        )
    if memory.config.learner == MODEL and memory.config.base_url:
        yield _reached(memory.config.base_url)


def _reached(address: str) -> Finding:
    """Whether anything listens there: a connection is opened and closed, and nothing is asked."""
    parts = urlsplit(address)
    try:
        port = parts.port or _PORTS[parts.scheme]
        socket.create_connection((parts.hostname or "", port), timeout=_REACH_SECONDS).close()
    except (OSError, ValueError) as error:
        what = f"nothing answers at {address}: {error}"
        return problem("learner", what, "Start that server, or correct `model.base_url`.")
    return fine("learner", f"something listens at {address}")


def failures(memory: Memory) -> Iterator[Finding]:
    """Whether the newest run that read sessions, and the newest one that wrote memory, came to nothing, and why."""
    if not memory.folder.state.exists():
        return
    try:
        with State.read(memory.folder.state, rescues=False) as state:
            last = state.passes.last()
            newest = [run for kind in _LEARNING for run in state.runs.list(limit=1, kind=kind)]
    except VademecumError:
        return  # the examination of the state has told why
    for run in newest:
        if run.error is None or run.outcome not in _IN_VAIN:
            continue
        is_last = last is not None and last.error is not None and last.error in run.error
        told = last.next_step if last and is_last else None
        what = f"the last {run.kind} came to nothing ({run.started_at:%Y-%m-%d %H:%M} UTC): {run.error}"
        yield warning("learner", what, told or f"Run `vade runs show {run.id}`: it says what was tried.")


def budgets(memory: Memory) -> Iterator[Finding]:
    """What of the day's budget is spent."""
    database, limit = memory.folder.state, memory.config.tokens_per_day
    if not database.exists() or not limit:
        return
    now = datetime.now(UTC)
    spent = (_spent_here(database, now) + spent_elsewhere(database, now)).tokens
    if not spent:
        return
    what = f"{spent:,} of {limit:,} tokens of today (UTC) are spent"
    if spent < _NEARLY * limit:
        yield fine("budgets", what)
    else:
        level = Level.WARNING if spent >= limit else Level.NOTE
        yield Finding(
            level=level, area="budgets", what=what, next="Wait for the next day, or raise `budget.tokens_per_day`."
        )


def _spent_here(database: Path, now: datetime) -> Spend:
    try:
        with State.read(database, rescues=False) as state:
            return state.requests.spent_on(now)
    except VademecumError:
        return Spend()  # the examination of the state has told why


def given(memory: Memory) -> Iterator[Finding]:
    """What a session in the present directory would get, or why nothing."""
    if not memory.config.use_memories:
        yield note(
            "context",
            "the setting memories.use_memories is off: agents get nothing",
            "Run `vade config unset memories.use_memories` to give memory to agents again.",
        )
        return
    here = os.path.normpath(Path.cwd())
    try:
        tree = Repository.open(memory.folder.memory, locks=Locks(memory.folder.locks)).tree()
    except VademecumError:
        return  # the inspection of the repository has told why
    places = tuple(dict.fromkeys((here, project_root(here))))
    block = compile_context(tree, places=places, budget_tokens=memory.config.budget_tokens, cache=None)
    yield fine("context", f"a session in {here} would get {block.tokens:,} tokens ({block.bytes:,} bytes)")
