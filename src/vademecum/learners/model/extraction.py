"""One session in, one extraction out: asked for once, and once more where the answer is of no use."""

from typing import Any

from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition

from vademecum.errors import LearnerFailed
from vademecum.learners.answers import read_extraction, repair_request
from vademecum.learners.model.asking import Asking, open_model, settings_for
from vademecum.learners.protocol import Extraction, Prompt

__all__ = ["extract"]

_TEXTS = ("raw_memory", "rollout_summary", "rollout_slug")
_OUTCOMES = ["success", "partial", "fail", "uncertain", ""]
#: Strict: every field, and no other.
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in _TEXTS},
        "outcome": {"type": "string", "enum": _OUTCOMES},
    },
    "required": [*_TEXTS, "outcome"],
    "additionalProperties": False,
}


async def extract(prompt: Prompt, asking: Asking) -> Extraction:
    """Raises LearnerFailed, with the judgement of the second answer."""
    async with open_model(asking) as model:
        talk = _Talk(model, prompt, asking)
        answer = await talk.ask(prompt.data)
        try:
            return _read(answer)
        except LearnerFailed as unusable:
            again = repair_request(unusable)
        return _read(await talk.ask(again))


class _Talk:
    """The requests of one session, each with all that was said before it."""

    def __init__(self, model: Model, prompt: Prompt, asking: Asking) -> None:
        self._model, self._instructions, self._asking = model, prompt.instructions, asking
        self._messages: list[ModelMessage] = []

    async def ask(self, text: str) -> ModelResponse:
        """The answer to this, after what was said before."""
        self._messages.append(ModelRequest(parts=[UserPromptPart(content=text)], instructions=self._instructions))
        response = await model_request(
            self._model,
            self._messages,
            model_settings=settings_for(self._asking),
            model_request_parameters=_parameters(self._model),
            instrument=False,
        )
        self._messages.append(response)
        return response


def _parameters(model: Model) -> ModelRequestParameters:
    """Strict, where the model can be held to a schema; else the prompt alone asks for JSON."""
    if not model.profile.get("supports_json_schema_output"):
        return ModelRequestParameters()
    output = OutputObjectDefinition(json_schema=_SCHEMA, name="extraction", strict=True)
    return ModelRequestParameters(output_mode="native", output_object=output)


def _read(response: ModelResponse) -> Extraction:
    if response.finish_reason == "length":
        raise LearnerFailed("the answer is longer than it may be, and was cut off")
    if response.finish_reason == "content_filter":
        raise LearnerFailed("the model refused to answer")
    return read_extraction(response.text or "")
