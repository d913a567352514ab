"""Rehearsal: what a pass would learn, told by the same walk, session by session; nothing is stored."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec

from vademecum.artifacts import Kind, parse_evidence
from vademecum.errors import BudgetReached, LearnerFailed, QuotaReached, VademecumError
from vademecum.home import project_root
from vademecum.learners import Extraction, ExtractionTask, Learner, asks_model
from vademecum.learning.allowance import Allowance
from vademecum.learning.eligibility import Skip, Window
from vademecum.learning.metering import what_holds_back
from vademecum.learning.walk import Learned, Problem, Walk, session_at
from vademecum.sessions import SessionRef
from vademecum.state import State

__all__ = ["Rehearsal", "Rehearsed"]


class Rehearsed(msgspec.Struct, frozen=True, kw_only=True):
    """What would become of one session."""

    #: Empty where a file was left alone that holds one session and did not have to be opened.
    id: str
    host: str
    #: Empty where the session was not read, or knew no directory.
    project: str
    #: Last moment of the session; of one that was not read, of its file.
    updated_at: datetime
    #: A word of `Learned`, or the reason why it would be left alone.
    outcome: str
    #: Rules, facts, commands and failures that would be kept; a one-off request is none. None: a learner that asks a
    #: model cannot tell without spending.
    statements: int | None = 0


#: Why no session is begun where a request would be held back so.
_HELD_BACK: dict[type[LearnerFailed], Skip] = {BudgetReached: Skip.BUDGET, QuotaReached: Skip.QUOTA}
#: Why a session is left alone that a learner might be asked about another time.
_NOT_ASKED = frozenset({Skip.CAPPED, Skip.QUOTA, Skip.BUDGET})
#: Called for every session of a rehearsal, in the order of the walk.
Listed = Callable[[Rehearsed], None]


class Rehearsal(Walk):
    """The walk that lists."""

    def __init__(
        self,
        listed: Listed,
        state: Callable[[], State | None],
        *,
        learner: Learner,
        window: Window,
        allowance: Allowance,
        database: Path,
    ) -> None:
        """`database`: where the state is or would be; what was spent beside it counts for its day."""
        super().__init__(state, learner=learner, window=window, allowance=allowance)
        self._list, self._database = listed, database
        self._statements: int | None = 0

    def leave(self, ref: SessionRef, reason: Skip) -> str:
        """List what was passed over. What waits for the learner is read for it: its file may be newer than its talk."""
        session = session_at(ref) if reason in _NOT_ASKED else None
        self._list(
            Rehearsed(
                id=session.id if session else ref.session_id,
                host=ref.host,
                project=project_root(session.cwd) if session else "",
                updated_at=session.updated_at if session else ref.modified_at,
                outcome=reason.value,
            )
        )
        return super().leave(ref, reason)

    def learn(self, task: ExtractionTask) -> Learned | Skip:
        """Count what would be kept. A model is not asked: a rehearsal spends nothing."""
        if asks_model(self.learner):
            return self._would_ask()
        self.allowance.begin()
        try:
            extraction = self.extract(task)
        except VademecumError as error:
            return self.fail(task, error)
        self._statements = _statements(extraction)
        return self.count(extraction)

    def _would_ask(self) -> Learned | Skip:
        reader, *_, writer = (*self.learner.models, *self.learner.models)
        if held_back := self._what_holds_back(reader):
            return _HELD_BACK[type(held_back)]
        if not self.report.extracted and (held_back := self._what_holds_back(writer)):
            self._tell("memory would not be written yet", held_back)
        self.allowance.begin()
        self._statements = None
        self.report.extracted += 1
        return Learned.LEARNED

    def _what_holds_back(self, model: str) -> LearnerFailed | None:
        return what_holds_back(model, self.allowance.budget, self._known(), database=self._database)

    def _tell(self, what: str, held_back: LearnerFailed) -> None:
        self.report.problems.append(Problem(what=f"{what}: {held_back}", next_step=held_back.next_step))

    def settle(self, ref: SessionRef, task: ExtractionTask, became: Learned | Skip) -> None:  # noqa: ARG002  it was read
        """List what became of it."""
        if became in _HELD_BACK.values() and (held_back := self._what_holds_back(self.learner.models[0])):
            self.allowance.close(_HELD_BACK[type(held_back)])  # for all that come behind it, so that it is told once
            self._tell("nothing would be asked", held_back)
        session = task.session
        self._list(
            Rehearsed(
                id=session.id,
                host=session.host,
                project=task.project,
                updated_at=session.updated_at,
                outcome=became.value,
                statements=self._statements if became is Learned.LEARNED else 0,
            )
        )


def _statements(extraction: Extraction) -> int:
    evidence = filter(None, map(parse_evidence, extraction.raw_memory.split("\n")))
    return sum(one.kind is not Kind.REQUEST for one in evidence)
