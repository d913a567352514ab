"""What a hook leaves behind: a line of ids, a line of what failed, and a pass of learning that outlives it."""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os
import sys
from time import gmtime, strftime, time

from vademecum.bare.files import append_line, encoded, replace_file

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself costs a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LEARNER_REST_SECONDS", "is_home", "note_event", "report_failure", "start_learner"]

_MOST_LOG_BYTES = 64 * 1024
_MOST_SPOOL_BYTES = 512 * 1024
_MOST_ID_CHARACTERS = 1000
_WORD_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"
_MOST_WORD_CHARACTERS = 20
#: A pass over all sessions costs a machine some seconds; a finished session has rested for hours in any case.
LEARNER_REST_SECONDS = 600
_MENDER_REST_SECONDS = 20


def is_home(home: str) -> bool:
    """Whether anything of ours is here: an empty folder may be the place of a disk that is not mounted."""
    return any(os.path.lexists(home + name) for name in ("/runtime", "/identities", "/config.toml"))


def note_event(home: str, host: str, event: str, session: str, cwd: str, transcript: str) -> None:
    """One line for the learner and for `vade doctor`: ids, paths and the time, nothing that was said."""
    line = {"at": int(time()), "host": host, "event": event, "session": session, "cwd": cwd, "transcript": transcript}
    if all(len(str(value)) <= _MOST_ID_CHARACTERS for value in line.values()):
        append_line(home + "/runtime/spool/" + host + ".jsonl", encoded(line) + b"\n", _MOST_SPOOL_BYTES, folders=2)


def report_failure(home: str, host: str, event: str, what: str) -> None:
    """One line in hook.log, in a home that is there: what failed and where, without a word of what was worked on."""
    try:
        if os.path.isdir(home):
            line = " ".join((strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()), _word(host), _word(event), what))
            append_line(home + "/runtime/hook.log", line.encode() + b"\n", _MOST_LOG_BYTES, folders=1)
    except OSError:
        return  # the disk is what failed; the host goes on


def _word(name: str) -> str:
    """A name of ours; whatever else a command line held stays out of the log."""
    is_short = 0 < len(name) <= _MOST_WORD_CHARACTERS
    return name if is_short and all(character in _WORD_CHARACTERS for character in name) else "?"


def start_learner(home: str, environ: "Mapping[str, str]", *, mends: bool = False) -> int:
    """Start a pass of learning that outlives this process, if none began in the last minutes: its process id, else 0.

    `mends`: the files that hooks read are missing or old. They are put right soon, by a pass that learns nothing where
    it is not the turn of one that does: what cannot be put right must not have sessions learned all the time.
    """
    if _begins(home + "/runtime/learner.started", LEARNER_REST_SECONDS):
        return _spawn_learner(home, environ, [])
    if mends and _begins(home + "/runtime/mender.started", _MENDER_REST_SECONDS):
        return _spawn_learner(home, environ, ["--mend"])
    return 0


def _begins(stamp: str, rest_seconds: float) -> bool:
    """Whether nothing began within that time; then this does."""
    try:
        if abs(time() - os.stat(stamp).st_mtime) < rest_seconds:
            return False
    except FileNotFoundError:
        pass  # none ever began
    replace_file(stamp, b"", folders=1)  # a disk that keeps no stamp would have one start at every event
    return True


def _spawn_learner(home: str, environ: "Mapping[str, str]", options: "list[str]") -> int:
    for descriptor in range(3, 64):
        try:
            os.set_inheritable(descriptor, False)  # noqa: FBT003  no keyword. The host's pipes must not stay open for as long as a pass takes
        except OSError:
            continue
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    command = [sys.executable, "-I", "-m", "vademecum", "learn", "--background", *options]
    surroundings = {**environ, "VADEMECUM_HOME": home}
    try:
        return os.posix_spawn(sys.executable, command, surroundings, file_actions=nowhere, setsid=True)
    except NotImplementedError:  # a system that spawns no sessions
        return os.posix_spawn(sys.executable, command, surroundings, file_actions=nowhere, setpgroup=0)
