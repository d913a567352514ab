"""Memory stands in Claude Code in one form at a time, and each gives back what was there."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from vademecum.errors import CannotEdit, UsageError
from vademecum.home import Home
from vademecum.hosts import Places, carry_out, host_named, plan_install, plan_removal

HOST = host_named("claude-code")
PLUGIN, SETTINGS = "plugin", "settings"
MINE = '{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}\n'
SERVERS = '{\n  "userID": "x",\n  "mcpServers": {\n    "other": {\n      "command": "other"\n    }\n  }\n}'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(root=tmp_path / "home")


@pytest.fixture
def install(places, home, user_home):
    def installed(form=None, at=places):
        plan = plan_install(HOST, at, form)
        carry_out(plan, home, user_home)
        return plan

    return installed


@pytest.fixture
def remove(places, home, user_home):
    return lambda: carry_out(plan_removal(HOST, places, home), home, user_home)


@pytest.fixture
def theirs(user_home) -> dict[str, str]:
    """What a person has, who uses Claude Code."""
    (user_home / ".claude/commands").mkdir(parents=True)
    files = {".claude.json": SERVERS, ".claude/settings.json": MINE, ".claude/commands/mine.md": "mine"}
    for name, text in files.items():
        (user_home / name).write_text(text)
    return files


def files_below(folder: Path) -> dict[str, str]:
    found = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    return {name: text for name, text in found.items() if not name.endswith(".bak")}


def sources_of_hooks(user_home: Path) -> list[str]:
    """Where Claude Code finds hooks of ours."""
    settings = json.loads((user_home / ".claude/settings.json").read_text())
    found = [PLUGIN] if settings.get("enabledPlugins") else []
    return [*found, SETTINGS] if "claude-code session-start" in json.dumps(settings.get("hooks")) else found


def test_entries_stand_behind_those_of_the_person(install, user_home, theirs, places):
    install(SETTINGS)
    settings = json.loads((user_home / ".claude/settings.json").read_text())
    mine, ours = settings["hooks"]["Stop"]
    assert mine == {"hooks": [{"type": "command", "command": "mine"}]}
    assert ours["hooks"][0]["timeout"] == 10
    assert len(settings["hooks"]) == 6
    servers = json.loads((user_home / ".claude.json").read_text())["mcpServers"]
    assert list(servers) == ["other", "vademecum"]
    wiring = HOST.wiring(places)
    assert wiring.server.words[:4] == ("/opt/python", "-I", "-m", "vademecum.mcp")
    assert {event: command.words for event, command in wiring.hooks.items()} == {
        event: places.hook_command("claude-code", event)
        for event in ("session-start", "prompt", "pre-compact", "post-compact", "stop", "session-end")
    }
    assert set(files_below(user_home)) - set(theirs) == {
        ".claude/skills/vademecum-memory/SKILL.md",
        ".claude/commands/vademecum/memory.md",
        ".claude/commands/vademecum/remember.md",
    }


@pytest.mark.parametrize(
    ("first", "then"), [(PLUGIN, SETTINGS), (SETTINGS, PLUGIN), (PLUGIN, PLUGIN), (SETTINGS, SETTINGS)]
)
def test_a_change_of_the_form_leaves_nothing_of_the_other(install, remove, user_home, theirs, first, then):
    """Hooks of both would fire twice. What was there before either comes back to the byte."""
    install(then)
    alone = files_below(user_home)
    remove()
    install(first)
    install(then)
    assert files_below(user_home) == alone
    assert sources_of_hooks(user_home) == [then]
    assert not any(path.is_dir() and not any(path.iterdir()) for path in user_home.rglob("*"))
    remove()
    assert files_below(user_home) == theirs
    assert not list(user_home.rglob("*.bak"))


@pytest.mark.parametrize("form", [PLUGIN, SETTINGS])
def test_the_form_that_stands_is_kept(install, places, form):
    install(form)
    assert plan_install(HOST, places).changes == ()
    assert plan_install(HOST, places, form).changes == ()


def test_without_a_choice_it_is_the_plugin(install, user_home):
    install()
    assert sources_of_hooks(user_home) == [PLUGIN]


@pytest.mark.parametrize(("first", "then"), [(PLUGIN, SETTINGS), (SETTINGS, PLUGIN), ("", SETTINGS), ("", PLUGIN)])
def test_killed_at_any_step_no_hook_stands_twice_and_the_next_run_ends_it(
    install, remove, places, home, user_home, theirs, first, then
):
    if first:
        install(first)
    plan = plan_install(HOST, places, then)
    for steps in range(len(plan.changes)):
        carry_out(msgspec.structs.replace(plan, changes=plan.changes[:steps]), home, user_home)
        assert len(sources_of_hooks(user_home)) <= 1
    carry_out(plan_install(HOST, places), home, user_home)
    standing = sources_of_hooks(user_home)
    assert standing == [then]
    assert (".claude/vademecum/plugin/.mcp.json" in files_below(user_home)) is (then == PLUGIN)
    assert ('"vademecum"' in (user_home / ".claude.json").read_text()) is (then == SETTINGS)
    remove()
    assert files_below(user_home) == theirs


@pytest.mark.parametrize("then", [PLUGIN, SETTINGS])
def test_what_claude_code_wrote_meanwhile_stays(install, remove, user_home, theirs, then):
    """It writes the file of its servers anew all the time."""
    install(SETTINGS)
    file = user_home / ".claude.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "numStartups": 2}))
    install(then)
    remove()
    assert json.loads(file.read_text()) == {**json.loads(SERVERS), "numStartups": 2}
    assert (user_home / ".claude/settings.json").read_text() == MINE


def test_notes_of_the_plugin_do_not_come_back_after_a_change_of_the_form(install, remove, user_home):
    install(PLUGIN)
    notes = user_home / ".claude/plugins/known_marketplaces.json"
    notes.parent.mkdir()
    notes.write_text(json.dumps({"vademecum": {}, "official": {}}))
    install(SETTINGS)
    assert json.loads(notes.read_text()) == {"official": {}}
    remove()
    assert json.loads(notes.read_text()) == {"official": {}}


def test_without_a_record_too_the_other_form_goes(install, remove, home, user_home, theirs):
    install(SETTINGS)
    (home.runtime / "hosts/claude-code.json").unlink()
    install(PLUGIN)
    assert sources_of_hooks(user_home) == [PLUGIN]
    remove()
    assert json.loads((user_home / ".claude.json").read_text()) == json.loads(SERVERS)


def test_a_file_that_may_be_the_persons_leaves_a_copy(install, user_home):
    skill = user_home / ".claude/skills/vademecum-memory/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine")
    install(PLUGIN)
    assert not skill.exists()
    (copy,) = skill.parent.iterdir()
    assert copy.read_text() == "mine"


@pytest.mark.parametrize("form", [PLUGIN, SETTINGS])
def test_a_server_of_our_name_that_a_person_wrote_is_theirs(install, remove, user_home, form):
    """The plugin leaves it alone; our own entry gives it back."""
    file = user_home / ".claude.json"
    file.write_text('{"mcpServers": {"vademecum": {"command": "vade", "args": ["mcp"]}}}')
    before = file.read_text()
    install(form)
    assert (file.read_text() == before) is (form == PLUGIN)
    remove()
    assert file.read_text() == before


@pytest.mark.parametrize("broken", ["{ not json", '{\n  // mine\n  "userID": "x"\n}', '{"a": [[['])
def test_a_file_of_servers_that_the_agent_would_not_read_is_refused_and_hinders_no_plugin(
    install, places, user_home, broken
):
    """Claude Code does not start with one."""
    file = user_home / ".claude.json"
    file.write_text(broken)
    with pytest.raises(CannotEdit, match=r"\.claude\.json"):
        plan_install(HOST, places, SETTINGS)
    install(PLUGIN)
    assert file.read_text() == broken


def test_servers_stand_where_claude_code_looks_for_them(user_home):
    def servers(**environ: str) -> set[Path]:
        places = Places(user_home=user_home, environ=environ, python=Path("/opt/python"))
        return {edit.path for edit in HOST.forms[SETTINGS](places) if edit.path.suffix == ".json"}

    elsewhere = user_home / "elsewhere"
    assert servers() == {user_home / ".claude/settings.json", user_home / ".claude.json"}
    chosen = {"CLAUDE_CONFIG_DIR": str(elsewhere)}
    assert servers(**chosen) == {elsewhere / "settings.json", elsewhere / ".claude.json"}
    elsewhere.mkdir()
    (elsewhere / ".config.json").write_text("{}")
    assert servers(**chosen) == {elsewhere / "settings.json", elsewhere / ".config.json"}


def test_secrets_among_the_servers_are_not_shown(places, user_home):
    token = "sk-ant-" + "api03-" + "Zx9" * 30
    environ = {"API_TOKEN": "q7" * 20, "PLAIN": token}
    file = user_home / ".claude.json"
    file.write_text(json.dumps({"mcpServers": {"other": {"env": environ}}}, indent=2))
    (change,) = (change for change in plan_install(HOST, places, SETTINGS).changes if change.path == file)
    shown = "\n".join(change.diff())
    assert "vademecum.mcp" in shown
    assert not any(secret in shown for secret in environ.values())


def test_the_mode_of_the_file_of_servers_stays(install, user_home):
    file = user_home / ".claude.json"
    file.write_text("{}")
    file.chmod(0o600)
    install(SETTINGS)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o777 for path in user_home.glob("*.bak")} == {0o600}


def test_a_link_of_a_dotfile_manager_is_followed_in_this_form_too(install, remove, user_home):
    kept = user_home / "dotfiles/settings.json"
    kept.parent.mkdir()
    kept.write_text(MINE)
    link = user_home / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(os.path.relpath(kept, link.parent))
    install(SETTINGS)
    assert link.is_symlink()
    assert "session-start" in kept.read_text()
    install(PLUGIN)
    remove()
    assert link.is_symlink()
    assert kept.read_text() == MINE


def test_a_form_that_a_host_does_not_have_is_refused(places):
    with pytest.raises(UsageError, match="no form"):
        plan_install(host_named("codex"), places, SETTINGS)
    with pytest.raises(UsageError, match="no form"):
        plan_install(HOST, places, "nothing")
