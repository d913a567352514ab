"""A person at the terminal of a real agent program: keys go in, and what it draws is looked at as plain text."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["ENTER", "ESCAPE", "Terminal", "terminal"]

ENTER, ESCAPE = "\r", "\x1b"
_SECONDS = 60
_AGAIN_SECONDS = 1.0
_ROWS, _COLUMNS = 50, 160
#: Movements of the cursor and colors; then blanks, which are drawn by such movements.
_NO_WORDS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>]|\s")


class Terminal:
    """The terminal, while its program runs."""

    def __init__(self, end: int) -> None:
        self._end, self._drawn = end, ""

    def press(self, keys: str) -> None:
        """Type this. What was drawn before is not looked at any more."""
        self._drawn = ""
        os.write(self._end, keys.encode())

    def say(self, words: str) -> None:
        """Type a line and send it off once it is drawn: keys that come all at once are taken for pasted text."""
        self.press(words)
        self.see(words)
        self.press(ENTER)

    def insist(self, keys: str, holds: Callable[[], bool], what: str) -> None:
        """Press this until something holds: a question that was only just drawn takes no answer yet."""
        pressed = 0.0

        def pressing() -> bool:
            nonlocal pressed
            if not (done := holds()) and time.monotonic() > pressed + _AGAIN_SECONDS:
                self.press(keys)
                pressed = time.monotonic()
            return done

        self.wait(pressing, what)

    def see(self, words: str) -> None:
        """Wait until this was drawn since keys were pressed."""
        wanted = "".join(words.split())
        self.wait(lambda: wanted in _NO_WORDS.sub("", self._drawn), words)

    def wait(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for something, while the program draws."""
        end = time.monotonic() + _SECONDS
        while not holds():
            assert time.monotonic() < end, f"waited for {what!r}; drawn was {_NO_WORDS.sub('', self._drawn)[-2000:]}"
            if select.select([self._end], [], [], 0.05)[0]:
                self._drawn += os.read(self._end, 65536).decode(errors="replace")


@contextmanager
def terminal(command: Sequence[str], *, cwd: Path, environ: Mapping[str, str]) -> Iterator[Terminal]:
    """The program in a terminal of its own; ended with it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    process = subprocess.Popen(
        command, cwd=cwd, env=dict(environ), stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)
