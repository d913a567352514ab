"""What is written for Claude Code, and what is taken out again."""

import json
from pathlib import Path

import pytest

from vademecum.errors import CannotEdit
from vademecum.home import Home
from vademecum.hosts import Places, carry_out, host_named, plan_install, plan_removal

HOST = host_named("claude-code")
EVENTS = {"session-start", "prompt", "pre-compact", "post-compact", "stop", "session-end"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(root=tmp_path / "home")


@pytest.fixture
def install(places, home, user_home):
    def installed(at=places):
        plan = plan_install(HOST, at)
        carry_out(plan, home, user_home)
        return plan

    return installed


@pytest.fixture
def remove(places, home, user_home):
    return lambda: carry_out(plan_removal(HOST, places, home), home, user_home)


def files_below(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_plugin_is_written_and_switched_on(install, user_home):
    install()
    folder = user_home / ".claude"
    settings = json.loads((folder / "settings.json").read_text())
    source = settings["extraKnownMarketplaces"]["vademecum"]["source"]
    assert source == {"source": "directory", "path": str(folder / "vademecum")}
    assert settings["enabledPlugins"] == {"vademecum@vademecum": True}
    market = json.loads((folder / "vademecum/.claude-plugin/marketplace.json").read_text())
    (offered,) = market["plugins"]
    plugin = folder / "vademecum" / offered["source"]
    assert json.loads((plugin / ".claude-plugin/plugin.json").read_text())["name"] == offered["name"] == "vademecum"
    assert set(files_below(plugin)) == {
        ".claude-plugin/plugin.json",
        ".mcp.json",
        "commands/memory.md",
        "commands/remember.md",
        "hooks/hooks.json",
        "skills/long-term-memory/SKILL.md",
    }


def test_every_command_names_its_program_with_the_whole_path(install, places):
    """A working directory is somebody's repository; what stands in it must not be found on the way."""
    install()
    wiring = HOST.wiring(places)
    assert wiring.server.words[:4] == ("/opt/python", "-I", "-m", "vademecum.mcp")
    assert set(wiring.hooks) == EVENTS
    for event, command in wiring.hooks.items():
        assert command.words == places.hook_command("claude-code", event)
        assert all(Path(command.words[place]).is_absolute() for place in (0, 3))


def test_a_path_with_blanks_and_quotes_is_one_word(install, user_home):
    """user-U73"""
    places = Places(user_home=user_home, environ={}, python=Path('/opt/my "own" $HOME/python\'s'))
    install(places)
    wiring = HOST.wiring(places)
    assert wiring.server.words[0] == str(places.python)
    assert {command.words[0] for command in wiring.hooks.values()} == {str(places.python)}


def test_hooks_have_a_short_time(install, user_home):
    """user-U62, user-U65: in seconds, as this host reads it."""
    install()
    hooks = json.loads((user_home / ".claude/vademecum/plugin/hooks/hooks.json").read_text())["hooks"]
    assert {hook["timeout"] for groups in hooks.values() for group in groups for hook in group["hooks"]} == {10}


def test_a_home_of_the_persons_choice_is_handed_on(install, user_home, tmp_path):
    places = Places(user_home=user_home, environ={}, python=Path("/opt/python"), home=tmp_path / "my memory")
    install(places)
    wiring = HOST.wiring(places)
    assert wiring.server.environ == {"VADEMECUM_HOME": str(tmp_path / "my memory")}
    assert all(command.words[-1] == str(tmp_path / "my memory") for command in wiring.hooks.values())


def test_a_folder_of_settings_of_the_persons_choice_is_used(user_home):
    environ = {"CLAUDE_CONFIG_DIR": str(user_home / "elsewhere")}
    places = Places(user_home=user_home, environ=environ, python=Path("/opt/python"))
    assert all(edit.path.is_relative_to(user_home / "elsewhere") for edit in HOST.installation(places))


def test_a_second_installation_changes_nothing(install, places):
    install()
    assert plan_install(HOST, places).changes == ()


@pytest.mark.parametrize("before", [None, '{"model": "opus", "enabledPlugins": {"other@market": true}}\n', "{}", ""])
def test_what_was_there_comes_back_to_the_byte(install, remove, user_home, before):
    settings = user_home / ".claude" / "settings.json"
    if before is not None:
        settings.parent.mkdir()
        settings.write_text(before)
    install()
    if before:
        assert set(json.loads(before)) <= set(json.loads(settings.read_text()))
    remove()
    left = {name: text for name, text in files_below(user_home).items() if not name.endswith(".bak")}
    assert left == ({} if before is None else {".claude/settings.json": before})
    assert not (user_home / ".claude" / "vademecum").exists()


def test_from_settings_that_were_edited_since_only_ours_goes(install, remove, user_home):
    install()
    file = user_home / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["model"] = "opus"
    settings["enabledPlugins"]["other@market"] = True
    file.write_text(json.dumps(settings))
    remove()
    assert json.loads(file.read_text()) == {"model": "opus", "enabledPlugins": {"other@market": True}}


def test_what_claude_code_noted_of_the_plugin_goes_too(install, remove, user_home):
    install()
    plugins = user_home / ".claude" / "plugins"
    plugins.mkdir()
    (plugins / "known_marketplaces.json").write_text(json.dumps({"vademecum": {}, "official": {}}))
    (plugins / "installed_plugins.json").write_text(
        json.dumps({"version": 2, "plugins": {"vademecum@vademecum": [], "other@market": []}})
    )
    remove()
    assert json.loads((plugins / "known_marketplaces.json").read_text()) == {"official": {}}
    assert json.loads((plugins / "installed_plugins.json").read_text())["plugins"] == {"other@market": []}


def test_settings_that_cannot_be_read_are_left_alone(places, user_home):
    file = user_home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text("{ not json")
    with pytest.raises(CannotEdit):
        plan_install(HOST, places)
    assert files_below(user_home) == {".claude/settings.json": "{ not json"}


def test_where_it_is_not_switched_on_nothing_of_ours_is_found(places, install, user_home):
    assert HOST.wiring(places).server is None
    install()
    file = user_home / ".claude" / "settings.json"
    file.write_text(file.read_text().replace("true", "false"))
    assert HOST.wiring(places).server is None


@pytest.mark.parametrize("there", [True, False])
def test_it_is_there_where_its_folder_is(places, user_home, there):
    if there:
        (user_home / ".claude").mkdir()
    assert HOST.is_there(places) is there
