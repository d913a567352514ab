"""A model behind its meter: no request goes out unasked, none comes back unseen, and every failure is one of ours."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from vademecum.learners.model.choice import ModelChoice
from vademecum.learners.model.failures import failure_of, was_worked_on
from vademecum.learners.protocol import Meter, Request
from vademecum.learners.tokens import tokens_of

__all__ = ["MeteredModel"]

#: Of one token, roughly; only for what a server does not count itself.


class MeteredModel(WrapperModel):
    """Passes requests on, one attempt each."""

    def __init__(self, wrapped: Model, *, choice: ModelChoice, key: str, meter: Meter, timeout_seconds: float) -> None:
        super().__init__(wrapped)
        self._choice, self._key, self._meter, self._timeout_seconds = choice, key, meter, timeout_seconds

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the meter, then the model. Raises what the meter raises, and LearnerFailed."""
        self._meter.allow(self._choice.spelled)
        try:
            # The timeout of the connection counts from byte to byte: a server that drips would hold us for ever.
            async with asyncio.timeout(self._timeout_seconds):
                response = await super().request(messages, model_settings, model_request_parameters)
        except Exception as error:
            if was_worked_on(error):
                self._note_unanswered(messages)
            raise failure_of(error, self._choice, key=self._key) from error
        except BaseException:  # the run is over, or a person stopped it: a signal may strike anywhere in here
            self._note_unanswered(messages)
            raise
        self._meter.note(self._paid(messages, response))
        return response

    def _note_unanswered(self, messages: Sequence[ModelMessage]) -> None:
        """What was sent is paid for, whether or not its answer arrives: a limit must not be passed by time-outs."""
        self._meter.note(Request(model=self._choice.spelled, tokens_in=_tokens_of(messages)))

    def _paid(self, messages: Sequence[ModelMessage], response: ModelResponse) -> Request:
        usage = response.usage
        return Request(
            model=self._choice.spelled,
            tokens_in=usage.input_tokens or _tokens_of(messages),
            tokens_out=usage.output_tokens or _tokens_of([response]),
            cost_usd=_cost(response),
        )


def _cost(response: ModelResponse) -> float | None:
    """What the library's own list of prices says; it is part of the installation, nothing is fetched."""
    try:
        price: Decimal = response.cost().total_price
    except (LookupError, ValueError, AssertionError):
        return None
    return float(price)


def _tokens_of(messages: Sequence[ModelMessage]) -> int:
    """An estimate of what was sent or answered, for a server that does not say."""
    tokens = 0
    for message in messages:
        if isinstance(message, ModelRequest):
            tokens += tokens_of(message.instructions or "")
        # A call of a tool has arguments, everything else a content.
        tokens += sum(
            tokens_of(str(getattr(part, "args", None) or getattr(part, "content", ""))) for part in message.parts
        )
    return tokens
