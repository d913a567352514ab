"""A model that is asked for what it can: what its server refuses of the frills of a request is left out from then on.

Which model can be held to a schema, or told how long to think, the library knows for the models of its day; servers of
one's own, gateways and new models know better. A request that was refused costs nothing, and the meter sees both.
"""

from dataclasses import replace

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from vademecum.errors import LearnerFailed
from vademecum.learners.model.error_bodies import speaks_of_effort, speaks_of_schema
from vademecum.learners.model.failures import refused_words

__all__ = ["YieldingModel"]


class YieldingModel(WrapperModel):
    """Lasts as long as one run, and so does what it learned."""

    def __init__(self, wrapped: Model) -> None:
        super().__init__(wrapped)
        self._with_effort = self._with_schema = True

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask, and again without what was refused. Raises LearnerFailed."""
        while True:
            settings, parameters = self._fitting(model_settings, model_request_parameters)
            try:
                return await super().request(messages, settings, parameters)
            except LearnerFailed as error:
                words = refused_words(error)
                if "thinking" in settings and speaks_of_effort(words):
                    self._with_effort = False
                elif parameters.output_mode == "native" and speaks_of_schema(words):
                    self._with_schema = False
                else:
                    raise

    def _fitting(
        self, model_settings: ModelSettings | None, parameters: ModelRequestParameters
    ) -> tuple[ModelSettings, ModelRequestParameters]:
        settings = ModelSettings(**(model_settings or {}))
        if not self._with_effort:
            settings.pop("thinking", None)
        if not self._with_schema and parameters.output_mode == "native":
            parameters = replace(parameters, output_mode="text", output_object=None)
        return settings, parameters
