"""Gemini CLI sessions: the log, the file before it, whose words are whose, and where it was held."""

import html
import json
from collections import Counter
from pathlib import Path

import pytest

from support.sessions_gemini import CWD, SESSION, GeminiFile
from vademecum.artifacts import fence_lines
from vademecum.errors import SessionUnreadable
from vademecum.sessions import Exclusion, Role, Session, discover, gemini, load
from vademecum.sessions.discovery import file_ref


def loaded(path: Path) -> Session:
    ref = file_ref(gemini.host, path, Counter())
    assert ref is not None
    return load(ref)


@pytest.fixture
def session_of(tmp_path):
    return lambda file: loaded(file.write(tmp_path))


def spoken(session: Session) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in session.messages]


def calls(session: Session):
    return [call for message in session.messages for call in message.tool_calls]


class TestTheLog:
    def test_a_message_that_is_written_again_counts_once_as_it_stood_last(self, session_of):
        file = GeminiFile()
        file.user("please look around")
        file.calls("list_directory", {"dir_path": "."}, "README.md", words="Let me look.")
        file.says("Done.")
        session = session_of(file)
        assert spoken(session) == [
            (Role.HUMAN, "please look around"),
            (Role.COMMENTARY, "Let me look."),
            (Role.FINAL, "Done."),
        ]
        assert [(call.name, call.output, call.failed) for call in calls(session)] == [
            ("list_directory", "README.md", False)
        ]
        assert session.skipped == {}

    def test_what_was_rewound_is_no_part_of_it(self, session_of):
        file = GeminiFile()
        file.user("one")
        mistake = file.user("a mistake")
        file.says("Done wrong.")
        file.record({"$rewindTo": mistake})
        file.user("two")
        session = session_of(file)
        assert spoken(session) == [(Role.HUMAN, "one"), (Role.HUMAN, "two")]
        assert session.skipped == {"rewound": 2}

    def test_a_rewind_to_what_nobody_knows_takes_back_all_as_the_host_does(self, session_of):
        file = GeminiFile()
        file.user("one")
        file.record({"$rewindTo": "unheard"})
        file.user("two")
        assert spoken(session_of(file)) == [(Role.HUMAN, "two")]

    def test_what_the_model_is_shown_instead_changes_nothing_of_what_was_said(self, session_of):
        """user-U36"""
        file = GeminiFile()
        file.user("one")
        file.set(messages=[{"id": "s", "type": "user", "content": [{"text": "Summary: always use tabs"}]}])
        file.user("two")
        assert spoken(session_of(file)) == [(Role.HUMAN, "one"), (Role.HUMAN, "two")]

    def test_a_half_written_last_line_is_normal(self, tmp_path):
        file = GeminiFile()
        file.user("one")
        path = file.write(tmp_path)
        path.write_bytes(file.data() + b'{"id":"m9","type":"us')
        session = loaded(path)
        assert (spoken(session), session.skipped) == ([(Role.HUMAN, "one")], {})

    def test_a_log_longer_than_the_window_keeps_its_order(self, session_of, monkeypatch):
        monkeypatch.setattr("vademecum.sessions.gemini.log.WINDOW_MESSAGES", 4)
        file = GeminiFile()
        for number in range(20):
            file.user(f"request {number}")
        assert [text for _, text in spoken(session_of(file))] == [f"request {number}" for number in range(20)]

    def test_the_words_of_an_over_long_line_are_lost_and_no_others(self, session_of, monkeypatch):
        file = GeminiFile()
        file.user("one")
        file.user("x" * 9_000_000)
        file.user("two")
        session = session_of(file)
        assert spoken(session) == [(Role.HUMAN, "one"), (Role.HUMAN, "two")]
        assert session.skipped == {"capped_line": 1}


class TestTheOlderFile:
    @staticmethod
    def whole(file: GeminiFile, **fields) -> dict:
        messages = [json.loads(line) for line in file.lines if b'"id":"m' in line]
        return {**file.head, "messages": messages, **fields}

    @pytest.mark.parametrize("indent", [None, 2])
    @pytest.mark.parametrize("name", ["session-x.json", "copy.txt"])
    def test_it_is_read_like_the_log(self, tmp_path, indent, name):
        file = GeminiFile()
        file.user("one")
        file.says("Done.")
        path = file.write(tmp_path, name=name)
        path.write_text(json.dumps(self.whole(file), indent=indent))
        session = loaded(path)
        assert (session.id, spoken(session)) == (SESSION, [(Role.HUMAN, "one"), (Role.FINAL, "Done.")])

    def test_one_that_would_fill_the_memory_is_refused(self, tmp_path, monkeypatch):
        monkeypatch.setattr(gemini, "WHOLE_CAP_BYTES", 1_000)
        file = GeminiFile()
        file.user("x" * 2_000)
        path = file.write(tmp_path, name="session-x.json")
        path.write_text(json.dumps(self.whole(file)))
        with pytest.raises(SessionUnreadable):
            loaded(path)


class TestWhoseWords:
    @pytest.mark.parametrize(
        "words",
        [
            "<session_context>\nToday is Monday.\n</session_context>",
            "This is the Gemini CLI. We are setting up the context for our chat.",
            "<state_snapshot>always use tabs</state_snapshot>",
            "<hook_context>always use tabs</hook_context>",
            "System: Please continue.",
            "Please continue.",
        ],
    )
    def test_what_the_host_sends_in_the_persons_name_is_not_theirs(self, session_of, words):
        """user-U52"""
        file = GeminiFile()
        file.user(words)
        assert [role for role, _ in spoken(session_of(file))] == [Role.HOST]

    def test_what_hooks_and_named_files_put_beside_the_words_is_not_theirs(self, session_of):
        file = GeminiFile()
        file.message(
            "user",
            [
                {"text": "review @a.md"},
                {"text": "<hook_context>always use tabs</hook_context>"},
                {"text": "\n--- Content from referenced files ---\nalways use spaces"},
            ],
        )
        assert spoken(session_of(file)) == [(Role.HUMAN, "review @a.md")]

    def test_what_a_hook_said_stands_in_one_text_with_the_words(self, session_of):
        """user-U52: as a run of one prompt has it; what is left is looked at as if it stood alone."""
        file = GeminiFile()
        file.user("<hook_context>always use tabs\n&lt;/hook_context&gt;</hook_context>\n\nAlways use pnpm.")
        file.user("<hook_context>always use tabs</hook_context>\n\nSystem: Please continue.")
        assert [said for said in spoken(session_of(file)) if said[0] is Role.HUMAN] == [
            (Role.HUMAN, "Always use pnpm.")
        ]

    def test_a_block_of_ours_is_known_without_its_brackets(self, session_of):
        """user-U52"""
        opening, closing = fence_lines("always use tabs")
        said = html.escape(f"{opening}\nalways use tabs\n{closing}", quote=False)
        file = GeminiFile()
        file.user(f"<hook_context>{said}</hook_context>")
        assert spoken(session_of(file)) == [(Role.HOST, "<hook_context></hook_context>")]

    def test_what_the_person_typed_counts_where_more_was_sent(self, session_of):
        file = GeminiFile()
        file.message("user", [{"text": "review: always use tabs"}], displayContent=[{"text": "review @a.md"}])
        assert spoken(session_of(file)) == [(Role.HUMAN, "review @a.md")]

    def test_lines_on_the_screen_and_thoughts_are_no_talk(self, session_of):
        file = GeminiFile()
        file.message("info", "Request cancelled.")
        file.message("gemini", [{"text": "hm", "thought": True}, {"text": "Done."}])
        session = session_of(file)
        assert (spoken(session), session.skipped) == ([(Role.FINAL, "Done.")], {})

    def test_an_unknown_type_is_passed_over_and_counted(self, session_of):
        file = GeminiFile()
        file.message("oracle", "always use tabs")
        assert session_of(file).skipped == {"unknown_type": 1}


class TestTools:
    @pytest.mark.parametrize(("code", "failed"), [(0, False), (2, True)])
    def test_a_command_failed_by_its_exit_code(self, session_of, code, failed):
        output = f"<untrusted_context>\nOutput: x\nExit Code: {code}\nProcess Group PGID: 7\n</untrusted_context>"
        file = GeminiFile()
        file.calls("run_shell_command", {"command": "make test"}, output)
        (call,) = calls(session_of(file))
        assert (call.command, call.failed) == ("make test", failed)

    @pytest.mark.parametrize(
        ("status", "failed"), [("success", False), ("error", True), ("cancelled", True), ("", None)]
    )
    def test_another_tool_failed_where_the_host_says_so(self, session_of, status, failed):
        file = GeminiFile()
        file.calls("write_file", {"file_path": "a.py", "content": "x"}, "ok", status=status)
        (call,) = calls(session_of(file))
        assert (call.edited, call.failed) == (("a.py",), failed)

    @pytest.mark.parametrize(
        ("name", "outside"),
        [("web_fetch", True), ("mcp_tickets_read", True), ("read_file", False), ("mcp_vademecum_memory_search", False)],
    )
    def test_text_from_outside_is_told(self, session_of, name, outside):
        file = GeminiFile()
        file.calls(name, {}, "x")
        assert session_of(file).is_polluted is outside

    def test_our_own_tools_answers_are_not_kept(self, session_of):
        """user-U52"""
        file = GeminiFile()
        file.calls("mcp_vademecum_memory_search", {"query": "tabs"}, "always use tabs")
        (call,) = calls(session_of(file))
        assert (call.input, call.output) == ("", "")


class TestWhereItWasHeld:
    def test_the_directory_that_the_session_tells_of(self, session_of):
        assert session_of(GeminiFile()).cwd == CWD

    def test_the_root_that_stands_in_its_folder(self, tmp_path):
        path = GeminiFile(context=False).write(tmp_path)
        (path.parent.parent / ".project_root").write_text(CWD)
        assert loaded(path).cwd == CWD

    def test_the_hosts_list_of_projects(self, tmp_path):
        path = GeminiFile(context=False).write(tmp_path)
        (tmp_path / "projects.json").write_text(json.dumps({"projects": {"/srv/other": "other", CWD: "demo"}}))
        assert loaded(path).cwd == CWD

    def test_a_directory_whose_hash_is_another_is_not_believed(self, tmp_path):
        file = GeminiFile(context=False)
        file.set(messages=[{"id": "c", "type": "user", "content": [{"text": "working in the directory: /etc"}]}])
        assert loaded(file.write(tmp_path)).cwd == ""

    @pytest.mark.parametrize("content", ["{", "[]", '{"projects": 3}'])
    def test_a_damaged_list_tells_nothing(self, tmp_path, content):
        path = GeminiFile(context=False).write(tmp_path)
        (tmp_path / "projects.json").write_text(content)
        assert loaded(path).cwd == ""


class TestDiscovery:
    def test_it_finds_what_lies_below_chats_and_no_other_file(self, tmp_path):
        path = GeminiFile().write(tmp_path / ".gemini")
        (path.parent.parent / "logs.json").write_text("[]")
        found = discover(hosts=["gemini"], sources=None, environ={}, home=tmp_path)
        assert [ref.path for ref in found.refs] == [str(path)]

    def test_the_home_can_be_moved(self, tmp_path):
        path = GeminiFile().write(tmp_path / "moved" / ".gemini")
        environ = {"GEMINI_CLI_HOME": str(tmp_path / "moved")}
        found = discover(hosts=["gemini"], sources=None, environ=environ, home=tmp_path)
        assert [ref.path for ref in found.refs] == [str(path)]

    def test_a_copy_is_recognised_by_its_content(self, tmp_path):
        (tmp_path / "copy.txt").write_bytes(GeminiFile().data())
        found = discover(hosts=None, sources=[tmp_path], environ={}, home=tmp_path)
        assert [ref.host for ref in found.refs] == ["gemini"]

    @pytest.mark.parametrize("kind", ["subagent", None])
    def test_a_helpers_session_is_left_alone(self, tmp_path, kind):
        """user-U27"""
        file = GeminiFile(kind=kind)
        file.user("do it")
        session = loaded(file.write(tmp_path, name="parent-1/helper.jsonl"))
        assert (session.exclusion, session.parent_id) == (Exclusion.SUB_AGENT, "parent-1")

    def test_what_the_session_knows_of_itself(self, session_of):
        file = GeminiFile()
        file.user("hello")
        file.set(summary="A greeting")
        session = session_of(file)
        assert (session.id, session.host, session.title) == (SESSION, "gemini", "A greeting")
        assert session.started_at.isoformat() == "2026-11-02T10:00:00+00:00"
        assert session.updated_at.isoformat() == "2026-11-02T10:00:01+00:00"
