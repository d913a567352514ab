"""How the ledger names an error: as the command line does, so that both say the same."""

from vademecum.errors import VademecumError

__all__ = ["in_words"]


def in_words(error: BaseException) -> str:
    """`busy: ...` for an error of ours, with its code; for any other the name of its class."""
    name = error.code if isinstance(error, VademecumError) else type(error).__name__
    return f"{name}: {error}"
