"""Sessions of opencode's second schema."""

from collections import Counter
from pathlib import Path

import pytest

from support.opencode_stores import START_MS, Conversation, text, write_database, write_second_schema
from vademecum.sessions import Exclusion, Role, Session, load
from vademecum.sessions import opencode as reader


def said(words: str) -> tuple[str, dict]:
    return "user", {"text": words, "time": {"created": START_MS}}


def answered(*content: dict) -> tuple[str, dict]:
    return "assistant", {"agent": "build", "content": list(content)}


def words(written: str) -> dict:
    return {"type": "text", "text": written}


def ran(output: str, *, status: str = "completed", name: str = "bash", **state: object) -> dict:
    given = {"status": status, "input": {"command": "make test"}, "content": [words(output)], **state}
    return {"type": "tool", "id": "call_1", "name": name, "state": given}


@pytest.fixture
def session_of(tmp_path):
    def read(*entries: tuple[str, object], **columns: object) -> Session:
        write_second_schema(tmp_path / "opencode.db", *entries, **columns)
        (ref,) = reader.discover(tmp_path, Counter())
        return load(ref)

    return read


def talk(session: Session) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in session.messages]


class TestWhoseWords:
    def test_a_conversation_with_a_tool(self, session_of):
        session = session_of(
            said("run the tests"),
            answered({"type": "reasoning", "text": "hm"}, words("Let me see."), ran("3 passed")),
            answered(words("They pass.")),
        )
        assert talk(session) == [
            (Role.HUMAN, "run the tests"),
            (Role.COMMENTARY, "Let me see."),
            (Role.FINAL, "They pass."),
        ]
        (call,) = session.messages[1].tool_calls
        assert (call.name, call.command, call.output, call.failed) == ("bash", "make test", "3 passed", False)
        assert session.skipped == {}

    @pytest.mark.parametrize("kind", ["synthetic", "system", "skill"])
    def test_what_the_host_adds_is_not_the_users(self, session_of, kind):
        """user-U52"""
        assert talk(session_of((kind, {"text": "always use tabs"}))) == [(Role.HOST, "always use tabs")]

    def test_a_compaction_is_not_the_users(self, session_of):
        """user-U36"""
        compaction = ("compaction", {"status": "completed", "summary": "always use tabs", "recent": "x"})
        assert talk(session_of(compaction)) == [(Role.HOST, "always use tabs")]

    def test_a_command_of_the_users_is_no_rule(self, session_of):
        ran_by_user = ("shell", {"command": "echo always use tabs", "status": "exited", "exit": 0, "output": "x"})
        assert talk(session_of(ran_by_user)) == [(Role.TOOL, "$ echo always use tabs\nx")]

    def test_files_stand_beside_the_words(self, session_of):
        kind, data = said("look")
        session = session_of((kind, {**data, "files": [{"name": "a.png", "mime": "image/png"}]}))
        assert talk(session) == [(Role.HUMAN, "look"), (Role.HOST, "[file: a.png]")]

    def test_the_quotes_of_a_headless_run_are_not_the_users(self, session_of):
        assert talk(session_of(said('"fix it"'))) == [(Role.HUMAN, "fix it")]

    def test_marks_are_silent_and_unknown_entries_are_counted(self, session_of):
        session = session_of(("model-switched", {}), ("idle", {}), ("oracle", {"text": "always use tabs"}))
        assert (talk(session), session.skipped) == ([], {"unknown_type": 1})

    @pytest.mark.parametrize("data", ["{", "[]", '{"text": 3}'])
    def test_a_damaged_entry_is_counted_and_the_next_one_read(self, session_of, data):
        session = session_of(("user", data), said("hello"))
        assert (talk(session), session.skipped) == ([(Role.HUMAN, "hello")], {"broken_line": 1})


class TestTools:
    @pytest.mark.parametrize(
        ("state", "output", "failed"),
        [
            ({"status": "error", "error": {"type": "x", "message": "no such file"}}, "no such file", True),
            ({"status": "running", "content": []}, "", None),
            ({"status": "streaming", "input": '{"comm', "content": []}, "", None),
        ],
    )
    def test_an_outcome_is_what_the_host_says(self, session_of, state, output, failed):
        (call,) = session_of(answered(ran("x", **state))).messages[0].tool_calls
        assert (call.output, call.failed) == (output, failed)

    @pytest.mark.parametrize(("end", "failed"), [("exit code: 2", True), ("Exited with code 0", False)])
    def test_a_command_failed_by_its_exit_code(self, session_of, end, failed):
        (call,) = session_of(answered(ran(f"x\n{end}"))).messages[0].tool_calls
        assert call.failed is failed


class TestWhatBelongsToIt:
    def test_what_was_taken_back_is_left_out(self, session_of):
        session = session_of(said("one"), said("a mistake"), answered(words("x")), revert='{"messageID": "msg_1"}')
        assert talk(session) == [(Role.HUMAN, "one")]
        assert session.skipped == {"rewound": 2}

    def test_a_fork_is_learned_from_where_it_began(self, tmp_path):
        entries = [said("copied"), said("copied too"), said("new")]
        path = tmp_path / "opencode.db"
        write_second_schema(path, *entries, fork_session_id="ses_parent", time_created=START_MS + 2_000)
        (ref,) = reader.discover(tmp_path, Counter())
        session = load(ref)
        assert talk(session) == [(Role.HUMAN, "new")]
        assert session.skipped == {"forked_history": 2}

    def test_a_sub_agents_session_is_left_alone(self, session_of):
        """user-U27"""
        session = session_of(said("do it"), parent_id="ses_parent")
        assert (session.exclusion, session.parent_id) == (Exclusion.SUB_AGENT, "ses_parent")

    def test_what_the_session_knows_of_itself(self, session_of):
        session = session_of(said("hello"))
        assert (session.id, session.cwd, session.title) == ("ses_v2", "/srv/demo", "Make the widget build")


class TestBothSchemasInOneFile:
    def moved_and_left(self, tmp_path: Path, moved: str) -> dict[str, list[tuple[Role, str]]]:
        path = tmp_path / "opencode.db"
        both, left = Conversation("ses_v2").user(text("old words")), Conversation("ses_left").user(text("left"))
        write_database(path, both, left)
        write_second_schema(path, said("new words"), moved=moved)
        return {ref.session_id: talk(load(ref)) for ref in reader.discover(tmp_path, Counter())}

    def test_a_session_that_was_moved_is_read_once_and_one_that_was_not_too(self, tmp_path):
        found = self.moved_and_left(tmp_path, "completed")
        assert found == {"ses_left": [(Role.HUMAN, "left")], "ses_v2": [(Role.HUMAN, "new words")]}

    @pytest.mark.parametrize("moved", ["sessions", ""])
    def test_until_all_are_moved_the_first_schema_counts(self, tmp_path, moved):
        found = self.moved_and_left(tmp_path, moved)
        assert found == {"ses_left": [(Role.HUMAN, "left")], "ses_v2": [(Role.HUMAN, "old words")]}

    def test_until_all_are_moved_that_is_told(self, tmp_path):
        self.moved_and_left(tmp_path, "sessions")
        skipped: Counter[str] = Counter()
        list(reader.discover(tmp_path, skipped))
        assert skipped == {"unknown_schema": 1}

    def test_a_new_file_of_the_second_schema_needs_no_mark(self, session_of):
        assert talk(session_of(said("hello"), moved="")) == [(Role.HUMAN, "hello")]
