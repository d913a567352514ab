"""How much of a model's window a text takes, by one estimate wherever nobody has counted."""

__all__ = ["tokens_of"]


def tokens_of(text: str) -> int:
    """Our estimate, on the safe side: four ASCII characters, or one other, are a token."""
    others = sum(not character.isascii() for character in text)
    return (len(text) - others + 3) // 4 + others
