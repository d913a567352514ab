"""Learning that hooks start: once at a time, by the settings, with what hooks read put right before."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.compose import Format, write_sessions
from support.hooks import context_in, pass_is_recent, pins_of, run_hook
from support.product import ruled
from vademecum.engine import Memory, background
from vademecum.engine.spool import hook_failures, last_seen
from vademecum.home import Home
from vademecum.locks import Domain, Locks

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "from now on always use pnpm here"
BEGIN = {"session_id": "s1", "cwd": "/srv/shop", "source": "startup"}


def learn_in_background(product, **env):
    environ = {**os.environ, "VADEMECUM_HOME": str(product.home), **env}
    command = [sys.executable, "-I", "-m", "vademecum", "learn", "--background"]
    return subprocess.run(command, capture_output=True, text=True, env=environ, timeout=50, check=False)


def holds_in_time(fact):
    """Wait for another process; it says when it is so, but not to us."""
    deadline = time.monotonic() + 40
    while not fact() and time.monotonic() < deadline:
        time.sleep(0.02)
    return fact()


def rest_the_sessions(product):
    """Sessions are learned after hours without a word; these have had them."""
    for path in product.sessions.rglob("*.jsonl"):
        long_ago = time.time() - 7 * 3600
        os.utime(path, (long_ago, long_ago))


def test_a_hook_starts_a_pass_that_learns_what_lies_where_no_reader_looks(product, closed_home):
    """The whole way: a host tells where its session is; a pass that nobody waits for learns it; the next one has it."""
    product.tell(ruled(RULE, label="first"))
    rest_the_sessions(product)
    (transcript,) = product.sessions.rglob("*.jsonl")
    home = Home(root=product.home)
    home.create()
    run_hook(product.home, "session-end", {**BEGIN, "transcript_path": str(transcript)})
    assert holds_in_time(lambda: Locks(home.locks).owner(Domain.LEARNER) is not None)
    with Locks(home.locks).hold(Domain.LEARNER, purpose="waiting for its end", wait_seconds=40):
        assert RULE.removeprefix("from now on ") in product.context()
    assert RULE.removeprefix("from now on ") in context_in(run_hook(product.home, "session-start", BEGIN))
    assert set(last_seen(home)) == {"claude-code"}


def test_a_session_whose_end_nobody_told_is_learned(product, closed_home):
    """user-U66: its host was killed in the middle of a line, and no event of it ever came."""
    product.sessions = closed_home / ".claude/projects/p"
    write_sessions(Format.CLAUDE_CODE, product.sessions, [ruled(RULE, label="first")])
    (transcript,) = product.sessions.rglob("*.jsonl")
    with transcript.open("a") as file:
        file.write(transcript.read_text().splitlines()[-1][:40])
    rest_the_sessions(product)
    Home(root=product.home).create()
    assert not (product.home / "runtime/spool").exists()
    assert learn_in_background(product).returncode == 0
    assert RULE.removeprefix("from now on ") in product.context()


def test_it_mends_what_hooks_read_after_an_upgrade(product):
    product.call("note", "call her Ada")
    pass_is_recent(product.home)
    for file in (product.home / "runtime/hook.json", product.identity / "runtime/cache/context.json"):
        file.unlink()
    assert run_hook(product.home, "session-start", BEGIN).stdout == b""
    assert learn_in_background(product).returncode == 0
    assert "Ada" in context_in(run_hook(product.home, "prompt", BEGIN))


def test_two_versions_at_work_do_not_have_each_other_learn_again_and_again(product):
    """user-U02: each finds files of the other one, gives nothing of them, and puts them right without learning."""
    product.call("note", "call her Ada")
    cached = product.identity / "runtime/cache/context.json"
    theirs = json.dumps({**json.loads(cached.read_text()), "template": 0})
    began = product.home / "runtime/learner.started"
    pass_is_recent(product.home)
    at = began.stat().st_mtime_ns
    for _ in range(3):
        cached.write_text(theirs)
        os.utime(product.home / "runtime/mender.started", (0, 0))
        assert run_hook(product.home, "prompt", BEGIN).stdout == b""
        assert holds_in_time(lambda: cached.read_text() != theirs)
        assert began.stat().st_mtime_ns == at
    assert "Ada" in context_in(run_hook(product.home, "prompt", BEGIN))
    assert product.call("runs", "--json").json["runs"] == []


def test_settings_that_were_edited_by_hand_count_after_the_next_pass(product):
    product.call("note", "call her Ada")
    pass_is_recent(product.home)
    (product.home / "config.toml").write_text("[memories]\nuse_memories = true\n[context]\nbudget_tokens = 500\n")
    assert learn_in_background(product).returncode == 0
    assert json.loads((product.home / "runtime/hook.json").read_text())["budget_tokens"] == 500
    assert "Ada" in context_in(run_hook(product.home, "session-start", BEGIN))


def test_only_one_pass_is_at_work_in_a_home(product):
    home = Home(root=product.home)
    home.create()
    with Locks(home.locks).hold(Domain.LEARNER, purpose="a test", wait_seconds=0):
        assert background.learn_in_background(home, {"VADEMECUM_HOME": str(home.root)}) is False
        assert learn_in_background(product).returncode == 0
    assert not (product.home / "runtime/hook.json").exists()


def test_where_learning_is_off_none_is_started_and_none_learns(product, closed_home):
    product.call("config", "set", "memories.generate_memories", "false")
    product.call("note", "call her Ada")
    write_sessions(Format.CLAUDE_CODE, closed_home / ".claude/projects/p", [ruled(RULE, label="first")])
    run_hook(product.home, "session-end", BEGIN)
    assert not (product.home / "runtime/learner.started").exists()
    assert background.start_learner(Home(root=product.home), {"VADEMECUM_HOME": str(product.home)}) is False
    assert learn_in_background(product).returncode == 0
    assert "pnpm" not in product.context()


@pytest.mark.parametrize("name", ["VADEMECUM_LEARNER", "VADEMECUM_IDENTITY"])
def test_none_is_started_by_a_learner_or_under_a_name(product, name):
    """A pass under a name takes every session of the machine in: only a person's own command does that."""
    product.call("note", "call her Ada")
    run_hook(product.home, "session-end", BEGIN, env={name: "default"})
    assert not (product.home / "runtime/learner.started").exists()
    assert background.start_learner(Home(root=product.home), {name: "default"}) is False


def test_a_process_that_lives_on_keeps_no_dead_child(product, monkeypatch):
    program = product.folder / "python"
    program.write_text(
        f"#!/bin/sh\necho $$ > {product.folder}/pid.new && mv {product.folder}/pid.new {product.folder}/pid\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    assert background.start_learner(Home(root=product.home), dict(os.environ)) is True
    assert holds_in_time((product.folder / "pid").exists)
    process = Path("/proc", (product.folder / "pid").read_text().strip())
    assert holds_in_time(lambda: not process.exists())


def test_a_pass_that_cannot_begin_leaves_a_line_for_the_doctor(product):
    """user-U43: nobody looks at what such a process prints."""
    product.home.mkdir()
    (product.home / "config.toml").write_text("[memories")
    assert learn_in_background(product).returncode == 2
    (line,) = hook_failures(Home(root=product.home))
    assert line.split(" ", 1)[1] == "- learn config"


def test_what_sessions_were_given_long_ago_is_let_go(product):
    product.call("note", "call her Ada")
    pass_is_recent(product.home)
    run_hook(product.home, "session-start", BEGIN)
    (pin,) = pins_of(product.home)
    os.utime(pin, (0, 0))
    learn_in_background(product)
    assert pins_of(product.home) == []


@pytest.mark.parametrize("is_off", [True, False])
def test_a_session_that_was_switched_off_is_not_learned_for_its_events(product, closed_home, is_off):
    product.sessions = closed_home / ".claude/projects/p"
    write_sessions(Format.CLAUDE_CODE, product.sessions, [ruled(RULE, label="first")])
    rest_the_sessions(product)
    (transcript,) = product.sessions.rglob("*.jsonl")
    product.call("note", "call her Ada")
    if is_off:
        product.call("mode", transcript.stem, "disabled")
    pass_is_recent(product.home)
    run_hook(product.home, "session-end", {**BEGIN, "transcript_path": str(transcript)})
    learn_in_background(product)
    assert ("pnpm" in product.context()) is not is_off


def test_the_memory_that_a_pass_opens_is_the_one_of_no_folder(product):
    """Its own working directory is somebody's repository."""
    product.call("config", "set", "identity.scope", "repository")
    learn_in_background(product)
    assert Memory.open(home=product.home, cwd="/srv/shop").folder.is_blank
    assert not (product.home / "identities").exists()
