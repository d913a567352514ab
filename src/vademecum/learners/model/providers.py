"""The library's model for each wire. Each provider's own library is imported for its own models only: it takes time.

Everything that such a library would take from the environment is given to it, or taken away again: nothing but the
address of the settings is contacted, with nothing but the key of the settings. None of them retries: that would be a
request that no meter sees.
"""

import httpx2
from pydantic_ai.models import Model

from vademecum.learners.model.choice import ModelChoice, Wire

__all__ = ["model_of"]


def model_of(choice: ModelChoice, key: str, http: httpx2.AsyncClient) -> Model:
    """The model, asked over this connection."""
    match choice.wire:
        case Wire.ANTHROPIC:
            return _anthropic(choice, key, http)
        case Wire.GOOGLE:
            return _google(choice, key, http)
        case Wire.OPENAI | Wire.OPENAI_RESPONSES:
            return _openai(choice, key, http)
        case Wire.OPENAI_COMPATIBLE:
            return _openai_compatible(choice, key, http)


def _anthropic(choice: ModelChoice, key: str, http: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(api_key=key, base_url=choice.address, http_client=http, max_retries=0, open_telemetry=False)
    return AnthropicModel(choice.name, provider=AnthropicProvider(anthropic_client=client))


def _google(choice: ModelChoice, key: str, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(choice.name, provider=GoogleProvider(api_key=key, base_url=choice.address, http_client=http))


def _openai(choice: ModelChoice, key: str, http: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(api_key=key, base_url=choice.address, http_client=http, max_retries=0)
    provider = OpenAIProvider(openai_client=client)
    if choice.wire is Wire.OPENAI_RESPONSES:
        return OpenAIResponsesModel(choice.name, provider=provider)
    return OpenAIChatModel(choice.name, provider=provider)


def _openai_compatible(choice: ModelChoice, key: str, http: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    client = AsyncOpenAI(api_key=key, base_url=choice.address, http_client=http, max_retries=0)
    # Taken from the environment; they name an account that is none of another server's business.
    client.organization = client.project = None
    # The older name of the limit, which every such server knows.
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
    provider = OpenAICompatibleProvider(choice.wire.value, openai_client=client, profile=profile)
    return OpenAIChatModel(choice.name, provider=provider)
