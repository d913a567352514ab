"""Records and notes in, edits of the draft out: the model calls tools until it says what it did."""

from collections.abc import Callable, Collection

from pydantic_ai import Agent, ModelRetry, TextOutput
from pydantic_ai.exceptions import AgentRunError, RunTimedOut, UsageLimitExceeded
from pydantic_ai.usage import UsageLimits

from vademecum.artifacts import HANDBOOK_PATH, SUMMARY_PATH, check_handbook, check_summary
from vademecum.errors import LearnerFailed, LearnerUnavailable
from vademecum.learners.answers import read_verdict, repair_request
from vademecum.learners.model.asking import Asking, open_model, settings_for
from vademecum.learners.model.draft_tools import tools_for
from vademecum.learners.protocol import Consolidated, Prompt, false_verdict
from vademecum.memfs import Draft, Files

__all__ = ["consolidate"]

#: Artefact -> what breaks its grammar, given the paths that there are.
_GRAMMARS: dict[str, Callable[[str, frozenset[str]], list[str]]] = {
    HANDBOOK_PATH: lambda text, paths: check_handbook(text, known_paths=paths),
    SUMMARY_PATH: lambda text, _paths: check_summary(text),
}
#: How often a model may be told that it is not done, and that a call was malformed.
_SECOND_TRIES = 2
_SHOWN_PROBLEMS = 10


async def consolidate(prompt: Prompt, draft: Draft, rollouts: Collection[str], asking: Asking) -> Consolidated:
    """Let the model work on the draft until it gives its verdict.

    `rollouts`: paths of the rollout summaries that land with it. Raises LearnerFailed: also where the model ends
    without a verdict, or with one that its draft belies.
    """
    end = _End(draft, rollouts)
    agent = Agent(
        output_type=TextOutput(end.judge),
        instructions=prompt.instructions,
        tools=tools_for(draft),
        retries=_SECOND_TRIES,
    )
    async with open_model(asking) as model:
        try:
            result = await agent.run(
                prompt.data,
                model=model,
                # Every step sends all that was said before it: where a provider keeps that, it costs a tenth.
                model_settings={**settings_for(asking), "cache": True},
                usage_limits=UsageLimits(
                    request_limit=asking.limits.max_steps, per_request_input_tokens_limit=asking.limits.input_tokens
                ),
                timeout=asking.limits.run_seconds,
            )
        except AgentRunError as error:
            raise _unfinished(error, asking, end.last_problem) from error
    return result.output


def _unfinished(error: AgentRunError, asking: Asking, last_problem: str) -> LearnerFailed:
    name, limits = asking.choice.spelled, asking.limits
    if isinstance(error, RunTimedOut):
        return LearnerUnavailable(f"{name} was not done in time")
    if isinstance(error, UsageLimitExceeded):
        return LearnerFailed(
            f"{name} was not done within {limits.max_steps} requests of {limits.input_tokens} tokens",
            next_step="Raise `model.max_steps` or `model.input_tokens` with `vade config set`, or choose another "
            "model; then run `vade learn` again.",
        )
    problem = last_problem or "it called tools that there are not, or with wrong arguments, or said nothing"
    return LearnerFailed(f"{name} came to no end: {problem}")


class _End:
    """What a model says when it is done, held against what it did to the draft."""

    def __init__(self, draft: Draft, rollouts: Collection[str]) -> None:
        self._draft, self._rollouts = draft, rollouts
        #: What was put before the model is no work of its own.
        self._given = draft.freeze()
        self.last_problem = ""

    async def judge(self, text: str) -> Consolidated:
        """The verdict. Raises ModelRetry, which the model is told, for one that cannot be used."""
        try:
            return self._judged(read_verdict(text))
        except LearnerFailed as error:
            self.last_problem = str(error)
            raise ModelRetry(repair_request(error)) from error

    def _judged(self, answer: Consolidated) -> Consolidated:
        written = self._draft.freeze()
        if problem := false_verdict(answer.verdict, has_changed=written.differs_from(self._given)):
            raise LearnerFailed(problem)
        if problems := self._new_problems(written):
            raise LearnerFailed(f"the files break their grammar: {'; '.join(problems[:_SHOWN_PROBLEMS])}")
        return answer

    def _new_problems(self, written: Files) -> list[str]:
        """A part of what is asked before they land, told while the model can still mend it.

        What stood there before may be a person's, who may write as they like.
        """
        paths = frozenset(self._rollouts) | set(written.paths())
        problems: list[str] = []
        for path, check in _GRAMMARS.items():
            former = check(self._given.read(path), paths) if self._given.has(path) else []
            if written.has(path):
                problems += [problem for problem in check(written.read(path), paths) if problem not in former]
        return problems
