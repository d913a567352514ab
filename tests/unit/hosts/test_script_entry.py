"""The script of ours in a host's folder: what it holds, whose it is, and that it loads whatever happened to us."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.plugin_scripts import RUNTIMES, SERVER
from vademecum.errors import CannotEdit
from vademecum.findings import Level
from vademecum.hosts.opencode import OPENCODE
from vademecum.hosts.pi import PI
from vademecum.hosts.protocol import Command, Places

ENTRIES = {"opencode": ".config/opencode/plugins/vademecum.js", "pi": ".pi/agent/extensions/vademecum.js"}
HOSTS = pytest.mark.parametrize("host", [OPENCODE, PI], ids=lambda host: host.name)


@pytest.fixture
def places(tmp_path):
    return Places(user_home=tmp_path, environ={}, python=Path("/venv/bin/python"))


def written(host, places, before=None):
    (edit,) = host.installation(places)
    text = edit.change(before)
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    edit.path.write_text(text, encoding="utf-8")
    return edit.path


@HOSTS
def test_it_stands_where_the_host_looks(host, places):
    assert written(host, places) == places.user_home / ENTRIES[host.name]


@pytest.mark.parametrize(
    ("host", "variable", "below"),
    [(OPENCODE, "XDG_CONFIG_HOME", "opencode/plugins"), (PI, "PI_CODING_AGENT_DIR", "extensions")],
    ids=["opencode", "pi"],
)
def test_a_folder_that_the_person_moved_is_followed(host, variable, below, tmp_path):
    moved = Places(user_home=tmp_path, environ={variable: str(tmp_path / "moved")}, python=Path("/venv/bin/python"))
    assert written(host, moved) == tmp_path / "moved" / below / "vademecum.js"


@HOSTS
def test_what_was_written_is_read_again(host, places, tmp_path):
    """The doctor runs the very command that the host runs."""
    assert host.wiring(places).server is None
    written(host, places)
    words = ("/venv/bin/python", "-I", "-m", "vademecum.mcp", "--host", host.name)
    assert host.wiring(places).server == Command(words=words)
    chosen = Places(user_home=tmp_path, environ={}, python=Path("/venv/bin/python"), home=Path("/my home/é'\"\\"))
    written(host, chosen)
    assert host.wiring(chosen).server == Command(words=words, environ={"VADEMECUM_HOME": "/my home/é'\"\\"})


@HOSTS
def test_a_second_installation_changes_nothing(host, places):
    (edit,) = host.installation(places)
    assert edit.change(edit.change(None)) == edit.change(None)


@HOSTS
def test_a_plugin_of_the_same_name_that_is_not_ours_stays(host, places):
    (edit,), (removal,) = host.installation(places), host.removal(places)
    foreign = "export default () => {};\n"
    with pytest.raises(CannotEdit, match="is not ours"):
        edit.change(foreign)
    assert removal.change(foreign) == foreign


@HOSTS
def test_it_is_taken_out_also_where_it_was_edited(host, places):
    (edit,), (removal,) = host.installation(places), host.removal(places)
    assert removal.change(edit.change(None) + "// mine\n") is None
    assert removal.change(None) is None


@HOSTS
def test_settings_that_cannot_be_read_are_told(host, places):
    path = written(host, places)
    path.write_text(path.read_text().replace('"command": [', '"command": "'), encoding="utf-8")
    with pytest.raises(CannotEdit, match="no settings that can be read"):
        host.wiring(places)


@HOSTS
def test_code_that_is_gone_is_found_by_the_doctor(host, places):
    """user-U70: The host itself goes on without a word."""
    path = written(host, places)
    assert [one for one in host.examine(places) if one.level is Level.PROBLEM] == []
    path.write_text(path.read_text().replace("file:///", "file:///gone%20away/"), encoding="utf-8")
    (found,) = [one for one in host.examine(places) if one.level is Level.PROBLEM]
    assert "/gone away/" in found.what
    assert found.next == f"Run `vade install {host.name}`."


CALLS = {
    "opencode": """
    const logged = [];
    const log = async ({ body }) => { logged.push(body.message); throw new Error("x"); };
    const client = { app: { log } };
    const hooks = await entry.server({ directory: "/p", client });
    const stop = await entry.setup({});
    await hooks.dispose?.();
    await stop?.();
    console.log(JSON.stringify([entry.id, Object.keys(hooks).length > 0, typeof stop, logged.length]));
    """,
    "pi": """
    const seen = [];
    await entry({ on: (name) => seen.push(name), registerTool: () => {} });
    console.log(JSON.stringify(seen.length > 0));
    """,
}
LOADED = {"opencode": ["vademecum", True, "function", 0], "pi": True}
NOT_LOADED = {"opencode": ["vademecum", False, "undefined", 1], "pi": False}


@pytest.mark.slow
@pytest.mark.timeout(60)
@HOSTS
@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
@pytest.mark.parametrize("is_there", [True, False], ids=["", "package gone"])
def test_it_loads_also_where_the_package_is_gone(host, runtime, is_there, places, tmp_path):
    """user-U70: It says so in the host's log, where that has one, and the host goes on."""
    if runtime.missing:
        pytest.skip(runtime.missing)
    (tmp_path / "answers.json").write_text("{}")
    server = tmp_path / "python"
    server.write_text(f"#!/bin/sh\nexec {sys.executable} -I {SERVER} {tmp_path}/log {tmp_path}/answers.json\n")
    server.chmod(0o755)
    path = written(host, Places(user_home=tmp_path, environ={}, python=server))
    if not is_there:
        path.write_text(path.read_text().replace("file:///", "file:///gone/"), encoding="utf-8")
    program = tmp_path / "program.mjs"
    program.write_text(f"import entry from {json.dumps(path.as_uri())};\n{CALLS[host.name]}\nprocess.exit(0);")
    run = subprocess.run(
        [*runtime.command, str(program)],
        env={"PATH": os.environ["PATH"], **dict(runtime.environ)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == (LOADED if is_there else NOT_LOADED)[host.name]
