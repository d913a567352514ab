"""Installations that are killed at any step, and several at once: every file is whole, and all can be taken back."""

import json
import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest

from support.killing import before_step, in_child, kill_at
from vademecum.errors import VademecumError
from vademecum.home import Home
from vademecum.hosts import Places, carry_out, host_named, plan_install, plan_removal

CONFIG = b'model = "x"  # mine\n'
HOOKS = b'{"hooks": {"Stop": []}}\n'


@pytest.fixture
def user(tmp_path: Path) -> Path:
    folder = tmp_path / "user/.codex"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_bytes(CONFIG)
    (folder / "hooks.json").write_bytes(HOOKS)
    return tmp_path / "user"


def places_of(user: Path) -> Places:
    return Places.here({"HOME": str(user), "VADEMECUM_HOME": str(user.parent / "home")})


def install(user: Path, host: str = "codex", form: str | None = None) -> None:
    places = places_of(user)
    carry_out(plan_install(host_named(host), places, form), Home.find(places.environ), user)


def remove(user: Path, host: str = "codex") -> None:
    places, home = places_of(user), Home.find(places_of(user).environ)
    carry_out(plan_removal(host_named(host), places, home), home, user)


def is_whole(user: Path) -> bool:
    """Each file is as the person had it, or as a whole installation has it."""
    tomllib.loads((user / ".codex/config.toml").read_text())
    json.loads((user / ".codex/hooks.json").read_text())
    return (user / ".codex/config.toml").read_bytes().startswith(CONFIG)


def killed(step: int, action: Callable[[Path], None], user: Path) -> int:
    return in_child(lambda: (kill_at(step), action(user)))


def fails(step: int, user: Path) -> bool:
    """Whether an installation fails when the disk does so from this step on."""

    def full() -> None:
        raise OSError(28, "No space left on device")

    def attempt() -> None:
        before_step(step, full, from_then_on=True)
        try:
            install(user)
        except (VademecumError, OSError):
            os._exit(9)

    return in_child(attempt) == 9


def files(user: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((user / ".codex").iterdir())}


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("then", ["remove", "install and remove"])
def test_an_installation_that_is_killed_at_any_step_can_be_finished_and_taken_back(user: Path, then: str):
    step, code = 0, -9
    while code:
        code = killed(step, install, user)
        assert is_whole(user)
        if then == "install and remove":
            install(user)
        remove(user)
        assert files(user) == {"config.toml": CONFIG, "hooks.json": HOOKS}, f"killed at step {step}"
        step += 1
    assert step > 10


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("first", "then"), [("plugin", "settings"), ("settings", "plugin")])
def test_a_change_of_the_form_that_is_killed_at_any_step_leaves_one_form(tmp_path: Path, first: str, then: str):
    """The next run ends it, and what was there before comes back."""
    user = tmp_path / "user"
    settings, servers = user / ".claude/settings.json", user / ".claude.json"
    settings.parent.mkdir(parents=True)
    settings.write_bytes(HOOKS)
    servers.write_bytes(b'{"userID": "x"}')
    step, code = 0, -9
    while code:
        install(user, "claude-code", first)
        code = killed(step, lambda user: install(user, "claude-code", then), user)
        standing = json.loads(settings.read_text())
        json.loads(servers.read_text())
        assert ("enabledPlugins" in standing) != ("SessionStart" in standing.get("hooks", {})), f"killed at step {step}"
        install(user, "claude-code")
        assert ("mcpServers" in json.loads(servers.read_text())) != ("enabledPlugins" in settings.read_text())
        remove(user, "claude-code")
        left = {path.name: path.read_bytes() for path in user.rglob("*") if path.is_file()}
        assert left == {"settings.json": HOOKS, ".claude.json": b'{"userID": "x"}'}, f"killed at step {step}"
        step += 1
    assert step > 10


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_removal_that_is_killed_at_any_step_can_be_finished(user: Path):
    step, code = 0, -9
    while code:
        install(user)
        code = killed(step, remove, user)
        assert is_whole(user)
        remove(user)
        assert files(user) == {"config.toml": CONFIG, "hooks.json": HOOKS}, f"killed at step {step}"
        step += 1
    assert step > 5


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_disk_that_fails_at_any_step_leaves_every_file_whole(user: Path):
    step = 0
    while fails(step, user):
        assert is_whole(user)
        remove(user)
        assert files(user) == {"config.toml": CONFIG, "hooks.json": HOOKS}, f"failed at step {step}"
        step += 1
    assert step > 10


def _install_somehow(user: Path) -> None:
    with suppress(VademecumError):  # the other one was there first
        install(user)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_several_at_once_write_one_installation(user: Path):
    context = get_context("fork")
    processes = [context.Process(target=_install_somehow, args=(user,)) for _ in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert plan_install(host_named("codex"), places_of(user)).changes == ()
    assert len(list((user / ".codex").glob("*.bak"))) == 2
    remove(user)
    assert files(user) == {"config.toml": CONFIG, "hooks.json": HOOKS}
