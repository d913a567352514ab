"""Through the door of the room: sessions of two hosts in one folder, found by content, loaded clean, rendered."""

from pathlib import Path

import pytest

from support.codex_rollouts import RolloutFile
from support.opencode_stores import Conversation, text, tool, write_database, write_tree
from vademecum.sessions import Discovery, Role, discover, load, render

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A backup of a person's machine, with other names than the hosts give."""
    rollout = RolloutFile().meta().turn().user(f"use {TOKEN} <private>my salary</private> and pnpm")
    rollout.call("memory_read", '{"path":"MEMORY.md"}', namespace="mcp__vademecum")
    rollout.output("call_1", "recalled: always use npm").assistant("Done.")
    rollout.write(tmp_path / ".backup", "first.txt")
    talk = Conversation("ses_b").user(text('"build it"')).assistant(tool("bash", f"token={TOKEN}"), text("Built."))
    write_database(tmp_path / "data" / "copy.sqlite", talk)
    write_tree(tmp_path / "old", Conversation("ses_c").user(text("old words")).assistant(text("Old answer.")))
    (tmp_path / "notes.md").write_text("no session")
    return tmp_path


def found(folder: Path) -> Discovery:
    return discover(hosts=None, sources=[folder], environ={}, home=folder / "nobody")


def test_every_format_is_found_by_its_content(folder: Path):
    refs = found(folder).refs
    assert sorted((ref.host, load(ref).messages[-1].text) for ref in refs) == [
        ("codex", "Done."),
        ("opencode", "Built."),
        ("opencode", "Old answer."),
    ]


def test_nothing_private_secret_or_remembered_comes_out(folder: Path):
    renderings = [render(load(ref), 20_000).text for ref in found(folder).refs]
    together = "\n".join(renderings)
    assert "pnpm" in together
    for kept_inside in (TOKEN, "my salary", "recalled"):
        assert kept_inside not in together


def test_the_hosts_own_folders_are_searched_in_a_home(tmp_path: Path):
    RolloutFile().meta().turn().user("one").write(tmp_path / ".codex" / "sessions" / "2026" / "11" / "02")
    RolloutFile("019a0000-0000-7000-8000-0000000000cc").meta().user("two").write(
        tmp_path / ".codex" / "archived_sessions"
    )
    write_database(tmp_path / ".local/share/opencode/opencode.db", Conversation().user(text("three")))
    refs = discover(hosts=["codex", "opencode"], sources=None, environ={}, home=tmp_path).refs
    humans = [message.text for ref in refs for message in load(ref).messages if message.role is Role.HUMAN]
    assert sorted(humans) == ["one", "three", "two"]
