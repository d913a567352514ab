"""The stores of many identities, of which few are open at once."""

from contextlib import ExitStack
from typing import Self

__all__ = ["OpenStores"]

#: An open identity holds six file descriptors or more, and there may be more identities than a process may open files.
_OPEN_AT_ONCE = 16


class OpenStores:
    """Keeps the stores of the identities that were used last open, and closes them all in the end."""

    def __init__(self) -> None:
        self._open: dict[str, ExitStack] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._close_oldest()

    def use(self, name: str) -> bool:
        """Whether the stores of this identity are open; they are now the last used."""
        if next(reversed(self._open), None) == name:
            return True  # asked for every session of a pass
        stores = self._open.pop(name, None)
        if stores is not None:
            self._open[name] = stores
        return stores is not None

    def put(self, name: str, stores: ExitStack) -> None:
        """Keep these stores open, and those that were not used for the longest time no longer."""
        self._open[name] = stores
        if len(self._open) > _OPEN_AT_ONCE:
            self._close_oldest()

    def _close_oldest(self) -> None:
        self._open.pop(next(iter(self._open))).close()
