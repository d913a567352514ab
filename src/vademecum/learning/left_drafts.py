"""Drafts of processes that died: finished work is taken in under its own run, the rest is thrown away; both are told.

Needs the `consolidation` lock: whoever holds it is the only one who drafts, so no living run owns what lies there.
"""

from collections.abc import Iterator
from functools import partial

import msgspec

from vademecum.artifacts import ARCHIVE_PATH, decisions, removals_in
from vademecum.errors import LandingRefused, NotFound, RefusedError, StorageError, UsageError
from vademecum.learning.finished_work import SUFFIX, FinishedWork
from vademecum.learning.rollouts import rollout_path, rollout_text
from vademecum.learning.said_again import SaidAgain
from vademecum.learning.settling import provenance_of, settle
from vademecum.learning.sources import text_of
from vademecum.learning.stage import Stage
from vademecum.learning.tasks import Standing, artefact_violations, task_for
from vademecum.memfs import Landing, Violation, check, delete_draft, runs_drafting
from vademecum.state import RecordState, RunKind, State

__all__ = ["DISCARDED", "Recovered", "recover_drafts"]

#: How the ledger says that the work of a killed run was thrown away.
DISCARDED = "discarded"

#: Violations that are spelled out.
_SHOWN = 8
_UNFINISHED = "its process ended before the learner had finished; the input waits"


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the draft of a dead process."""

    #: The run whose draft it was.
    run: str
    #: How it came into memory; None: it was thrown away.
    landing: Landing | None
    #: Why it was thrown away, else empty.
    reason: str = ""
    came_back: tuple[str, ...] = ()
    #: Why its folder is still there, else empty.
    remains: str = ""


def recover_drafts(stage: Stage) -> Iterator[Recovered]:
    """Bring what dead processes left to its end, one after the other, each with a row in the ledger.

    Raises BusyError where others keep writing to the memory: what was not brought to its end waits.
    """
    for run in runs_drafting(stage.drafts):
        work = FinishedWork.read(stage.drafts / f"{run}{SUFFIX}")
        recovered = _recover(stage, run, work)
        _tell(stage.state, recovered, work.learner if work else "")
        try:
            delete_draft(stage.drafts, run)
        except StorageError as error:
            recovered = msgspec.structs.replace(recovered, remains=str(error))
        yield recovered


def _recover(stage: Stage, run: str, work: FinishedWork | None) -> Recovered:
    if work is None:
        return Recovered(run=_shown(run), landing=None, reason=_UNFINISHED)
    try:
        came_back = _refuse_unfit(stage, work)
        return Recovered(run=run, landing=settle(stage, work), came_back=came_back)
    except (RefusedError, NotFound, UsageError) as error:
        return Recovered(run=run, landing=None, reason=f"{error}; the input waits")


def _refuse_unfit(stage: Stage, work: FinishedWork) -> tuple[str, ...]:
    """Ask of the work all that was asked of it when it was finished: whoever can write there may have put it there.

    Returns what a person had removed and has said again since, as far as that is so.
    Raises RefusedError, and NotFound where its base is gone.
    """
    written = work.frozen(stage.repository)
    again = SaidAgain(stage.state, written)
    if stage.repository.find_run(provenance_of(work), after=work.base):
        return again.confirmed(work.came_back)  # it is in memory: only the books are to be completed
    foreign = list(_foreign(stage, work))
    if foreign:
        paths = tuple(violation.path for violation in foreign if violation.path)
        raise LandingRefused("; ".join(map(str, foreign[:_SHOWN])), paths=paths)
    task = task_for(stage.state, written.base, stage.state.records.all(RecordState.ACTIVE))
    # Without edits the learner had nothing to say, and the artefacts are those that stand there.
    if work.edits:
        standing = Standing.of(stage.state)
        is_of_model = work.is_of_model and work.wrote
        asked = partial(
            artefact_violations, rollouts=work.extra_edits, task=task, standing=standing, is_of_model=is_of_model
        )
        check(written, extra_checks=(asked, lambda _written: again.violations()))
    else:
        check(written)
    return again.confirmed(work.came_back)


def _foreign(stage: Stage, work: FinishedWork) -> Iterator[Violation]:
    """Beside the draft land the archive and rollout summaries, as state and memory know them, and nothing else."""
    records = {rollout_path(record.stem): record for record in stage.state.records.all()}
    for path, text in work.extra_edits.items():
        if path == ARCHIVE_PATH:
            if text is None or not _is_known(stage, text):
                yield Violation(path=path, reason="does not list what a person removed")
        elif path not in records:
            yield Violation(path=path, reason="is no file that a run writes beside its draft")
        elif text != rollout_text(records[path]):
            yield Violation(path=path, reason="is not what is known of that session now")


def _is_known(stage: Stage, archive: str) -> bool:
    """Whether it lists nothing but what the state knows as removed, and decisions that stand in the memory now."""
    removed = {stone.key for stone in stage.state.tombstones.all()}
    standing = decisions(text_of(stage.repository.tree(), ARCHIVE_PATH))
    decided = decisions(archive)
    return all(item in standing for item in decided) and {item.key for item in removals_in(archive)} <= removed


def _shown(run: str) -> str:
    """The name as it can be stored and printed: anything may lie in the folder."""
    return run if run.isprintable() else ascii(run)


def _tell(state: State, recovered: Recovered, learner: str) -> None:
    row = state.runs.start(RunKind.CONSOLIDATION, learner)
    outcome = str(recovered.landing.status) if recovered.landing else DISCARDED
    state.runs.finish(row, outcome, error=recovered.reason or None, detail={"draft of run": recovered.run})
