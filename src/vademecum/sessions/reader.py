"""The protocol that every reader of a host format fulfils. A reader is a module with these names, or an object."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from vademecum.sessions.model import Session, SessionRef

__all__ = ["HEAD_BYTES", "Reader"]

#: How much of the beginning of a file `recognises` is shown.
HEAD_BYTES = 64 * 1024


class Reader(Protocol):
    """One host format. Text that a reader returns is raw: only `sessions.load` may pass it on."""

    @property
    def host(self) -> str:
        """The host's name, as in `SessionRef.host`."""
        ...

    def roots(self, environ: Mapping[str, str], home: Path) -> list[Path]:
        """Where this host keeps its sessions on this machine, present or not."""
        ...

    def discover(self, root: Path, skipped: "Counter[str]") -> Iterator[SessionRef]:
        """The sessions below a folder, or in one file, by path; what is passed over is counted."""
        ...

    def recognises(self, head: bytes, path: Path) -> bool:
        """Whether a file that begins with `head` (at most `HEAD_BYTES`) is this host's, whatever its name."""
        ...

    def read(self, ref: SessionRef, skipped: "Counter[str]") -> Session | None:
        """The session with its text as stored, or None where the file holds no session.

        Raises OSError or SessionUnreadable.
        """
        ...
