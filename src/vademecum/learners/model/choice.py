"""Which model a person chose, where it is asked, and with which key."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from vademecum.errors import ConfigError, LoginRefused

__all__ = ["ModelChoice", "Wire", "choose"]

#: For servers that want no key; the libraries send none only where they get one.
_NO_KEY = "no-key"


class Wire(StrEnum):
    """How a model is spoken to; the word before the colon of its setting."""

    ANTHROPIC = "anthropic"  #: messages
    OPENAI = "openai"  #: chat completions
    OPENAI_RESPONSES = "openai-responses"  #: responses
    GOOGLE = "google"  #: generateContent
    OPENAI_COMPATIBLE = "openai-compatible"  #: chat completions as other servers speak them; always with an address


#: Where each is asked when nothing is set; explicit, so that no variable of the environment leads elsewhere.
_ADDRESSES = {
    Wire.ANTHROPIC: "https://api.anthropic.com",
    Wire.OPENAI: "https://api.openai.com/v1",
    Wire.OPENAI_RESPONSES: "https://api.openai.com/v1",
    Wire.GOOGLE: "https://generativelanguage.googleapis.com",
}
_KEYS = {
    Wire.ANTHROPIC: "ANTHROPIC_API_KEY",
    Wire.OPENAI: "OPENAI_API_KEY",
    Wire.OPENAI_RESPONSES: "OPENAI_API_KEY",
    Wire.GOOGLE: "GOOGLE_API_KEY",
}


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One model, as the settings describe it. Holds no key."""

    wire: Wire
    #: As the server knows it.
    name: str
    #: Without a path of the API behind it.
    address: str
    #: The environment variable that holds the key; empty: the server wants none.
    key_variable: str

    @property
    def spelled(self) -> str:
        """As the settings spell it, and as the ledger keeps it."""
        return f"{self.wire}:{self.name}"

    def key(self, environ: Mapping[str, str]) -> str:
        """The key. Raises LoginRefused where its variable is not set."""
        if not self.key_variable:
            return _NO_KEY
        key = environ.get(self.key_variable, "").strip()
        if not key:
            raise LoginRefused(
                f"there is no key for {self.spelled}: the environment variable {self.key_variable} is not set",
                next_step=f"Set {self.key_variable}, or name another variable with "
                "`vade config set model.api_key_env NAME`; then run `vade learn` again.",
            )
        return key


def choose(text: str, *, base_url: str, key_variable: str) -> ModelChoice:
    """The model that a setting names. Raises ConfigError where it needs an address and has none.

    The key of a provider goes to the provider's own address only: for any other, its variable must be named.
    """
    provider, _, name = text.partition(":")
    wire = Wire(provider)
    if wire not in _ADDRESSES and not base_url:
        raise ConfigError(
            f"the model {text!r} has no address",
            next_step="Run `vade config set model.base_url URL`, such as http://127.0.0.1:11434/v1.",
        )
    return ModelChoice(
        wire=wire,
        name=name,
        address=base_url or _ADDRESSES[wire],
        key_variable=key_variable or ("" if base_url else _KEYS[wire]),
    )
