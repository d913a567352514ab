"""What a consolidation works on, and whether its outcome waits for a person."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from vademecum.learning.metering import Budget
from vademecum.learning.selection import SelectionRules
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.state import State

__all__ = ["Review", "Stage"]


class Review(StrEnum):
    """What becomes of work that passed every check (setting `review.learn`)."""

    AUTO = "auto"  #: it lands; only what conflicts with what a person did, or is under `system/`, waits
    PROPOSE = "propose"  #: all of it waits until a person accepts or rejects it


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What a consolidation works on."""

    repository: Repository
    state: State
    locks: Locks
    #: Where drafts may lie.
    drafts: Path
    review: Review
    #: When the pass began, UTC: what is over by then goes.
    now: datetime
    #: Which records a consolidation is given, and which are put to rest.
    rules: SelectionRules
    #: What a learner that asks a model may spend.
    budget: Budget
    #: Do not let such a learner rest (`--now`).
    is_eager: bool
