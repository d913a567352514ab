"""The table `[model]`: which models learn, where they are asked, and what one run may take."""

from vademecum.settings import Setting

__all__ = ["MODEL_PROVIDERS", "MODEL_SETTINGS"]

#: The words before the colon of a model.
MODEL_PROVIDERS = ("anthropic", "openai", "openai-responses", "google", "openai-compatible")

_MODEL = rf"(?:{'|'.join(MODEL_PROVIDERS)}):\S{{1,200}}"
_MODEL_IN_WORDS = f"`provider:name`, the provider one of {', '.join(MODEL_PROVIDERS)}"

MODEL_SETTINGS: tuple[Setting, ...] = (
    Setting(
        table="model",
        name="extract_model",
        default="",
        form=_MODEL,
        form_in_words=_MODEL_IN_WORDS,
        what="The model that reads sessions, as `provider:name`, for the learner `model`.",
    ),
    Setting(
        table="model",
        name="consolidation_model",
        default="",
        form=_MODEL,
        form_in_words=_MODEL_IN_WORDS,
        what="The model that writes handbook and summary; not set, it is the one that reads sessions.",
    ),
    Setting(
        table="model",
        name="base_url",
        default="",
        form=r"https?://[^\s@]{1,400}",
        form_in_words="an http or https address without a login in it",
        what="Where the models are asked, in place of the provider's own address: a gateway, or a server of yours.",
    ),
    Setting(
        table="model",
        name="api_key_env",
        default="",
        form=r"[A-Z_][A-Z0-9_]{0,63}",
        form_in_words="the name of an environment variable in capitals, never a key itself",
        what="The environment variable that holds the key; not set, the provider's usual one at its own address.",
    ),
    Setting(
        table="model",
        name="reasoning_effort",
        default="auto",
        choices=("auto", "minimal", "low", "medium", "high"),
        what="How much a model that can reason does so. `auto`: low for sessions, medium for handbook and summary.",
    ),
    Setting(
        table="model",
        name="input_tokens",
        default=100_000,
        low=8_000,
        high=2_000_000,
        what="What the model can read at once, in tokens. Prompts take six tenths of it; longer sessions are cut.",
    ),
    Setting(
        table="model",
        name="max_output_tokens",
        default=16_000,
        low=500,
        high=128_000,
        what="The largest answer of one request, in tokens.",
    ),
    Setting(
        table="model",
        name="timeout_seconds",
        default=600,
        low=5,
        high=3_600,
        what="How long one request may take, in seconds.",
    ),
    Setting(
        table="model",
        name="max_steps",
        default=40,
        low=2,
        high=200,
        what="How many requests one consolidation may take.",
    ),
)
