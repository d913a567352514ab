"""The doctor asks every room, and a room that fails keeps no other from being asked."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from support.learned import session
from vademecum.artifacts import render_rollout_summary
from vademecum.config import Config
from vademecum.doctor import examine, examine_identity, rooms
from vademecum.engine import FIRST_STEP, Memory
from vademecum.errors import StorageError
from vademecum.findings import Level
from vademecum.locks import Domain, Locks
from vademecum.state import State


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(home=tmp_path / "home", environ={})
    memory.create()
    return memory


def told(memory: Memory, area: str) -> list[tuple[Level, str]]:
    return [(found.level, found.what) for found in examine(memory).findings if found.area == area]


def test_a_new_memory_works(memory: Memory):
    diagnosis = examine(memory)
    assert diagnosis.ok
    assert {found.level for found in diagnosis.findings} == {Level.OK, Level.NOTE}


def test_an_identity_without_memory_is_told_what_to_do(tmp_path: Path):
    """core-R37"""
    diagnosis = examine(Memory.open(home=tmp_path / "home", environ={}))
    assert diagnosis.ok
    assert [found.next for found in diagnosis.findings if found.area == "memory"] == [FIRST_STEP]
    assert not (tmp_path / "home").exists()


def test_the_most_serious_comes_first(memory: Memory):
    (memory.folder.memory / "reference").mkdir()
    (memory.folder.memory / "bad.md").write_bytes(b"\xff")
    (memory.folder.memory / ".git/HEAD").write_text("ref: refs/heads/side\n")
    diagnosis = examine(memory)
    ranks = [list(Level).index(found.level) for found in diagnosis.findings]
    assert ranks == sorted(ranks)
    assert ranks[0] == 0
    assert not diagnosis.ok


def test_a_damaged_database_is_a_problem_and_the_pages_are_still_looked_at(memory: Memory):
    memory.folder.state.write_bytes(b"not a database" * 100)
    memory.folder.state.chmod(0o600)
    assert [level for level, _ in told(memory, "state")] == [Level.PROBLEM]
    assert told(memory, "memory")[-1][1].startswith("5 files examined")


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def a_link(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/nowhere/at-all")


def a_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path, 0o600)


def a_file(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
    path.touch(0o600)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE theirs(a)")


def of_a_newer_version(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("INSERT INTO schema_version VALUES(99, 'later', 1)")


@pytest.mark.parametrize(
    ("spoil", "said", "next_step"),
    [
        (empty, "state.db is empty", "Run `vade learn`"),
        (half, "state.db cannot be read", "Run `vade learn`"),
        (of_another_program, "a database of another program", "Move it away (mv "),
        (of_a_newer_version, "state.db has schema 99", "Use the newer vademecum"),
        (a_folder, "is a folder; a database must be", "Move it away (mv "),
        (a_link, "is a link; a database must be", "Move it away (mv "),
        (a_pipe, "is a pipe; a database must be", "Move it away (mv "),
    ],
)
def test_whatever_stands_in_the_place_of_the_state_is_told_and_left_as_it_is(
    memory: Memory, spoil: Callable[[Path], None], said: str, next_step: str
):
    """It is never called sound, not by the examination after this one either, and told once."""
    State.open(memory.folder.state).close()
    spoil(memory.folder.state)
    before = memory.folder.state.lstat().st_size
    for _ in range(2):
        problems = [found for found in examine(memory).findings if found.level is Level.PROBLEM]
        assert [found.area for found in problems] == ["state"]
        assert said in problems[0].what
        assert (problems[0].next or "").startswith(next_step)
    assert memory.folder.state.lstat().st_size == before


@pytest.mark.parametrize("spoil", [a_folder, a_link, a_pipe])
def test_what_stands_in_the_place_of_the_index_is_told(memory: Memory, spoil: Callable[[Path], None]):
    spoil(memory.folder.search)
    ((level, what),) = told(memory, "search")
    assert level is Level.PROBLEM
    assert what.endswith("a database must be a plain file")


@pytest.mark.parametrize("spoil", [a_file, a_link, a_pipe])
@pytest.mark.parametrize("name", ["runtime", "runtime/locks", "identities/default/runtime/drafts"])
def test_what_stands_in_the_place_of_a_folder_is_told(memory: Memory, name: str, spoil: Callable[[Path], None]):
    folder = memory.home.root / name
    shutil.rmtree(folder, ignore_errors=True)
    spoil(folder)
    problems = [what for level, what in told(memory, "home") if level is Level.PROBLEM]
    assert len(problems) == 1
    assert problems[0].startswith(f"{folder} is a ")


@pytest.mark.parametrize("is_made_anew", [False, True])
def test_sessions_that_the_memory_tells_of_and_the_state_lost_are_told(memory: Memory, is_made_anew: bool):
    text = render_rollout_summary(session("s1").summary)
    path = memory.folder.memory / "rollout_summaries" / "2026-11-02T09-00-00-48da-work.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    memory.adopt()
    if is_made_anew:
        State.open(memory.folder.state).close()
    warnings = [what for level, what in told(memory, "state") if level is Level.WARNING]
    assert warnings == ["the memory tells of 1 session that state.db does not know: it was lost, or is new"]


@pytest.mark.parametrize(
    "data", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 4096], ids=["text", "pages"]
)
def test_a_damaged_search_index_is_told_and_the_next_search_fills_it_anew(memory: Memory, data: bytes):
    memory.folder.search.write_bytes(data)
    memory.folder.search.chmod(0o600)
    ((level, what),) = told(memory, "search")
    assert (level, "search.db" in what) == (Level.WARNING, True)
    assert memory.folder.search.read_bytes() == data
    memory.search("memory")
    assert told(memory, "search") == [(Level.OK, "search.db is sound")]


def test_what_cannot_be_opened_is_told_once(memory: Memory):
    (memory.folder.memory / ".git/commondir").write_text("/elsewhere\n")
    problems = [found for found in examine(memory).findings if found.level is Level.PROBLEM]
    assert [found.area for found in problems] == ["repository"]


def test_folders_and_files_that_others_may_open_are_told(memory: Memory):
    memory.home.config.write_text("")
    memory.home.config.chmod(0o644)
    memory.folder.memory.chmod(0o755)
    told = [found for found in examine(memory).findings if found.area == "home"]
    commands = [found.next for found in told if found.level is Level.WARNING]
    assert commands == [f"chmod 700 {memory.folder.memory}", f"chmod 600 {memory.home.config}"]


def test_a_writer_at_work_is_no_fault(memory: Memory):
    others = Locks(memory.folder.locks)
    with others.hold(Domain.MEMORY_WRITE, purpose="landing", wait_seconds=0):
        ((level, what),) = told(memory, "locks")
    assert level is Level.NOTE
    assert "landing" in what


@pytest.mark.parametrize(("free", "level"), [(10**9, Level.OK), (10**8, Level.WARNING), (10**6, Level.PROBLEM)])
def test_a_disk_that_fills_up_is_told_in_time(memory: Memory, monkeypatch: pytest.MonkeyPatch, free: int, level: Level):
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr(rooms.shutil, "disk_usage", lambda _place: usage)
    assert told(memory, "home") == [(level, f"{free // 10**6:,} MB are free for {memory.home.root}")]


def test_without_git_it_says_what_is_missing_then(memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (Level.WARNING, "git is not installed, so objects are neither proved sound nor packed") in told(
        memory, "program"
    )


def test_settings_that_were_not_taken_are_told(memory: Memory):
    memory.home.config.write_text("[memories]\nmagic = 1\n")
    memory.home.config.chmod(0o600)
    again = Memory.open(home=memory.home.root, environ={})
    assert isinstance(again.config, Config)
    assert [level for level, _ in told(again, "settings")] == [Level.WARNING]


def test_settings_that_cannot_be_read_are_a_problem_and_the_rest_is_examined(memory: Memory):
    memory.home.config.write_text("[memories\n")
    diagnosis = examine_identity(None, home=memory.home.root, environ={})
    assert [f.area for f in diagnosis.findings if f.level is Level.PROBLEM] == ["settings"]
    assert any(f.what.startswith("5 files examined") for f in diagnosis.findings)


def test_files_without_their_history_are_no_memory_that_works(memory: Memory):
    (memory.folder.memory / ".git").rename(memory.home.root / "gone")
    assert not examine(memory).ok


@pytest.mark.parametrize(("lines", "level"), [(30, None), (85, Level.NOTE), (200, Level.WARNING)])
def test_blocks_that_fill_their_part_of_the_context_are_told(memory: Memory, lines: int, level: Level | None):
    """core-W33"""
    body = "".join(f"- {number} and some more words here\n" for number in range(lines))
    (memory.folder.memory / "system/human.md").write_text(f"---\ndescription: x\n---\n{body}")
    memory.adopt()
    found = [finding_level for finding_level, what in told(memory, "memory") if "part of the context" in what]
    assert found == ([level] if level else [])


def test_an_object_that_was_cut_short_is_named_and_nothing_is_read_of_it(memory: Memory):
    """Reading it would never end, whatever asked for it."""
    tree = memory.tree()
    blob = tree.blob_id("skills/memory-discipline/SKILL.md")
    file = memory.folder.memory / ".git/objects" / blob[:2] / blob[2:]
    whole = file.read_bytes()
    file.chmod(0o600)
    file.write_bytes(whole[: len(whole) // 2])
    diagnosis = examine(memory)
    (problem,) = [finding for finding in diagnosis.findings if finding.level is Level.PROBLEM]
    assert blob in problem.what
    assert "clone" in (problem.next or "")


def test_nobody_is_sent_to_the_command_that_is_running(memory: Memory, monkeypatch: pytest.MonkeyPatch):
    def fails(_root: Path):
        raise StorageError("git failed", next_step="Run `vade doctor` to see what is wrong with the repository.")
        yield

    monkeypatch.setattr(rooms, "inspect_repository", fails)
    (problem,) = [finding for finding in examine(memory).findings if finding.level is Level.PROBLEM]
    assert problem.what == "git failed"
    assert "git fsck" in (problem.next or "")
    assert "vade doctor" not in (problem.next or "")
