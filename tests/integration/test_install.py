"""Memory is plugged into an agent and taken out again, as a person does it."""

import json
import os
import shlex
import tomllib
from pathlib import Path

import pytest

from support.product import Product
from vademecum.home import Home
from vademecum.hosts import HOSTS, Places, host_named, plan_install

CONFIG = b'# mine\r\nmodel = "x" # why\r\n\r\n[features]\r\nmemories = true\r\n'
#: Every way in which memory can be plugged in, as one says it to the command.
WAYS = [
    *((host.name,) for host in HOSTS),
    *((host.name, "--form", form) for host in HOSTS for form in host.forms),
]
HOOKS = b'\xef\xbb\xbf{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}'


@pytest.fixture
def user(closed_home: Path) -> Path:
    """The home of a person who uses Codex."""
    folder = closed_home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_bytes(CONFIG)
    (folder / "config.toml").chmod(0o640)
    (folder / "hooks.json").write_bytes(HOOKS)
    return closed_home


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there who can be asked."""
    for module in ("options", "learner_choice"):
        monkeypatch.setattr(f"vademecum.cli.{module}.is_at_terminal", lambda: True)


@pytest.fixture
def codex_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of Codex is found; it is not run."""
    program = tmp_path / "bin/codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def state_of(folder: Path) -> dict[str, tuple[int, bytes | None]]:
    """Every file and folder below: mode and bytes."""
    return {
        path.relative_to(folder).as_posix(): (path.lstat().st_mode, path.read_bytes() if path.is_file() else None)
        for path in folder.rglob("*")
        if "vademecum" not in path.relative_to(folder).parts[0]
    }


def backups(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.bak"))


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_what_is_taken_out_again_leaves_every_byte_mode_and_folder_as_it_was(
    product: Product, user: Path, way: tuple[str, ...]
):
    """user-U49: nothing is touched unasked, and nothing stays behind."""
    before = state_of(user)
    product.call("install", *way, "--yes")
    assert state_of(user) != before
    product.call("uninstall", way[0], "--yes")
    assert state_of(user) == before


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_it_works_where_the_agent_was_never_used(product: Product, closed_home: Path, way: tuple[str, ...]):
    product.call("install", *way, "--yes")
    product.call("uninstall", way[0], "--yes")
    assert state_of(closed_home) == {}


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_the_second_time_there_is_nothing_to_change(product: Product, user: Path, way: tuple[str, ...]):
    """The form that stands is kept by who names none."""
    product.call("install", *way, "--yes")
    before = state_of(user)
    for words in (way, way[:1]):
        assert "nothing to change" in product.call("install", *words).out
        assert state_of(user) == before


def test_all_keeps_the_form_that_stands(product: Product, user: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    product.call("install", "claude-code", "--form", "settings", "--yes")
    shape = product.call("install", "--all", "--yes", "--json").json
    assert [(host["host"], host["written"]) for host in shape["hosts"]] == [("claude-code", False), ("codex", True)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("codex", "--form", "settings"), "Codex CLI has no form"),
        (("--all", "--form", "settings"), "--form is for one agent"),
        (("claude-code", "--form", "nothing"), "'plugin', 'settings'"),
    ],
)
def test_a_form_that_cannot_be_had_is_refused(product: Product, user: Path, words: tuple[str, ...], told: str):
    before = state_of(user)
    assert told in product.call("install", *words, "--yes", code=2).err
    assert state_of(user) == before


def test_the_person_sees_both_sides_of_a_change_of_the_form(product: Product, closed_home: Path):
    product.call("install", "claude-code", "--yes")
    shown = product.call("install", "claude-code", "--form", "settings", "--dry-run", "--json").json["hosts"][0]
    settings = next(file["diff"] for file in shown["files"] if file["path"].endswith("settings.json"))
    assert '-  "enabledPlugins": {' in settings
    assert "+" in settings
    assert "session-start" in settings
    assert {Path(file["path"]).name for file in shown["files"] if "goes" in file["what"]} >= {".mcp.json", "hooks.json"}


def test_the_person_sees_the_difference_and_nothing_happens_without_a_yes(product: Product, user: Path):
    before = state_of(user)
    refused = product.call("install", "codex", code=2)
    assert "+[mcp_servers.vademecum]" in refused.out.splitlines()
    assert "Add --yes" in refused.err
    shown = product.call("install", "codex", "--dry-run")
    assert "nothing was written" in shown.out
    assert state_of(user) == before


def test_what_is_written_keeps_comments_line_ends_order_marks_and_modes(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    config, hooks = user / ".codex/config.toml", user / ".codex/hooks.json"
    assert config.read_bytes().startswith(CONFIG)
    assert b"\n" not in config.read_bytes().replace(b"\r\n", b"")
    assert config.stat().st_mode & 0o777 == 0o640
    assert hooks.read_bytes().startswith(HOOKS[:60])
    assert tomllib.loads(config.read_text())["features"] == {"memories": True}
    assert [path.read_bytes() for path in backups(user)] == [CONFIG, HOOKS]
    assert {path.stat().st_mode & 0o777 for path in backups(user)} == {0o600}


def test_commands_have_absolute_paths_and_an_interpreter_that_trusts_no_folder(product: Product, user: Path):
    """user-U73, user-U62, user-U65: quoted words, a limit for each, and seconds where the host reads seconds."""
    product.call("install", "codex", "--yes")
    server = tomllib.loads((user / ".codex/config.toml").read_text())["mcp_servers"]["vademecum"]
    assert Path(server["command"]).is_absolute()
    assert server["args"][:3] == ["-I", "-m", "vademecum.mcp"]
    assert server["env"] == {"VADEMECUM_HOME": str(product.home)}
    groups = json.loads((user / ".codex/hooks.json").read_text("utf-8-sig"))["hooks"]
    assert groups["Stop"][0] == {"hooks": [{"type": "command", "command": "mine"}]}
    (hook,) = groups["SessionStart"][0]["hooks"]
    words = shlex.split(hook["command"])
    assert words[1:3] == ["-I", "-S"]
    assert Path(words[3]).is_file()
    assert words[4:] == ["codex", "session-start", "--home", str(product.home)]
    assert {1 <= group["hooks"][0]["timeout"] <= 60 for name, (*_, group) in groups.items()} == {True}


def test_the_extension_of_gemini_counts_in_milliseconds(product: Product, closed_home: Path):
    """user-U62, user-U65"""
    product.call("install", "gemini", "--yes")
    folder = closed_home / ".gemini/extensions/vademecum"
    manifest = json.loads((folder / "gemini-extension.json").read_text())
    assert manifest["name"] == folder.name
    assert manifest["mcpServers"]["vademecum"]["args"][:2] == ["-I", "-m"]
    hooks = json.loads((folder / "hooks/hooks.json").read_text())["hooks"]
    assert set(hooks) == {"SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"}
    assert {group["hooks"][0]["timeout"] for (group,) in hooks.values()} == {10_000}


def test_what_was_edited_since_stays_and_only_ours_goes(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    config = user / ".codex/config.toml"
    config.write_bytes(b"top = 1\r\n" + config.read_bytes() + b"\r\n# below\r\n[projects.x]\r\na = 1\r\n")
    answer = product.call("uninstall", "codex", "--yes")
    assert "edited since" in answer.out
    assert config.read_bytes() == b"top = 1\r\n" + CONFIG + b"\r\n# below\r\n[projects.x]\r\na = 1\r\n"
    assert (user / ".codex/hooks.json").read_bytes() == HOOKS
    assert [path.read_bytes() for path in backups(user)] == [CONFIG]


def test_without_its_backup_only_ours_goes(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    for backup in backups(user):
        backup.unlink()
    answer = product.call("uninstall", "codex", "--yes")
    assert "is gone: only what is ours is taken out" in answer.out
    assert (user / ".codex/config.toml").read_bytes() == CONFIG
    assert (user / ".codex/hooks.json").read_bytes() == HOOKS


def test_without_the_record_only_ours_goes(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    (product.home / "runtime/hosts/codex.json").unlink()
    product.call("uninstall", "codex", "--yes")
    assert (user / ".codex/config.toml").read_bytes() == CONFIG
    assert (user / ".codex/hooks.json").read_bytes() == HOOKS


def test_an_older_installation_is_brought_up_to_date_and_still_gives_the_bytes_back(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    for name in ("config.toml", "hooks.json"):
        file = user / ".codex" / name
        file.write_bytes(file.read_bytes().replace(b"vademecum.mcp", b"old.mcp").replace(b"-S", b"-E"))
    assert "vademecum.mcp" in product.call("install", "codex", "--yes").out
    again = product.call("install", "codex", "--yes")
    assert "nothing to change" in again.out
    text = (user / ".codex/hooks.json").read_text("utf-8-sig")
    assert [len(groups) for groups in json.loads(text)["hooks"].values()] == [2, 1, 1, 1, 1, 1]
    product.call("uninstall", "codex", "--yes")
    assert (user / ".codex/config.toml").read_bytes() == CONFIG


def test_a_file_of_ours_that_was_edited_goes_and_a_copy_stays(product: Product, closed_home: Path):
    product.call("install", "gemini", "--yes")
    folder = closed_home / ".gemini/extensions/vademecum"
    manifest = folder / "gemini-extension.json"
    manifest.write_text(manifest.read_text().replace("0.1.0", "mine"))
    answer = product.call("uninstall", "gemini", "--yes")
    assert "a copy stays" in answer.out
    (copy,) = (path for path in folder.rglob("*") if path.is_file())
    assert "mine" in copy.read_text()
    assert str(copy.name) in answer.out


def test_files_of_ours_need_no_record_to_go(product: Product, closed_home: Path):
    product.call("install", "gemini", "--yes")
    (product.home / "runtime/hosts/gemini.json").unlink()
    product.call("uninstall", "gemini", "--yes")
    assert not (closed_home / ".gemini/extensions/vademecum").exists()


def test_the_person_at_a_terminal_is_asked_and_who_may_learn(
    product: Product, user: Path, at_terminal: None, codex_on_path: None
):
    """A no writes nothing; what costs is begun by a choice only."""
    before = state_of(user)
    assert "nothing was written" in product.call("install", "codex", stdin="n\n").out
    assert state_of(user) == before
    asked = product.call("install", "codex", stdin="y\n\n")
    assert "costs nothing" in asked.err
    assert "costs what your plan takes" in asked.err
    assert product.call("config", "get", "memories.learner").out.strip() == "extractive"
    product.call("uninstall", "codex", stdin="y\n")
    product.call("install", "codex", stdin="y\ncodex\n")
    assert product.call("config", "get", "memories.learner").out.strip() == "codex"


def test_memory_itself_stays_and_its_place_is_told(product: Product, user: Path):
    product.call("note", "call her Ada")
    product.call("install", "codex", "--yes")
    assert str(product.home) in product.call("uninstall", "codex", "--yes").out
    assert "Ada" in product.call("context").out


def test_a_link_within_the_home_is_followed_and_stays(product: Product, user: Path):
    config = user / ".codex/config.toml"
    kept = user / "dotfiles/codex.toml"
    kept.parent.mkdir()
    config.rename(kept)
    config.symlink_to("../dotfiles/codex.toml")
    product.call("install", "codex", "--yes")
    assert config.is_symlink()
    assert b"mcp_servers" in kept.read_bytes()
    product.call("uninstall", "codex", "--yes")
    assert config.is_symlink()
    assert kept.read_bytes() == CONFIG
    assert backups(user) == []


def link_out(config: Path, elsewhere: Path) -> None:
    (elsewhere / "config.toml").write_bytes(CONFIG)
    config.unlink()
    config.symlink_to(elsewhere / "config.toml")


def link_to_nothing(config: Path, elsewhere: Path) -> None:
    config.unlink()
    config.symlink_to(config.parent / "nothing")


def link_in_a_loop(config: Path, elsewhere: Path) -> None:
    config.unlink()
    config.symlink_to(config)


def folder(config: Path, elsewhere: Path) -> None:
    config.unlink()
    config.mkdir()


def pipe(config: Path, elsewhere: Path) -> None:
    config.unlink()
    os.mkfifo(config)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda config, _: config.write_bytes(b"a = 1\nb = \n"), "this is no TOML"),
        (lambda config, _: config.write_bytes(b"a = 1\n\xff\n"), "line 2: this is no UTF-8"),
        (lambda config, _: config.chmod(0o400), "is read-only"),
        (lambda config, _: config.parent.chmod(0o500), "is read-only"),
        (link_out, "outside of your home"),
        (link_to_nothing, "where nothing is"),
        (link_in_a_loop, "leads nowhere"),
        (folder, "cannot be read"),
        (pipe, "cannot be read"),
    ],
)
def test_a_file_that_is_not_ours_to_change_is_refused_and_nothing_is_written(
    product: Product, user: Path, tmp_path: Path, spoil, told: str
):
    spoil(user / ".codex/config.toml", tmp_path)
    try:
        answer = product.call("install", "codex", "--yes", code=4)
    finally:
        (user / ".codex").chmod(0o700)
    assert told in answer.err
    assert "No file of the host was changed" in answer.err
    assert backups(user) == []
    assert (user / ".codex/hooks.json").read_bytes() == HOOKS


@pytest.mark.parametrize("settings", ['{\n  // mine\n  "model": "opus"\n}\n', '{"model": "opus",}'])
def test_settings_that_the_agent_itself_would_not_read_are_refused_and_the_doctor_names_them(
    product: Product, closed_home: Path, settings: str
):
    """Memory would stand in a file that Claude Code drops whole."""
    file = closed_home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(settings)
    refused = product.call("install", "claude-code", "--yes", code=4)
    assert "reads nothing of such a file" in refused.err
    assert "Take the comments" in refused.err
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]

    file.write_text("{}")
    product.call("install", "claude-code", "--yes")
    file.write_text(file.read_text().replace("{", "{ // mine", 1))
    found = product.call("doctor", "--json", code=1).json["findings"]
    told = [finding["what"] for finding in found if finding["area"] == "claude-code"]
    assert any("reads nothing" in what for what in told)
    assert not any("memory is plugged into" in what for what in told)

    product.call("uninstall", "claude-code", "--yes")
    assert json.loads(file.read_text().replace("// mine", "")) == {}


def test_secrets_of_the_person_are_not_printed(product: Product, user: Path):
    token = "sk-ant-" + "api03-" + "Zx9" * 30
    (user / ".codex/config.toml").write_text(f'api_key = "{token}"\n')
    answer = product.call("install", "codex", "--yes")
    assert token not in answer.out
    assert token in (user / ".codex/config.toml").read_text()


def test_all_takes_the_agents_that_are_here(product: Product, user: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    shape = product.call("install", "--all", "--yes", "--json").json
    assert [(host["host"], host["written"]) for host in shape["hosts"]] == [("codex", True)]


def test_where_no_agent_is_found_it_is_said(product: Product, closed_home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert "none of the agents" in product.call("install", "--all", "--yes", code=1).err


@pytest.mark.parametrize("words", [("install",), ("install", "codex", "--all"), ("install", "nothing")])
def test_a_wrong_call_names_the_hosts(product: Product, words: tuple[str, ...]):
    assert "codex" in product.call(*words, code=2).err


def test_a_yes_never_begins_what_costs(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    assert product.call("config", "get", "memories.learner").out.strip() == "extractive"


@pytest.mark.parametrize(
    ("learner", "lacks", "next_step"), [("model", "no model is set", "model.extract_model"), ("codex", "PATH", "codex")]
)
def test_a_learner_that_could_not_begin_is_refused_before_anything_is_written(
    product: Product, user: Path, monkeypatch: pytest.MonkeyPatch, learner: str, lacks: str, next_step: str
):
    monkeypatch.setenv("PATH", "/nothing")
    before = state_of(user)
    answer = product.call("install", "codex", "--yes", "--learner", learner, code=2)
    assert f"{learner} cannot learn yet" in answer.err
    assert lacks in answer.err
    assert "extractive goes on learning" in answer.err
    assert next_step in answer.err.splitlines()[-1]
    assert state_of(user) == before
    assert product.call("config", "get", "memories.learner").out.strip() == "extractive"


def test_who_chooses_a_learner_that_could_not_begin_is_told_what_it_lacks_and_keeps_the_former_one(
    product: Product, user: Path, at_terminal: None
):
    asked = product.call("install", "codex", stdin="y\nmodel\n")
    assert "memory is plugged in" in asked.out
    assert "no model is set" in asked.err
    assert "vade config set memories.learner model" in asked.err
    assert product.call("config", "get", "memories.learner").out.strip() == "extractive"


def test_who_goes_away_from_a_question_is_told_how_things_stand(product: Product, user: Path, at_terminal: None):
    """The end of the input is to a question what Ctrl-C is."""
    before = state_of(user)
    left = product.call("install", "codex", stdin="", code=130)
    assert "interrupted: nothing was changed for Codex CLI" in left.err
    assert state_of(user) == before
    left = product.call("install", "codex", stdin="y\n", code=130)
    assert "interrupted: memory is plugged in, and extractive goes on learning" in left.err
    left = product.call("uninstall", "codex", stdin="", code=130)
    assert "interrupted: nothing was changed for Codex CLI" in left.err


def test_the_files_stand_in_a_short_list_below_the_difference(product: Product, user: Path):
    (user / ".codex/hooks.json").unlink()
    shown = product.call("install", "codex", "--dry-run").out.splitlines()
    listed = shown[max(at for at, line in enumerate(shown) if line.startswith("+")) + 1 :]
    assert [line.split()[:2] for line in listed if ".codex" in line] == [
        ["changed", "~/.codex/config.toml"],
        ["new", "~/.codex/hooks.json"],
    ]


def test_all_hosts_are_taken_out_with_one_command(product: Product, user: Path):
    before = state_of(user)
    for host in ("codex", "gemini"):
        product.call("install", host, "--yes")
    taken = product.call("uninstall", "--all", "--yes", "--json").json["hosts"]
    assert [host["host"] for host in taken if host["written"]] == ["codex", "gemini"]
    assert state_of(user) == before
    assert "nothing to change" in product.call("uninstall", "--all").out


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_one_file_that_cannot_be_edited_keeps_no_other_agent_from_its_turn(
    product: Product, user: Path, monkeypatch: pytest.MonkeyPatch, command: str
):
    monkeypatch.setenv("PATH", "")
    product.call("install", "codex", "--yes")
    (user / ".claude").mkdir()
    (user / ".claude/settings.json").write_text("{")
    if command == "install":
        product.call("uninstall", "codex", "--yes")
    answer = product.call(command, "--all", "--yes", "--json", code=4)
    assert "settings.json" in answer.error["message"]
    assert "codex" in [host["host"] for host in answer.json["hosts"] if host["written"]]


def test_a_copy_that_stays_is_told_with_what_may_become_of_it(product: Product, user: Path):
    product.call("install", "codex", "--yes")
    (user / ".codex/config.toml").write_bytes((user / ".codex/config.toml").read_bytes() + b"# mine\r\n")
    (backup,) = user.rglob("config.toml*.bak")
    told = product.call("uninstall", "codex", "--yes").out
    assert f"{backup}, which you can delete once you have looked at it" in told


def test_who_learns_is_stored_where_the_person_says_it(product: Product, user: Path, codex_on_path: None):
    product.call("install", "codex", "--yes", "--learner", "codex")
    assert product.call("config", "get", "memories.learner").out.strip() == "codex"


def test_without_hooks_codex_is_pointed_to_the_tools(product: Product, user: Path):
    config, guide = user / ".codex/config.toml", user / ".codex/AGENTS.md"
    config.write_text("[features]\nhooks = false\n")
    guide.write_text("# Mine\n")
    product.call("install", "codex", "--yes")
    assert guide.read_text().startswith("# Mine\n\n<!-- vademecum")
    assert (user / ".codex/hooks.json").read_bytes() == HOOKS
    config.write_text(config.read_text().replace("hooks = false", "hooks = true"))
    product.call("install", "codex", "--yes")
    assert guide.read_text() == "# Mine\n"


def test_the_folder_that_codex_home_names_is_taken(product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))
    product.call("install", "codex", "--yes")
    assert (tmp_path / "elsewhere/config.toml").is_file()
    product.call("uninstall", "codex", "--yes")
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_changes_while_the_person_is_asked_is_not_written(user: Path, product: Product):
    from vademecum.errors import BusyError
    from vademecum.hosts import carry_out

    places = Places.here({"HOME": str(user)})
    plan = plan_install(host_named("codex"), places)
    (user / ".codex/hooks.json").write_text("{}")
    with pytest.raises(BusyError, match=r"hooks\.json was changed meanwhile"):
        carry_out(plan, Home(root=product.home), user)
    assert (user / ".codex/config.toml").read_bytes() == CONFIG


def test_a_rehearsed_removal_shows_what_would_go_and_changes_nothing(product: Product):
    product.call("install", "pi", "--yes")
    shown = product.call("uninstall", "pi", "--dry-run").out
    assert "memory made it" in shown
    assert "nothing was changed" in shown + product.call("uninstall", "pi", "--dry-run").err
    assert product.call("install", "pi", "--dry-run").out == "pi: nothing to change, memory is plugged in\n"


def test_a_server_of_our_name_that_a_person_wrote_stays(product: Product, user: Path):
    """user-U49"""
    config = user / ".codex/config.toml"
    config.parent.mkdir(exist_ok=True)
    written = '[mcp_servers.vademecum]\ncommand = "/opt/mine/server"\nargs = ["--fast"]\n'
    config.write_text(written, encoding="utf-8")
    product.call("uninstall", "codex", "--yes")
    assert config.read_text(encoding="utf-8") == written


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('// mine\n{"hooks": {}}\n', "a comment or a comma too many"),
        ('{"hooks": {},}\n', "a comment or a comma too many"),
        ('{"version": 1, "hooks": {}}\n', "'version' beside `hooks`"),
    ],
)
def test_a_file_of_which_codex_would_run_no_hook_is_refused_by_name(product: Product, user: Path, text, why):
    """Tried with Codex 0.171."""
    hooks = user / ".codex/hooks.json"
    hooks.write_text(text, encoding="utf-8")
    refused = product.call("install", "codex", "--yes", code=4)
    assert why in refused.err
    assert str(hooks) in refused.err
    assert hooks.read_text(encoding="utf-8") == text


def test_blank_settings_are_taken_for_none(product: Product, user: Path):
    settings = user / ".claude/settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("\n", encoding="utf-8")
    product.call("install", "claude-code", "--form", "settings", "--yes")
    product.call("uninstall", "claude-code", "--yes")
    assert settings.read_text(encoding="utf-8") == "\n"
