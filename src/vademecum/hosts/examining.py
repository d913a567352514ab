"""How a host stands: what was written is still there, its commands run, and what they would give it."""

from collections.abc import Iterator
from pathlib import Path

from vademecum import __version__
from vademecum.amounts import plural
from vademecum.errors import CannotEdit, NotFound
from vademecum.findings import Finding, fine, note, problem, warning
from vademecum.home import Home
from vademecum.hosts.installing import plan_install
from vademecum.hosts.protocol import Command, Host, Places, Wiring
from vademecum.hosts.records import Record, read_record
from vademecum.hosts.targets import find_target, hash_of
from vademecum.hosts.trying import HookAnswer, gone, try_hook, try_server
from vademecum.learners import tokens_of

__all__ = ["examine_host", "is_plugged_in"]


def is_plugged_in(host: Host, places: Places, home: Home) -> bool:
    """Whether anything of ours stands in its files. Raises CannotEdit where one cannot be read."""
    wiring = host.wiring(places)
    return bool(wiring.server or wiring.hooks or read_record(home, host.name))


def examine_host(host: Host, places: Places, home: Home, folder: str) -> Iterator[Finding]:
    """Everything about one host; nothing where it is not used here. `folder`: where a session would begin."""
    try:
        if not is_plugged_in(host, places, home):
            if host.is_there(places):
                yield note(host.name, f"{host.title} is here without memory", f"Run `vade install {host.name}`.")
            return
        wiring = host.wiring(places)
        yield from _files(host, places, read_record(home, host.name))
        yield from _commands(host, wiring, places, home, folder)
        yield from host.examine(places)
    except CannotEdit as error:
        yield problem(host.name, str(error), error.next_step)


def _files(host: Host, places: Places, record: Record | None) -> Iterator[Finding]:
    """Whether everything stands there as this version writes it, and who else wrote."""
    yield _as_written(host, places)
    for written in record.files if record else ():
        now = hash_of(find_target(Path(written.file), places.user_home).data)
        if now is not None and now not in written.ours and now != written.before:
            yield note(host.name, f"{written.file} was edited since; `vade uninstall` takes out what is ours only")


def _as_written(host: Host, places: Places) -> Finding:
    try:
        missing = [str(change.path) for change in plan_install(host, places).changes]
    except CannotEdit as error:
        return problem(host.name, str(error), error.next_step)
    if not missing:
        return fine(host.name, f"memory is plugged into {host.title}")
    again = f"Run `vade install {host.name}`: it shows what differs."
    return warning(host.name, f"not as this version writes it: {', '.join(missing)}", again)


def _commands(host: Host, wiring: Wiring, places: Places, home: Home, folder: str) -> Iterator[Finding]:
    again = f"Run `vade install {host.name}`."
    present: dict[str, Command] = {}
    for name, command in (("server", wiring.server), ("hook", wiring.hooks.get(wiring.block_event))):
        if command is None:
            continue
        if file := gone(command):
            yield problem(host.name, f"the {name} of memory cannot run: {file} is not there any more", again)
        else:
            present[name] = command
    if server := present.get("server"):
        yield from _server(host, server, places, folder)
    if hook := present.get("hook"):
        yield from _hook(host, hook, places, home, folder)


def _server(host: Host, command: Command, places: Places, folder: str) -> Iterator[Finding]:
    run = " ".join(command.words)
    try:
        answer = try_server(command, places.environ, folder)
    except NotFound as error:
        yield problem(host.name, f"the server of the tools fails: {error}", f"Run it to see why: `{run}`")
        return
    if not answer.tools:
        yield problem(host.name, "the server offers no tools", f"Run `vade install {host.name}`.")
        return
    told = f"the server answers in {answer.seconds:.1f} s with {plural(len(answer.tools), 'tool')}"
    yield fine(host.name, told)
    if answer.version != __version__:
        yield warning(
            host.name,
            f"{host.title} runs vademecum {answer.version} of {command.words[0]}, and this is {__version__}",
            f"Run `vade install {host.name}` with the one that you want to keep.",
        )


def _hook(host: Host, command: Command, places: Places, home: Home, folder: str) -> Iterator[Finding]:
    try:
        answer = try_hook(command, places.environ, home, folder)
    except NotFound as error:
        yield problem(host.name, f"the hook fails: {error}", f"Run `vade install {host.name}`.")
        return
    if answer.failure:
        again = "Run `vade learn`: it puts right what hooks read."
        yield problem(host.name, f"the hook failed: {answer.failure}", again)
    else:
        yield _given(host, answer, folder)


def _given(host: Host, answer: HookAnswer, folder: str) -> Finding:
    if not answer.text:
        return note(
            host.name, f"a session in {folder} would get nothing", "Run `vade context` to see what there is to get."
        )
    size = f"{tokens_of(answer.text):,} tokens ({len(answer.text.encode()):,} bytes)"
    what = f"a session in {folder} would get {size} in {answer.seconds * 1000:.0f} ms"
    return fine(host.name, what)
