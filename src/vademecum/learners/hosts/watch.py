"""Ends a process group when the program that started it is gone, however it went. Run as a script, by `processes`.

Standard input is a pipe from that program. One byte: all is well, the group was ended. The end of the pipe without it:
the program was killed, and nobody else would end the group.
"""

import os
import signal
import sys
import time
from contextlib import suppress

_GRACE_SECONDS = 2.0


def main(group: int) -> None:
    """Wait for the byte, or end the group."""
    if sys.stdin.buffer.read(1):
        return
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGTERM)
        time.sleep(_GRACE_SECONDS)
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
