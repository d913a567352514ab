"""The mark that stands where a secret stood: `[secret:<kind>]`."""

import re

__all__ = ["HIDDEN_NAME", "MARK", "holds_mask", "mark_of"]

_BEGINNING = "[secret:"
#: A whole mark.
MARK = re.compile(re.escape(_BEGINNING) + r"[a-z0-9]{1,24}(?:-[a-z0-9]{1,24}){0,3}\]")


#: In the place of a whole name with a secret in it.
HIDDEN_NAME = f"{_BEGINNING}name]"


def mark_of(kind: str) -> str:
    """What stands in the place of a secret of this kind."""
    return f"{_BEGINNING}{kind}]"


def holds_mask(text: str) -> bool:
    """Whether a secret was taken out of this text; a mark that a cut divided counts."""
    return _BEGINNING in text
