"""What keeps Claude Code from using memory is told, in either form."""

import json
from pathlib import Path

import pytest

from vademecum.findings import Level
from vademecum.hosts import Places, host_named
from vademecum.hosts.claude_code.examining import examine
from vademecum.hosts.claude_code.places import marketplace_folder


def findings(places, settings):
    file = places.user_home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
    return [finding for finding in examine(places) if finding.level is not Level.OK]


CONNECTED = "plugin:vademecum:vademecum:\n  Status: ✔ Connected\n  Type: stdio"


@pytest.fixture
def program(tmp_path):
    """Puts a program in the place of Claude Code that says this, and keeps what it was asked."""

    def put(words, code=0):
        file = tmp_path / "bin" / "claude"
        file.parent.mkdir(exist_ok=True)
        said = tmp_path / "said"
        said.write_text(words)
        file.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat {said}\nexit {code}\n')
        file.chmod(0o700)

    put(CONNECTED)
    return put


@pytest.fixture
def places(user_home, program, tmp_path):
    environ = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    return Places(user_home=user_home, environ=environ, python=Path("/opt/python"))


def plug_in(places, form):
    """Write what the installer writes into the settings and among the servers."""
    for edit in host_named("claude-code").forms[form](places):
        if edit.path.suffix == ".json" and (text := edit.change(None)):
            edit.path.parent.mkdir(parents=True, exist_ok=True)
            edit.path.write_text(text)


@pytest.mark.parametrize(("form", "server"), [("plugin", "plugin:vademecum:vademecum"), ("settings", "vademecum")])
@pytest.mark.parametrize(
    ("words", "code", "level"),
    [
        (CONNECTED, 0, Level.OK),
        ('No MCP server named "plugin:vademecum:vademecum".', 1, Level.PROBLEM),
        ("plugin:vademecum:vademecum:\n  Status: ✘ Failed to connect", 0, Level.PROBLEM),
        ("error: unknown command", 1, Level.NOTE),
        ("", 0, Level.NOTE),
    ],
    ids=["connected", "unknown", "failed", "silent", "nothing"],
)
def test_the_program_itself_is_asked_for_our_server_only(places, program, tmp_path, words, code, level, form, server):
    """user-U68: a healthy configuration says nothing of whether the host sees the tools."""
    plug_in(places, form)
    program(words, code)
    (finding,) = examine(places)
    assert finding.level is level
    assert (tmp_path / "asked").read_text().split() == ["mcp", "get", server]


def test_where_the_program_is_not_found_that_is_told(user_home):
    (finding,) = examine(Places(user_home=user_home, environ={"PATH": ""}, python=Path("/opt/python")))
    assert finding.level is Level.NOTE


def test_where_nothing_is_in_the_way_nothing_is_told(places):
    source = {"source": {"source": "directory", "path": str(marketplace_folder(places))}}
    settings = {"enabledPlugins": {"vademecum@vademecum": True}, "extraKnownMarketplaces": {"vademecum": source}}
    assert findings(places, settings) == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"disableAllHooks": True}, "hooks off"),
        ({"enabledPlugins": {"vademecum@vademecum": False}}, "switched off"),
        ({"extraKnownMarketplaces": {"vademecum": {"source": {"path": "/elsewhere"}}}}, "/elsewhere"),
    ],
)
def test_what_is_in_the_way_is_told_with_the_next_step(places, settings, told):
    (finding,) = findings(places, settings)
    assert told in finding.what
    assert finding.next
