"""Who writes: the protocol of a learner, and the built-in one."""

from vademecum.errors import UsageError
from vademecum.learners.protocol import (
    Consolidated,
    ConsolidationTask,
    Extraction,
    ExtractionTask,
    LearnedSession,
    Learner,
    Meter,
    Prompt,
    Removed,
    Request,
    Unmetered,
    Verdict,
    stamp,
)

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
    "learner_named",
    "stamp",
]


def learner_named(name: str) -> Learner:
    """The learner of this name. Raises UsageError where there is none."""
    if name == "extractive":
        from vademecum.learners.extractive import ExtractiveLearner

        return ExtractiveLearner()
    raise UsageError(f"there is no learner {name!r}", next_step="Use `extractive`, which is built in and free.")
