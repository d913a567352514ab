"""How many there are of a thing, in words."""

__all__ = ["plural"]


def plural(count: int, noun: str) -> str:
    """`1 session`, `2 sessions`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
