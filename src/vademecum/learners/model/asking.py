"""Everything that one run needs to ask its model, and the model itself while the run lasts."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache

import httpx2
import msgspec
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from vademecum.learners.model.capped import cap
from vademecum.learners.model.choice import ModelChoice
from vademecum.learners.model.error_bodies import as_error
from vademecum.learners.model.limits import Effort, Limits
from vademecum.learners.model.metered import MeteredModel
from vademecum.learners.model.providers import model_of
from vademecum.learners.model.yielding import YieldingModel
from vademecum.learners.protocol import Meter

__all__ = ["Asking", "open_model", "settings_for"]

_CONNECT_SECONDS = 10.0


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """Whom to ask, with what, and how far that may go. Lives as long as one run: it holds the key."""

    choice: ModelChoice
    key: str
    effort: Effort
    limits: Limits
    meter: Meter

    def __repr__(self) -> str:
        """Without the key: a traceback may print it."""
        return f"Asking({self.choice.spelled})"


@asynccontextmanager
async def open_model(asking: Asking) -> AsyncGenerator[Model]:
    """The model behind its meter. Its connections end with the block.

    Proxies of the environment hold, as for every HTTP program; redirects are not followed, so that nothing but the
    address of the settings is contacted.
    """
    timeout = httpx2.Timeout(asking.limits.timeout_seconds, connect=_CONNECT_SECONDS)
    hooks = {"response": [cap, as_error]}
    client = httpx2.AsyncClient(verify=_trusted(), timeout=timeout, follow_redirects=False, event_hooks=hooks)
    async with client as http:
        metered = MeteredModel(
            model_of(asking.choice, asking.key, http),
            choice=asking.choice,
            key=asking.key,
            meter=asking.meter,
            timeout_seconds=asking.limits.timeout_seconds,
        )
        yield YieldingModel(metered)


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates are believed. To read them takes longer than a small question does, so it is done once."""
    return httpx2.create_ssl_context()


def settings_for(asking: Asking) -> ModelSettings:
    """What goes along with every request."""
    return ModelSettings(
        max_tokens=asking.limits.max_output_tokens,
        thinking=asking.effort,
        timeout=asking.limits.timeout_seconds,
    )
