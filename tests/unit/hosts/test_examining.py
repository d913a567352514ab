"""How a host stands is found out by its own commands; nothing of that leaves a trace."""

import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from vademecum import __version__
from vademecum.findings import Finding, Level
from vademecum.home import Home
from vademecum.hosts import Command, FileEdit, Host, Places, Wiring, carry_out, examine_host, plan_install

SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("id") == 0:
        answer = {"serverInfo": {"name": "x", "version": "VERSION"}}
    elif asked.get("id") == 1:
        answer = {"tools": [{"name": "memory_search"}, {"name": "memory_read"}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
"""
HOOK = """
import json, os, sys
home = sys.argv[-1]
asked = json.load(sys.stdin)
open(home + "/runtime/spool", "w").write("a session")
stamps = {name for name in os.listdir(home + "/runtime") if name.endswith(".started")}
assert stamps == {"learner.started", "mender.started"} and asked["session_id"] == ""
print(json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "remember " * 10}}))
"""


class Place:
    """A host with one file, and commands of any kind in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user_home = folder / "user"
        self.user_home.mkdir()
        self.home = Home(root=folder / "home")
        self.places = Places.here(
            {"HOME": str(self.user_home), "PATH": str(folder), "VADEMECUM_HOME": str(self.home.root)}
        )
        self.wiring = Wiring()
        self.is_there = True

    @property
    def host(self) -> Host:
        edit = FileEdit(path=self.user_home / "settings", what="ours", change=lambda _text: "ours\n")
        return Host(
            name="agent",
            title="Agent",
            program="agent",
            is_there=lambda _places: self.is_there,
            installation=lambda _places: (edit,),
            removal=lambda _places: (),
            wiring=lambda _places: self.wiring,
        )

    def install(self) -> None:
        carry_out(plan_install(self.host, self.places), self.home, self.user_home)

    def command(self, name: str, program: str) -> Command:
        script = self.folder / f"{name}.py"
        script.write_text(program)
        return Command(words=(sys.executable, "-I", "-S", str(script), "agent", "session-start"))

    def plug_in(self, server: str = SERVER.replace("VERSION", __version__), hook: str = HOOK) -> None:
        self.wiring = Wiring(server=self.command("server", server), hooks={"session-start": self.command("hook", hook)})

    def found(self) -> list[Finding]:
        return list(examine_host(self.host, self.places, self.home, str(self.folder)))

    def told(self, level: Level) -> list[str]:
        return [finding.what for finding in self.found() if finding.level is level]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_host_that_is_not_here_is_not_spoken_of(place: Place):
    place.is_there = False
    assert place.found() == []


def test_a_host_without_memory_is_told_how_to_get_it(place: Place):
    (finding,) = place.found()
    assert (finding.level, finding.next) == (Level.NOTE, "Run `vade install agent`.")


def test_what_works_says_what_a_session_would_get(place: Place):
    """user-U44, user-U68"""
    place.plug_in()
    place.install()
    plugged, server, given = place.told(Level.OK)
    assert plugged == "memory is plugged into Agent"
    assert "with 2 tools" in server
    assert "would get 23 tokens (90 bytes)" in given
    assert len(place.found()) == 3


def test_an_examination_leaves_no_session_behind(place: Place):
    place.plug_in()
    place.install()
    before = sorted(place.home.root.rglob("*"))
    place.found()
    assert sorted(place.home.root.rglob("*")) == before


def test_what_another_version_wrote_is_told(place: Place):
    """user-U02"""
    place.plug_in(server=SERVER.replace("VERSION", "0.0.1"))
    place.install()
    (told,) = place.told(Level.WARNING)
    assert told.startswith(f"Agent runs vademecum 0.0.1 of {sys.executable}")


def test_an_interpreter_that_is_gone_is_named(place: Place):
    place.plug_in()
    gone = Command(words=("/nowhere/python", "-I"))
    place.wiring = msgspec.structs.replace(place.wiring, server=gone)
    assert place.told(Level.PROBLEM) == ["the server of memory cannot run: /nowhere/python is not there any more"]


def test_a_program_that_is_gone_is_named(place: Place):
    place.plug_in()
    (place.folder / "hook.py").unlink()
    (told,) = place.told(Level.PROBLEM)
    assert told == f"the hook of memory cannot run: {place.folder / 'hook.py'} is not there any more"


@pytest.mark.parametrize("program", ["", "print('hello')", "raise SystemExit(1)", "print('[]')"])
def test_a_server_that_does_not_answer_is_a_problem(place: Place, program: str):
    place.plug_in(server=program)
    (told,) = place.told(Level.PROBLEM)
    assert told.startswith("the server of the tools fails")


def test_a_hook_that_gives_nothing_leads_to_the_reason(place: Place):
    """user-U44"""
    place.plug_in(hook="")
    finding = next(finding for finding in place.found() if "would get nothing" in finding.what)
    assert finding.level is Level.NOTE
    assert "vade context" in (finding.next or "")


def test_a_hook_that_failed_is_quoted(place: Place):
    place.plug_in(hook="import sys; open(sys.argv[-1] + '/runtime/hook.log', 'w').write('OSError at line 1')")
    assert place.told(Level.PROBLEM) == ["the hook failed: OSError at line 1"]


def test_files_that_differ_and_files_that_were_edited_are_told(place: Place):
    place.plug_in()
    place.install()
    file = place.user_home / "settings"
    file.write_text("mine\n")
    assert place.told(Level.WARNING) == [f"not as this version writes it: {file}"]
    assert place.told(Level.NOTE) == [f"{file} was edited since; `vade uninstall` takes out what is ours only"]


def test_the_hook_is_asked_that_gives_the_block(place: Place):
    """user-U44"""
    hooks = {"session-start": place.command("silent", ""), "prompt": place.command("hook", HOOK)}
    place.wiring = Wiring(hooks=hooks, block_event="prompt")
    assert [what for what in place.told(Level.OK) if "would get" in what]
    assert [what for what in place.told(Level.NOTE) if "would get nothing" in what] == []


def test_a_hook_is_asked_in_the_words_of_the_configuration(place: Place):
    """Those of the host's own file, with no more than another home in them."""
    place.plug_in(hook="import sys; open(sys.argv[-1] + '/runtime/hook.log', 'w').write(' '.join(sys.argv[1:4]))")
    assert place.told(Level.PROBLEM) == ["the hook failed: agent session-start --home"]


def test_hooks_of_a_shell_are_words_again(tmp_path: Path):
    """user-U73"""
    places = Places.here({"HOME": str(tmp_path), "VADEMECUM_HOME": str(tmp_path / "a b'c")})
    assert shlex.split(places.hook_line("agent", "stop")) == list(places.hook_command("agent", "stop"))
    assert places.hook_command("agent", "stop")[-1] == str(tmp_path / "a b'c")
