"""Which knowledge of a project is worth a place in every prompt: commands that worked, and fixes in short."""

from collections.abc import Sequence

from vademecum.artifacts import Bullet
from vademecum.learners.extractive.orders import shows_order

__all__ = ["tips_of"]

_MAX_COMMANDS = 6
_MAX_FAILURES = 4


def tips_of(commands: Sequence[Bullet], failures: Sequence[Bullet]) -> list[Bullet]:
    """Commands first, then failures with their fix; nothing that reads like an order."""
    fixes = [bullet for bullet in failures if not shows_order(bullet.text)]
    return [*commands[:_MAX_COMMANDS], *fixes[:_MAX_FAILURES]]
