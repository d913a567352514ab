"""The learner `model`: one request per session, and a loop of edits in the draft per consolidation."""

import asyncio
import os
import warnings
from collections.abc import Coroutine
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from vademecum.config import Config
from vademecum.errors import ConfigError, LearnerFailed, UsageError
from vademecum.learners.model.choice import ModelChoice, choose
from vademecum.learners.model.limits import Limits, Phase, effort_for
from vademecum.learners.protocol import (
    Consolidated,
    ConsolidationTask,
    Extraction,
    ExtractionTask,
    Meter,
    Prompt,
    short_setup,
)
from vademecum.memfs import Draft

if TYPE_CHECKING:  # brings the libraries in
    from vademecum.learners.model.asking import Asking

__all__ = ["ModelLearner"]

#: The rest is for what a model reads by its tools afterwards, and for what an estimate of tokens misses.
_PROMPT_SHARE = 0.6

_Answer = TypeVar("_Answer")


class ModelLearner:
    """Asks the models that the settings name. Imports their libraries when it asks for the first time."""

    name = "model"
    version = 1
    files_tokens = 0

    def __init__(self, config: Config) -> None:
        """Raises ConfigError where no model is set, UsageError where the extra is not installed, LoginRefused."""
        if not config.extract_model:
            raise ConfigError(
                "the learner `model` is asked for, but no model is set",
                next_step="Run `vade config set model.extract_model PROVIDER:NAME`, such as openai:NAME-OF-A-MODEL; "
                "docs/settings.md lists the providers.",
            )
        if find_spec("pydantic_ai") is None:
            raise UsageError(
                "the learner `model` needs libraries that are not installed",
                next_step="Install the extra `llm` beside it (`pip install 'vademecum[llm]'`; in a checkout "
                "`uv tool install '.[llm]'`), or learn with `--learner extractive`.",
            )
        self._choices = {
            Phase.EXTRACTION: _choice(config.extract_model, config),
            Phase.CONSOLIDATION: _choice(config.consolidation_model or config.extract_model, config),
        }
        for choice in self._choices.values():
            choice.key(os.environ)  # one error now, in place of one for every session
        self._effort = config.reasoning_effort
        self._limits = Limits(
            input_tokens=config.input_tokens,
            max_output_tokens=config.max_output_tokens,
            timeout_seconds=config.timeout_seconds,
            max_steps=config.max_steps,
        )

    @property
    def input_tokens(self) -> int:
        """The part of what the model can read that a prompt may take."""
        return int(self._limits.input_tokens * _PROMPT_SHARE)

    @property
    def models(self) -> tuple[str, ...]:
        """The one that reads sessions, and the one that writes memory."""
        return tuple(choice.spelled for choice in self._choices.values())

    @property
    def setup(self) -> str:
        """Which models, where, by which key variable and within which limits; the key itself is no part of it."""
        return short_setup(list(self._choices.values()), self._effort, self._limits)

    def extract(self, task: ExtractionTask) -> Extraction:
        """Ask for what the session teaches, and once more where the answer is of no use. Raises LearnerFailed."""
        from vademecum.learners.model.extraction import extract

        return _run(extract(_required(task.prompt), self._asking(Phase.EXTRACTION, task.meter)))

    def consolidate(self, task: ConsolidationTask, draft: Draft) -> Consolidated:
        """Let the model edit the draft until it says that it is done. Raises LearnerFailed."""
        from vademecum.learners.model.consolidation import consolidate

        rollouts = [session.path for session in task.sessions]
        asking = self._asking(Phase.CONSOLIDATION, task.meter)
        return _run(consolidate(_required(task.prompt), draft, rollouts, asking))

    def _asking(self, phase: Phase, meter: Meter) -> "Asking":
        from vademecum.learners.model.asking import Asking

        choice = self._choices[phase]
        return Asking(
            choice=choice,
            key=choice.key(os.environ),
            effort=effort_for(phase, self._effort),
            limits=self._limits,
            meter=meter,
        )


def _choice(text: str, config: Config) -> ModelChoice:
    return choose(text, base_url=config.base_url, key_variable=config.api_key_env)


def _required(prompt: Prompt | None) -> Prompt:
    if prompt is None:
        raise LearnerFailed("a model was to learn and got no prompt")
    return prompt


def _run(work: Coroutine[Any, Any, _Answer]) -> _Answer:
    """Run it to its end. What the libraries would tell a developer is none of the user's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return asyncio.run(work)
