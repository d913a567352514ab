"""What every state of the memory can be asked, whether it is committed, frozen or only staged in memory."""

from typing import Protocol

__all__ = ["Files"]


class Files(Protocol):
    """The text files of one state: a `Tree`, a `Frozen` draft, or edits staged on one of them."""

    def paths(self) -> list[str]:
        """List all paths, sorted by code point."""
        ...

    def has(self, path: str) -> bool:
        """Say whether the file exists."""
        ...

    def read(self, path: str) -> str:
        """Return the whole text; raises `NotFound`, and `FrontMatterInvalid` when it is not UTF-8."""
        ...

    def size(self, path: str) -> int:
        """Return the size of a file in bytes; raises `NotFound`."""
        ...
