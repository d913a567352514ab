"""Who writes: the protocol of a learner, the built-in one, and the one that asks a model."""

from vademecum.config import Config
from vademecum.errors import UsageError
from vademecum.learner_names import BUILT_IN, HOST_LEARNERS, MODEL
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
    asks_model,
    false_verdict,
    setup_of,
    short_setup,
    stamp,
)
from vademecum.learners.tokens import tokens_of
from vademecum.learners.wording import is_of_the_words, says_the_same

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
    "is_of_the_words",
    "learner_named",
    "says_the_same",
    "setup_of",
    "short_setup",
    "stamp",
    "tokens_of",
]


def learner_named(name: str, config: Config) -> Learner:
    """The learner of this name, as the settings want it. Raises UsageError for what is missing."""
    if name == BUILT_IN:
        from vademecum.learners.extractive import ExtractiveLearner

        return ExtractiveLearner()
    if name == MODEL:
        from vademecum.learners.model import ModelLearner

        return ModelLearner(config)
    if name in HOST_LEARNERS:
        from vademecum.learners.hosts import host_learner

        return host_learner(name, program=config.program, time_limit_minutes=config.time_limit_minutes)
    raise UsageError(
        f"there is no learner {name!r}",
        next_step=f"Use `{BUILT_IN}`, which is built in and free, `{MODEL}`, which asks the one that [model] names, "
        f"or an agent of yours: {', '.join(HOST_LEARNERS)}.",
    )
