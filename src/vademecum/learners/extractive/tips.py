"""Which knowledge of a project is worth a place in every prompt: commands that worked, and fixes in short."""

from collections.abc import Sequence

from vademecum.artifacts import Bullet

__all__ = ["tips_of"]

_MAX_COMMANDS = 6
_MAX_FAILURES = 4
#: Words of an order. Failures quote what programs printed, and no program may order an agent about.
_ORDERS = (
    "always",
    "never",
    "remember",
    "must",
    "should",
    "ignore",
    "from now on",
    "do not",
    "don't",
    "please",
    "you ",
    "instruction",
)


def tips_of(commands: Sequence[Bullet], failures: Sequence[Bullet]) -> list[Bullet]:
    """Commands first, then failures with their fix; nothing that reads like an order."""
    fixes = [bullet for bullet in failures if not _reads_like_an_order(bullet.text)]
    return [*commands[:_MAX_COMMANDS], *fixes[:_MAX_FAILURES]]


def _reads_like_an_order(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _ORDERS)
