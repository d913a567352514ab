"""What a learner is: it reads one session into a record, and writes records into memory files inside a draft."""

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import msgspec

from vademecum.artifacts import Bullet, Note, RolloutSummary
from vademecum.memfs import Draft
from vademecum.sessions import Session

__all__ = [
    "Consolidated",
    "ConsolidationTask",
    "Extraction",
    "ExtractionTask",
    "LearnedSession",
    "Learner",
    "Meter",
    "Prompt",
    "Removed",
    "Request",
    "Unmetered",
    "Verdict",
    "asks_model",
    "false_verdict",
    "setup_of",
    "short_setup",
    "stamp",
]


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a learner with a model reads: what to do, and the text to do it with. One without a model needs none."""

    #: What to do and how to answer, in plain language.
    instructions: str
    #: Masked; data, never instructions.
    data: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a model, as the ledger keeps it; also one that failed, where it was paid for."""

    #: `provider:name`, as the settings spell it; the name of the host where an agent chose for itself.
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    #: US dollars; None where no price is known.
    cost_usd: float | None = None


class Meter(Protocol):
    """What watches over the spending of a run. A learner asks before every request, and tells of it afterwards."""

    def allow(self, model: str) -> None:
        """Raises BudgetReached where a limit is reached, QuotaReached where the model's account is used up."""
        ...

    def note(self, request: Request) -> None:
        """Keep what a request took, at once: a run that is killed has spent it all the same."""
        ...


class Unmetered:
    """The meter of who spends nothing."""

    def allow(self, model: str) -> None:
        """Yes."""

    def note(self, request: Request) -> None:
        """Nothing is kept."""


class ExtractionTask(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an extraction rests on."""

    #: Clean: masked, without private parts.
    session: Session
    #: The project that the session belongs to; empty where it knew no directory.
    project: str
    #: For a learner that asked for one.
    prompt: Prompt | None = None
    #: How much a prompt may hold this time: less than the learner asked for, where that was too much; 0: no prompt.
    room_tokens: int = 0
    meter: Meter = Unmetered()


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


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """A bullet that a person removed: it stays away, and so does what it rested on, or says the same in its scope."""

    key: str
    #: What it rested on.
    sources: tuple[str, ...]
    #: The project it stood in; empty: everywhere.
    scope: str
    #: Its words; empty where those were to be forgotten.
    text: str
    #: Only what a person said after this moment may bring the statement back, as a new bullet: its first source is the
    #: first one said since, so it gets a key of its own.
    until: datetime


class ConsolidationTask(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a consolidation rests on."""

    #: Oldest first.
    sessions: tuple[LearnedSession, ...]
    #: Oldest first.
    notes: tuple[Note, ...]
    #: Heading project ("" for everywhere) -> bullets of the present handbook, so that keys stay what they are.
    known_bullets: dict[str, tuple[Bullet, ...]]
    removed: tuple[Removed, ...]
    #: For a learner that asked for one.
    prompt: Prompt | None = None
    meter: Meter = Unmetered()


class Verdict(StrEnum):
    """What a consolidation says about itself; a learner that changes nothing must say so."""

    WROTE = "wrote"  #: the draft holds the new artefacts
    NOTHING_TO_SAY = "nothing_to_say"  #: the input was read and changes nothing


def false_verdict(verdict: Verdict, *, has_changed: bool) -> str:
    """Why a verdict is not what became of the draft; empty where it is. Nothing is learned by silence."""
    if verdict is Verdict.WROTE and not has_changed:
        return "the verdict is `wrote`, and no file is different: that is `nothing_to_say`"
    if verdict is Verdict.NOTHING_TO_SAY and has_changed:
        return "the verdict is `nothing_to_say`, and files are different: that is `wrote`"
    return ""


class Consolidated(msgspec.Struct, frozen=True, kw_only=True):
    """What a learner says of its consolidation."""

    verdict: Verdict
    #: Statements that a person had removed and has said again since: they stand in memory again from now on.
    came_back: tuple[str, ...] = ()


class Learner(Protocol):
    """Whatever writes memory."""

    @property
    def name(self) -> str:
        """As `vade learn --learner` spells it."""
        ...

    @property
    def version(self) -> int:
        """Counted up whenever the same session would give another extraction."""
        ...

    @property
    def input_tokens(self) -> int:
        """How large a prompt it can read, by our own estimate of tokens; 0: it works without one."""
        ...

    @property
    def files_tokens(self) -> int:
        """How much of both artefacts it can be shown beside its prompt; 0: it opens what it needs."""
        ...

    @property
    def models(self) -> tuple[str, ...]:
        """Whom it asks, as the ledger spells them: first for a session, last for the memory files; empty: nobody."""
        ...

    @property
    def setup(self) -> str:
        """The settings that it works with, in one short word: where one failed, another may do."""
        ...

    def extract(self, task: ExtractionTask) -> Extraction:
        """Read one session. Raises LearnerFailed."""
        ...

    def consolidate(self, task: ConsolidationTask, draft: Draft) -> Consolidated:
        """Write the artefacts into the draft. Raises LearnerFailed."""
        ...


def asks_model(learner: Learner) -> bool:
    """Whether it has a model read a prompt: that takes time, money or both, and its answers are not to be trusted."""
    return learner.input_tokens > 0


def stamp(learner: Learner) -> str:
    """As records and the ledger name who learned: `extractive/1`."""
    return f"{learner.name}/{learner.version}"


def setup_of(learner: Learner) -> str:
    """Who learned and by which settings: what it failed on waits for this one only."""
    return f"{stamp(learner)} {learner.setup}".rstrip()


def short_setup(*settings: object) -> str:
    """Settings as one short word that tells nothing but whether they are the same."""
    return hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:12]
