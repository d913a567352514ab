"""What a learner is: it reads one session into a record, and writes records into memory files inside a draft."""

from enum import StrEnum
from typing import Protocol

import msgspec

from vademecum.artifacts import Bullet, Note, RolloutSummary
from vademecum.memfs import Draft
from vademecum.sessions import Session

__all__ = ["ConsolidationTask", "Extraction", "LearnedSession", "Learner", "Verdict"]


class Extraction(msgspec.Struct, frozen=True, kw_only=True):
    """What one session taught. All empty: nothing worth keeping, which is a good answer."""

    raw_memory: str = ""
    rollout_summary: str = ""
    rollout_slug: str = ""
    #: success, partial, fail or uncertain.
    outcome: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not (self.raw_memory.strip() or self.rollout_summary.strip())


class LearnedSession(msgspec.Struct, frozen=True, kw_only=True):
    """One selected record, as consolidation sees it."""

    #: Memory path of its rollout summary.
    path: str
    summary: RolloutSummary


class ConsolidationTask(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a consolidation rests on."""

    #: Oldest first.
    sessions: tuple[LearnedSession, ...]
    #: Oldest first.
    notes: tuple[Note, ...]
    #: Heading project ("" for everywhere) -> bullets of the present handbook, so that keys stay what they are.
    known_bullets: dict[str, tuple[Bullet, ...]]
    #: Keys of bullets that a person removed.
    buried: frozenset[str]


class Verdict(StrEnum):
    """What a consolidation says about itself; a learner that changes nothing must say so."""

    WROTE = "wrote"  #: the draft holds the new artefacts
    NOTHING_TO_SAY = "nothing_to_say"  #: the input was read and changes nothing


class Learner(Protocol):
    """Whatever writes memory."""

    @property
    def name(self) -> str:
        """As `vade learn --learner` and the ledger spell it."""
        ...

    def extract(self, session: Session) -> Extraction:
        """Read one session. Raises LearnerFailed."""
        ...

    def consolidate(self, task: ConsolidationTask, draft: Draft) -> Verdict:
        """Write the artefacts into the draft. Raises LearnerFailed."""
        ...
