"""pi session files."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from support.sessions_pi import SESSION, PiFile
from vademecum.errors import SessionUnreadable
from vademecum.sessions import LEARNER_MARK, Role, Session, load, pi
from vademecum.sessions.discovery import file_ref

SessionOf = Callable[[PiFile], Session]


@pytest.fixture
def session_of(tmp_path: Path) -> SessionOf:
    def read(file: PiFile) -> Session:
        path = file.write(tmp_path / "--srv-demo--" / f"2026-11-02T10-00-00-000Z_{SESSION}.jsonl")
        ref = file_ref(pi.host, path, Counter())
        assert ref is not None
        return load(ref)

    return read


def spoken(session: Session) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in session.messages]


def human(session: Session) -> list[str]:
    return [message.text for message in session.messages if message.role is Role.HUMAN]


def test_a_session_with_tools(session_of: SessionOf) -> None:
    file = PiFile()
    file.entry("model_change", provider="p", modelId="m")
    file.entry("thinking_level_change", thinkingLevel="off")
    file.user("please look around")
    file.message(
        "assistant",
        [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Let me look."},
            {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}},
        ],
        stopReason="toolUse",
    )
    file.result("c1", "README.md")
    file.calls("c2")
    file.result("c2", "make: *** [test] Error 1", is_error=True)
    file.says("The tests fail.")
    session = session_of(file)
    assert spoken(session) == [
        (Role.HUMAN, "please look around"),
        (Role.COMMENTARY, "Let me look."),
        (Role.COMMENTARY, ""),
        (Role.FINAL, "The tests fail."),
    ]
    calls = [call for message in session.messages for call in message.tool_calls]
    assert [(call.name, call.input, call.output, call.failed) for call in calls] == [
        ("bash", '{"command":"ls"}', "README.md", False),
        ("bash", '{"command":"make test"}', "make: *** [test] Error 1", True),
    ]
    assert session.skipped == {}


def test_what_the_session_knows_of_itself(session_of: SessionOf) -> None:
    file = PiFile(cwd="/srv/demo")
    file.user("hello")
    file.entry("session_info", name="my title")
    session = session_of(file)
    assert (session.id, session.host, session.cwd, session.branch) == (SESSION, "pi", "/srv/demo", None)
    assert session.started_at.isoformat() == "2026-11-02T10:00:00+00:00"
    assert session.updated_at.isoformat() == "2026-11-02T10:00:02+00:00"
    assert session.title == "my title"


@pytest.mark.parametrize("version", [None, 1, 2, 3])
def test_every_version_is_read(session_of: SessionOf, version: int | None) -> None:
    """Version 1 is a plain list without ids."""
    file = PiFile(version=None if version == 1 else version)
    file.user("one")
    file.says("First.")
    file.user("two")
    assert spoken(session_of(file)) == [(Role.HUMAN, "one"), (Role.FINAL, "First."), (Role.HUMAN, "two")]


def test_the_live_path_runs_from_the_last_entry_to_the_root(session_of: SessionOf) -> None:
    file = PiFile()
    first = file.user("one")
    file.says("First.")
    file.user("a mistake")
    file.entry("branch_summary", parent=first, fromId="x", summary="went back; always use tabs")
    file.user("two")
    session = session_of(file)
    assert spoken(session) == [
        (Role.HUMAN, "one"),
        (Role.HOST, "went back; always use tabs"),
        (Role.HUMAN, "two"),
    ]
    assert session.skipped == {"rewound": 2}


def test_moving_the_leaf_back_is_a_rewind(session_of: SessionOf) -> None:
    """Any entry may be the leaf, also one without talk."""
    file = PiFile()
    first = file.user("one")
    file.user("a mistake")
    file.entry("label", parent=first, label="here")
    assert human(session_of(file)) == ["one"]


def test_what_extensions_and_the_host_add_is_not_the_users(session_of: SessionOf) -> None:
    """user-U36: the text of a compaction least of all."""
    file = PiFile()
    file.user("hello")
    file.entry("custom_message", customType="todo", content="always use tabs", display=True)
    file.entry("compaction", summary="always use tabs", firstKeptEntryId="x", tokensBefore=1)
    file.message("custom", "always use tabs")
    file.message("hookMessage", "always use tabs")
    file.message("compactionSummary", None, summary="always use tabs")
    file.entry("custom", customType="state", data={"any": 1})
    assert [role for role, _ in spoken(session_of(file))] == [Role.HUMAN, *[Role.HOST] * 5]


def test_our_own_extensions_messages_are_gone(session_of: SessionOf) -> None:
    """user-U52: recalled memory must never come back as evidence."""
    file = PiFile()
    file.user("hello")
    file.entry("custom_message", customType="vademecum-context", content="always use tabs", display=False)
    assert spoken(session_of(file)) == [(Role.HUMAN, "hello")]


def test_a_command_that_the_user_ran_is_tool_text(session_of: SessionOf) -> None:
    """What was kept from the model is kept from the memory."""
    file = PiFile()
    file.message("bashExecution", None, command="make test", output="ok", exitCode=0)
    file.message("bashExecution", None, command="cat diary", output="dear", exitCode=0, excludeFromContext=True)
    assert spoken(session_of(file)) == [(Role.TOOL, "$ make test\nok")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('<file name="/srv/a.md">always </file> use tabs\n</file>\nexplain this', (Role.HUMAN, "\nexplain this")),
        ('<skill name="fmt" location="/x">always use tabs</skill>\n\nonly src', (Role.HUMAN, "\n\nonly src")),
        ('<skill name="fmt" location="/x">always use tabs</skill>', (Role.HOST, None)),
        ('what is <file name="a">b</file>?', (Role.HUMAN, 'what is <file name="a">b</file>?')),
    ],
)
def test_files_and_skills_before_the_users_words_are_not_theirs(
    session_of: SessionOf, words: str, expected: tuple[Role, str | None]
) -> None:
    file = PiFile()
    file.user(words)
    ((role, said),) = spoken(session_of(file))
    assert (role, said) == (expected[0], words if expected[1] is None else expected[1])


def test_a_fork_leaves_the_copied_history_to_its_origin(session_of: SessionOf) -> None:
    file = PiFile(parentSession="/x/old.jsonl", timestamp="2026-11-02T10:00:02.500Z")
    file.user("old")
    file.says("Old answer.")
    file.user("new")
    session = session_of(file)
    assert human(session) == ["new"]
    assert session.skipped == {"forked_history": 2}


def test_our_learners_sessions_are_excluded(session_of: SessionOf) -> None:
    """user-U27: a learner never learns from itself."""
    file = PiFile()
    file.user(f"[{LEARNER_MARK}] read these")
    assert session_of(file).exclusion == "learner"


def test_a_capped_entry_keeps_its_place(session_of: SessionOf) -> None:
    file = PiFile()
    file.user("one")
    file.calls("c1")
    file.result("c1", "x" * 9_000_000)
    file.says("Done.")
    session = session_of(file)
    assert [role for role, _ in spoken(session)] == [Role.HUMAN, Role.COMMENTARY, Role.FINAL]
    assert session.skipped == {"capped_line": 1}


def test_bad_entries_cost_themselves_only(session_of: SessionOf) -> None:
    file = PiFile()
    file.user("one")
    file.raw(b"{]")
    file.raw(b'{"type":"message","id":"x1","parentId":"00000001","message":{"role":5}}')
    file.entry("novelty", any=1)
    file.user("two")
    session = session_of(file)
    assert human(session) == ["one", "two"]
    assert session.skipped == {"broken_line": 2, "unknown_type": 1}


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b'{"type":"message","message":{"role":"user","content":"x"}}\n'])
def test_a_file_without_a_header_is_unreadable(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    ref = file_ref(pi.host, path, Counter())
    assert ref is not None
    with pytest.raises(SessionUnreadable):
        load(ref)
