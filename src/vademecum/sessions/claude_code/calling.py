"""Which session calls a tool just now, found by the id of the call.

The server of a tool is started before Claude Code knows which session it goes on with, and outlives `/clear`: what its
environment says of the session may be wrong. But the call names its id, and stands in the session's file within a tenth
of a second of it (2.1). A sub-agent's calls count for the session that it works for.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from vademecum.sessions.claude_code import discover, roots
from vademecum.sessions.jsonl import open_regular

__all__ = ["calling_session"]

_WAIT_SECONDS = 0.6
_LOOK_SECONDS = 0.03
#: A file that was not written to for so long holds no call of just now.
_FRESH_SECONDS = 60
_MOST_FILES = 16
#: The newest lines: a call stands at the end, behind it at most what other calls of the same turn brought.
_TAIL_BYTES = 1024 * 1024


def calling_session(call: str, *, environ: Mapping[str, str], home: Path) -> str | None:
    """The id of the session in whose file the call stands; None where it does not come to stand in one."""
    wanted = call.encode()
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        for file in _fresh_files(environ, home):
            if wanted in _tail(file):
                return file.parent.parent.name if file.parent.name == "subagents" else file.stem
        if time.monotonic() > deadline:
            return None
        time.sleep(_LOOK_SECONDS)


def _fresh_files(environ: Mapping[str, str], home: Path) -> Iterator[Path]:
    """The session files that were written to just now, the newest first."""
    refs = [ref for root in roots(environ, home) for ref in discover(root, Counter())]
    since = time.time() - _FRESH_SECONDS
    fresh = sorted((ref for ref in refs if ref.modified_at.timestamp() > since), key=lambda ref: ref.modified_at)
    return (Path(ref.path) for ref in fresh[: -_MOST_FILES - 1 : -1])


def _tail(file: Path) -> bytes:
    try:
        stream = open_regular(file, Counter())
        if stream is None:
            return b""
        with stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _TAIL_BYTES))
            return stream.read(2 * _TAIL_BYTES)
    except OSError:
        return b""  # gone since, or out of reach: it is not the one
