"""One event of a host, from its JSON on stdin to the answer on stdout, and what is left for the learner."""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os
import sys
from _thread import start_new_thread
from time import sleep

from vademecum.bare.arranging import TEMPLATE, arrange
from vademecum.bare.events import is_home, note_event, report_failure, start_learner
from vademecum.bare.files import decoded, encoded, read_file, read_own_file, write_all
from vademecum.bare.pins import inject, loosen
from vademecum.bare.routing import project_of, route_of

__all__ = ["LIMIT_SECONDS", "answer_event"]

#: After this time the process ends, whatever hangs; the start of the interpreter comes on top.
LIMIT_SECONDS = 0.8
#: For the line that tells of it, where the disk is not what hangs.
_LAST_WORDS_SECONDS = 0.1
_MOST_BYTES = 16 * 1024 * 1024


def answer_event(
    arguments: list[str],
    hosts: dict[str, dict[str, str]],
    most_tokens: dict[str, int],
    own_work: dict[str, tuple[str, str, str]],
) -> None:
    """One event of a host, to its end or to the end of the time for it. Raises nothing.

    `hosts`: the events of each host that take a text in, by our names, and how the host calls them.
    `most_tokens`: how much a host takes at most, where that is less than a person may allow.
    `own_work`: where a host works for itself, in sessions that nobody has: as `_is_own_work` takes it.
    """
    home = ""
    host, event = (*arguments, "-", "-")[:2]
    try:
        home = _home(arguments[2:])
        start_new_thread(_end_in_time, (home, host, event))
        payload = _payload()
        if not (host in own_work and _is_own_work(payload, *own_work[host])):
            _respond(home, host, event, payload, hosts[host], most_tokens)
    except BaseException as error:  # noqa: BLE001  the host goes on, whatever it was
        report_failure(home, host, event, _where(error))


def _end_in_time(home: str, host: str, event: str) -> None:
    # A thread and no alarm: where a disk hangs, a signal is handled when the call comes back, which is never.
    sleep(LIMIT_SECONDS)
    start_new_thread(report_failure, (home, host, event, "took longer than " + str(LIMIT_SECONDS) + " s"))
    sleep(_LAST_WORDS_SECONDS)
    os._exit(0)


def _home(options: list) -> str:
    """The home as `home.Home.find` finds it; an installer names one that is not the default."""
    given = options[1] if options[:1] == ["--home"] else os.environ.get("VADEMECUM_HOME", "").strip()
    if given:
        return os.path.abspath(os.path.expanduser(given))
    if data := os.environ.get("XDG_DATA_HOME", "").strip():
        return os.path.abspath(data) + "/vademecum"
    data = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
    return os.path.expanduser(data) + "/vademecum"


def _is_own_work(payload: dict, variable: str, default: str, beginning: str) -> bool:
    """Whether the host works in a folder of its own whose name begins so, and keeps no transcript of it."""
    cwd = payload.get("cwd")
    if payload.get("transcript_path") or not isinstance(cwd, str):
        return False
    folder = os.environ.get(variable) or os.path.expanduser(default)
    return os.path.realpath(cwd).startswith(os.path.realpath(folder) + "/" + beginning)


def _respond(
    home: str, host: str, event: str, payload: dict, names: dict[str, str], most_tokens: dict[str, int]
) -> None:
    if not is_home(home):
        return  # who plugged us in made it: it was deleted, or its disk is away, and must not be made anew in its place
    session, cwd, transcript, source = (
        value if isinstance(value := payload.get(key), str) else ""
        for key in ("session_id", "cwd", "transcript_path", "source")
    )
    cwd = os.path.normpath(os.path.join(_here() if not cwd.startswith("/") else "/", cwd))
    known = _settings(home)
    if known and host in most_tokens:
        known["budget_tokens"] = min(known["budget_tokens"], most_tokens[host])
    is_current = known is not None and known["config"] == _stamp(home)
    is_mended = is_current
    speaks = event in names or event == "pre-compact"
    if speaks and known and _switch(known, "use_memories") and (is_current or not _may_be_off(home)):
        try:
            text, is_there = _context(home, host, event, session, cwd, source, known)
        except Exception as error:  # noqa: BLE001  damaged files: a pass mends them, and for that it must be started
            report_failure(home, host, event, _where(error))
            text, is_there = "", False
        is_mended = is_current and is_there
        if text:
            answer = encoded({"hookEventName": names[event], "additionalContext": text})
            write_all(1, b'{"hookSpecificOutput": ' + answer + b"}\n")
    note_event(home, host, event, session, cwd, transcript)
    learns = not known or _switch(known, "generate_memories")
    # Under a name that a terminal gave, a pass would take every session of the machine in: a person's own command.
    if (learns or not is_mended) and not os.environ.get("VADEMECUM_IDENTITY", "").strip():
        start_learner(home, os.environ, mends=not is_mended)


def _payload() -> dict:
    """What the host says. Some hosts keep their end open: an object that is whole is not waited for further."""
    data = bytearray()
    while len(data) <= _MOST_BYTES:
        piece = os.read(0, 1 << 16)
        data += piece
        if not piece or piece.rstrip().endswith(b"}"):
            try:
                payload = decoded(bytes(data))
            except ValueError:
                if not piece:
                    raise
            else:
                return payload
    raise ValueError


def _here() -> str:
    """The present directory; of one that was deleted, the name by which the shell still knows it."""
    try:
        return os.getcwd()
    except OSError:
        return os.environ.get("PWD", "")


def _settings(home: str) -> dict | None:
    """What hook.json holds. Without it nothing is printed: what is switched off must not be."""
    try:
        known = decoded(read_own_file(home + "/runtime/hook.json", folders=1))
        kinds = {"use_memories": bool, "generate_memories": bool, "by_folder": bool, "budget_tokens": int}
        return known if "config" in known and all(type(known[key]) is kind for key, kind in kinds.items()) else None
    except (OSError, ValueError, KeyError):
        return None


def _switch(known: dict, name: str) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    word = os.environ.get("VADEMECUM_MEMORIES_" + name.upper(), "").strip().lower()
    return words.get(word, known[name] is True)


def _stamp(home: str) -> list:
    """The settings file as it is: who edits it by hand tells nobody."""
    try:
        status = os.stat(home + "/config.toml")
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_size]


def _may_be_off(home: str) -> bool:
    """Whether settings that were edited by hand speak of the switch; what they say, a pass parses in a moment."""
    return b"use_memories" in read_file(home + "/config.toml")


def _context(home: str, host: str, event: str, session: str, cwd: str, source: str, known: dict) -> tuple:
    """(what is said to the model, whether the files for it are there)."""
    identities = home + "/identities"
    identity = os.environ.get("VADEMECUM_IDENTITY", "").strip()
    if not identity:
        table = decoded(read_own_file(home + "/runtime/routes.json", folders=1)) if known["by_folder"] else {}
        identity = route_of(table, cwd, identities)
    if not identity or "/" in identity or identity.startswith("."):
        return "", True
    folder = identities + "/" + identity
    try:
        cached = decoded(read_own_file(folder + "/runtime/cache/context.json", folders=4))
    except (OSError, ValueError):
        cached = {}
    if cached.get("template") != TEMPLATE or cached["revision"].encode() not in _heads(folder + "/memory/.git"):
        # Made by another version, or before a change: it may say what was forgotten since. The next prompt gets it.
        return "", not os.path.isdir(folder + "/memory/.git")
    return _said(folder + "/runtime/pins", host, event, session, source, cached, cwd, known["budget_tokens"]), True


def _heads(repository: str) -> bytes:
    """Where the branch stands: the file of the reference, or all references where git has packed them."""
    for name, folders in (("/refs/heads/main", 6), ("/packed-refs", 4)):
        try:
            return read_own_file(repository + name, folders)
        except FileNotFoundError:
            continue
    return b""  # the repository is gone


def _said(pins: str, host: str, event: str, session: str, source: str, cached: dict, cwd: str, budget: int) -> str:
    """The block, a notice, or nothing."""
    parts = cached["parts"]["data"]
    root, main_root = project_of(cwd)
    places = tuple(dict.fromkeys((cwd, main_root or root or cwd)))
    newest = cached["revision"], lambda: arrange(parts, places, budget)[0]
    if not session:
        # It cannot be kept that it was given: only what says that a session begins gets it.
        return newest[1]() if event == "session-start" or source == "startup" else ""
    if event == "session-start":
        what = {"resume": "resume", "compact": "compact", "clear": "compact"}.get(source, "start")
        text, _, notice, standing = inject(pins, host, session, what, newest)
        return notice if what == "resume" and standing == "pinned" else (text + "\n" + notice).rstrip("\n")
    if event == "pre-compact":
        # Not every host begins a session anew after a compaction: the next prompt gets the block then.
        loosen(pins, host, session)
        return ""
    text, _, notice, standing = inject(pins, host, session, "turn", newest)
    # Also a session whose beginning was missed gets it now; but a full disk must not give it at every turn.
    return text if standing == "fresh" else notice


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    number = getattr(error, "errno", None)
    kind = type(error).__name__ + (" " + str(number) if number else "")
    if not trace:
        return kind
    return kind + " in " + os.path.basename(trace.tb_frame.f_code.co_filename) + ":" + str(trace.tb_lineno)
