"""Codex rollouts are read as they were: whose words, what the tools said, which history is the session's own."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.codex_rollouts import OWN_ID, PARENT_ID, START, RolloutFile, ordinary_mix, own_turn, text_piece
from support.compose.zstd import compress
from vademecum.errors import SessionUnreadable
from vademecum.sessions import Role, Session, ToolCall
from vademecum.sessions import codex as reader


def read_path(path: Path) -> Session | None:
    skipped: Counter[str] = Counter()
    (ref,) = reader.discover(path, skipped)
    session = reader.read(ref, skipped)
    # What a reader counts, `load` puts into the session.
    return session and msgspec.structs.replace(session, skipped=dict(skipped))


@pytest.fixture
def read(tmp_path: Path):
    """Write a rollout and read it back."""

    def write_and_read(rollout: RolloutFile, name: str | None = None) -> Session:
        session = read_path(rollout.write(tmp_path, name))
        assert session is not None
        return session

    return write_and_read


def talk(session: Session) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in session.messages]


def only_call(session: Session) -> ToolCall:
    ((call,),) = [message.tool_calls for message in session.messages if message.tool_calls]
    return call


def begun() -> RolloutFile:
    return RolloutFile().meta().turn()


# --- the session -----------------------------------------------------------------------------------------------------


def test_a_rollout_is_read_with_roles_times_and_place(read):
    rollout = begun().user("build it").assistant("I look.")
    rollout.shell("make", "ok").assistant("Built.").event(type="task_complete", last_agent_message="Built.")
    session = read(rollout)
    assert talk(session) == [(Role.HUMAN, "build it"), (Role.COMMENTARY, "I look."), (Role.FINAL, "Built.")]
    assert [message.index for message in session.messages] == [1, 2, 3]
    assert session.messages[0].at == START + timedelta(seconds=2)
    assert (session.id, session.host, session.cwd, session.branch) == (OWN_ID, "codex", "/srv/demo", "main")
    assert (session.started_at, session.updated_at) == (START, START + timedelta(seconds=7))
    assert (session.exclusion, session.parent_id, session.skipped) == (None, None, {})


def test_the_folder_is_the_last_one_that_a_turn_names(read):
    assert read(begun().turn(own_turn(2), cwd="/srv/other").user("hi")).cwd == "/srv/other"


def test_the_twins_in_events_are_not_read(read):
    session = read(begun().user("once").event(type="user_message", message="once").assistant("yes"))
    assert talk(session) == [(Role.HUMAN, "once"), (Role.FINAL, "yes")]


def test_human_words_that_stand_in_events_only_are_read_from_there(read):
    rollout = begun().event(type="user_message", message="only here").assistant("yes")
    rollout.event(type="user_message", message="<environment_context>x</environment_context>")
    assert talk(read(rollout)) == [
        (Role.HUMAN, "only here"),
        (Role.FINAL, "yes"),
        (Role.HOST, "<environment_context>x</environment_context>"),
    ]


def test_unknown_lines_and_items_are_counted(read):
    session = read(begun().line("hologram", {}).item(type="hologram").user("hi").line("world_state", {"state": {}}))
    assert session.skipped == {"unknown_type": 2}


# --- whose words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /srv/demo\n\n<INSTRUCTIONS>\nalways x\n</INSTRUCTIONS>",
        "<INSTRUCTIONS>always x</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>",
        "<user_instructions>always x</user_instructions>",
        "<skill>\n<name>a</name></skill>",
        "<skill name='a'>",
        "<turn_aborted>\nby the user\n</turn_aborted>",
        "<permissions instructions>always x</permissions instructions>",
        "<some_new_context>always x</some_new_context>",
        "  <model_switch>\nx</model_switch>",
    ],
)
def test_text_that_the_host_put_under_the_users_role_is_the_hosts(read, text: str):
    assert talk(read(begun().user(text))) == [(Role.HOST, text)]


@pytest.mark.parametrize(
    "text", ["use <b>bold</b>", "<div>why does this break?</div>", "fix # AGENTS.md instructions", "<T>() is wrong"]
)
def test_text_with_markup_of_the_users_own_stays_the_users(read, text: str):
    assert talk(read(begun().user(text))) == [(Role.HUMAN, text)]


def test_the_host_says_itself_which_pieces_are_the_users(read):
    rollout = begun().sourced_user(
        ("Guidelines: always x", "agents_md.instructions", "agents_md"),
        ("No tag, but not the user", "unknown", "harness"),
        ("<T>() is wrong", "user.text", "user"),
    )
    assert talk(read(rollout)) == [
        (Role.HOST, "Guidelines: always x\n\nNo tag, but not the user"),
        (Role.HUMAN, "<T>() is wrong"),
    ]


def test_developer_messages_are_dropped(read):
    """user-U52: context that a hook injected (ours among it) never comes back as talk."""
    assert talk(read(begun().message("developer", text_piece("always x")).user("hi"))) == [(Role.HUMAN, "hi")]


@pytest.mark.parametrize(
    "text",
    [
        "<subagent_notification>done</subagent_notification>",
        '{"author":"/root","recipient":"/root/a","other_recipients":[],"content":"always x"}',
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_messages_between_agents_are_another_agents(read, text: str, role: str):
    assert talk(read(begun().message(role, text_piece(text)))) == [(Role.OTHER_AGENT, text)]


def test_a_line_between_agents_is_another_agents(read):
    rollout = begun().line("inter_agent_communication", {"author": "/root", "recipient": "/a", "content": "do x"})
    assert talk(read(rollout)) == [(Role.OTHER_AGENT, "do x")]


def test_an_editors_context_is_split_from_the_request(read):
    text = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename it"
    session = read(begun().user(text))
    assert talk(session)[1] == (Role.HUMAN, "rename it")
    assert talk(session)[0][0] is Role.HOST


def test_a_command_of_the_users_own_is_tool_text(read):
    text = "<user_shell_command>\n<command>ls</command>\n</user_shell_command>"
    assert talk(read(begun().user(text))) == [(Role.TOOL, text)]


def test_a_picture_alone_is_a_placeholder(read):
    assert talk(read(begun().message("user", {"type": "input_image", "image_url": "data:"}))) == [
        (Role.HOST, "[input_image]")
    ]


def test_answers_to_questions_are_the_users_joined_with_the_question(read):
    """A1: answers are human; they open no turn, so the text before them is no final."""
    rollout = begun().user("set up").assistant("One question.")
    asked = {"questions": [{"id": "m", "header": "M", "question": "Which manager?", "options": []}]}
    call_id = rollout.call("request_user_input", json.dumps(asked))
    rollout.output(call_id, json.dumps({"answers": {"m": {"answers": ["pnpm"]}}})).assistant("Done.")
    assert talk(read(rollout)) == [
        (Role.HUMAN, "set up"),
        (Role.COMMENTARY, "One question."),
        (Role.HUMAN, "> Which manager?\n\npnpm"),
        (Role.FINAL, "Done."),
    ]


def test_a_compaction_is_the_hosts_and_its_history_is_not_read_again(read):
    """user-U36"""
    history = [{"type": "message", "role": "user", "content": [text_piece("old words")]}]
    rollout = begun().user("hi").line("compacted", {"message": "a summary", "replacement_history": history})
    assert talk(read(rollout)) == [(Role.HUMAN, "hi"), (Role.HOST, "a summary")]


def test_the_phase_says_what_is_final(read):
    rollout = begun().user("go").assistant("first", phase="final_answer").assistant("second", phase="commentary")
    assert talk(read(rollout))[1:] == [(Role.FINAL, "first"), (Role.COMMENTARY, "second")]


def test_without_a_phase_the_last_text_of_each_turn_is_final(read):
    rollout = begun().user("one").assistant("a").assistant("b").user("two").assistant("c").shell("ls", "x")
    roles = [message.role for message in read(rollout.assistant("d")).messages]
    assert roles == [Role.HUMAN, Role.COMMENTARY, Role.FINAL, Role.HUMAN, Role.COMMENTARY, Role.FINAL]


def test_a_text_before_a_call_that_ended_the_session_is_no_final(read):
    session = read(begun().user("one").assistant("I look.").shell("ls", "x"))
    assert [message.role for message in session.messages] == [Role.HUMAN, Role.COMMENTARY]


# --- tools -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ("Wall time: 1 s\nProcess exited with code 0\nOutput:\nfine", None, False),
        ("Wall time: 1 s\nProcess exited with code 2\nOutput:\nbad", None, True),
        ("Exit code: 1\nOutput:\nbad", None, True),
        ('{"output":"bad","metadata":{"exit_code":1,"duration_seconds":0.1}}', "bad", True),
        ('{"output":"fine","metadata":{"exit_code":0}}', "fine", False),
        ('{"result":"found"}', None, None),
        ("unsupported custom tool call: apply_patch", None, True),
        ("Output:\nthe log says: Exit code: 1 is bad", None, None),
        ([{"type": "input_text", "text": "one"}, {"type": "input_image"}], "one\n[input_image]", None),
        ({"content": "old", "success": False}, "old", True),
    ],
)
def test_an_output_says_what_came_back_and_whether_the_call_failed(read, output: object, text: str | None, failed):
    rollout = begun()
    rollout.output(rollout.call(), output)
    call = only_call(read(rollout))
    assert (call.name, call.input) == ("exec_command", '{"cmd":"pytest -q"}')
    assert call.output == (output if text is None else text)
    assert call.failed is failed


def test_a_free_form_call_keeps_its_raw_input(read):
    rollout = begun().item(type="custom_tool_call", name="apply_patch", call_id="c", input="*** Begin Patch\n")
    rollout.output("c", "Exit code: 0\nOutput:\nok", kind="custom_tool_call_output")
    call = only_call(read(rollout))
    assert (call.name, call.input, call.failed) == ("apply_patch", "*** Begin Patch\n", False)


def test_a_call_of_an_mcp_tool_is_named_with_its_server(read):
    rollout = begun()
    rollout.call("memory_read", "{}", namespace="mcp__vademecum")
    assert only_call(read(rollout)).name == "mcp__vademecum__memory_read"


def test_a_call_of_a_built_in_tool_keeps_its_command(read):
    rollout = begun().item(type="local_shell_call", call_id="c", action={"type": "exec", "command": ["ls", "-l"]})
    call = only_call(read(rollout))
    assert (call.name, json.loads(call.input)) == ("local_shell", {"command": ["ls", "-l"]})


def test_arguments_that_are_an_object_are_kept_as_text(read):
    rollout = begun().item(type="tool_search_call", call_id="c", arguments={"query": "lint"})
    call = only_call(read(rollout))
    assert (call.name, call.input) == ("tool_search", '{"query":"lint"}')


def test_calls_of_one_step_belong_to_its_text_and_those_of_the_next_do_not(read):
    rollout = begun().user("go").assistant("I look.")
    first, second = rollout.call(), rollout.call()
    rollout.output(first, "1").output(second, "2").shell("make", "3")
    session = read(rollout)
    assert [(message.role, len(message.tool_calls)) for message in session.messages[1:]] == [
        (Role.COMMENTARY, 2),
        (Role.TOOL, 1),
    ]
    assert [call.output for call in session.messages[1].tool_calls] == ["1", "2"]


def test_an_output_without_a_call_is_counted(read):
    assert read(begun().user("hi").output("nobody", "x")).skipped == {"orphan_output": 1}


# --- branches and exclusions -----------------------------------------------------------------------------------------


def test_a_rollback_takes_back_the_last_turns(read):
    rollout = begun().user("keep").assistant("kept").user("wrong").assistant("bad").user("also wrong")
    session = read(rollout.event(type="thread_rolled_back", num_turns=2).user("right").assistant("good"))
    assert [text for _, text in talk(session)] == ["keep", "kept", "right", "good"]
    assert [message.index for message in session.messages] == [1, 2, 3, 4]
    assert session.skipped == {"rewound": 3}


def test_history_before_the_files_own_heading_is_the_parents(read):
    rollout = RolloutFile().meta(id=PARENT_ID, session_id=PARENT_ID, timestamp="2026-10-01T00:00:00Z").user("old words")
    session = read(rollout.meta(cwd="/srv/own").user("new words"))
    assert talk(session) == [(Role.HUMAN, "new words")]
    assert (session.id, session.cwd, session.started_at) == (OWN_ID, "/srv/own", START)
    assert session.skipped == {"forked_history": 1}


def test_history_copied_after_the_files_own_heading_is_the_parents(read):
    rollout = RolloutFile().meta().meta(id=PARENT_ID, session_id=PARENT_ID)
    rollout.event(type="task_started", turn_id=PARENT_ID[:-2] + "cc").user("old words").assistant("old answer")
    rollout.event(type="task_started", turn_id=own_turn(1)).user("new words")
    session = read(rollout)
    assert talk(session) == [(Role.HUMAN, "new words")]
    assert session.id == OWN_ID
    assert session.skipped == {"forked_history": 2}


def test_a_resumed_file_with_its_heading_twice_is_one_conversation(read):
    session = read(begun().user("one").meta(timestamp="2026-11-05T00:00:00Z").user("two"))
    assert [text for _, text in talk(session)] == ["one", "two"]
    assert session.started_at == START


def test_a_file_under_a_foreign_name_is_read_by_its_own_heading(read):
    session = read(begun().user("hi"), name=f"rollout-2026-{PARENT_ID}.jsonl")
    assert (session.id, talk(session)) == (OWN_ID, [(Role.HUMAN, "hi")])


@pytest.mark.parametrize(
    ("fields", "exclusion"),
    [
        ({"source": "exec"}, None),
        ({"source": "vscode"}, None),
        ({"source": {"custom": "internal-tool"}}, None),
        ({"memory_mode": "enabled"}, None),
        ({"memory_mode": "disabled"}, "mode_off"),
        ({"memory_mode": "polluted"}, "mode_off"),
        ({"source": "subagent"}, "sub_agent"),
        ({"thread_source": "subagent"}, "sub_agent"),
        ({"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT_ID, "depth": 1}}}}, "sub_agent"),
        ({"source": {"subagent": "review"}}, "sub_agent"),
        ({"source": {"internal": "title"}}, "sub_agent"),
        ({"thread_source": "memory_consolidation"}, "learner"),
        ({"source": {"subagent": "memory_consolidation"}}, "learner"),
        ({"source": {"internal": "memory_consolidation"}}, "learner"),
    ],
)
def test_the_heading_says_what_is_never_learned(read, fields: dict, exclusion: str | None):
    session = read(RolloutFile().meta(**fields).user("hi"))
    assert session.exclusion == exclusion
    assert (session.parent_id == PARENT_ID) is ("parent_thread_id" in str(fields))


def test_an_imported_conversation_is_marked(read):
    """A5: it is learned from the host it came from."""
    assert read(RolloutFile().meta().turn("external-import-turn-1").user("hi")).exclusion == "import"
    assert read(begun().user("hi").assistant("<EXTERNAL SESSION IMPORTED>")).exclusion == "import"


def test_a_session_of_our_own_learner_is_marked(read):
    """user-U27: a learner never learns from itself."""
    assert read(begun().user("vademecum-learner\nExtract.")).exclusion == "learner"


# --- places and forms ------------------------------------------------------------------------------------------------


def test_the_folders_follow_codex_home(tmp_path: Path):
    assert reader.roots({"CODEX_HOME": "/c"}, tmp_path) == [Path("/c/sessions"), Path("/c/archived_sessions")]
    assert reader.roots({}, tmp_path)[0] == tmp_path / ".codex" / "sessions"


def test_rollouts_are_found_below_the_folder_by_path(tmp_path: Path):
    second = begun().user("b").write(tmp_path / "2026" / "11" / "02")
    first = begun().user("a").write(tmp_path / "2026" / "10" / "02")
    (tmp_path / "session_index.txt").write_text("{}")
    refs = list(reader.discover(tmp_path, Counter()))
    assert [ref.path for ref in refs] == [str(first), str(second)]
    assert [ref.session_id for ref in refs] == [OWN_ID, OWN_ID]


def test_a_compressed_rollout_is_read(tmp_path: Path):
    path = tmp_path / f"rollout-2026-11-02T09-00-00-{OWN_ID}.jsonl.zst"
    path.write_bytes(compress(begun().user("hi").bytes()))
    (session,) = [read_path(found) for found in tmp_path.iterdir()]
    assert session is not None
    assert talk(session) == [(Role.HUMAN, "hi")]


@pytest.mark.parametrize("line", ['{"type":"user","uuid":"u"}', '{"type":"session","version":3,"id":"x"}', "", "text"])
def test_other_programs_files_are_not_recognised(tmp_path: Path, line: str):
    assert not reader.recognises(line.encode(), tmp_path / f"rollout-{OWN_ID}.jsonl")


def test_a_rollout_is_recognised_by_its_lines_not_its_name(tmp_path: Path):
    assert reader.recognises(begun().bytes(), tmp_path / "copy.txt")
    assert reader.recognises(b'{"timestamp":"x","type":"half\n' + begun().bytes()[:300], tmp_path / "copy")
    spaced = json.dumps(json.loads(begun().lines[0]), indent=None).encode()
    assert reader.recognises(spaced, tmp_path / "copy")


OLD_META = {"id": OWN_ID, "timestamp": "2025-05-07T09:00:00Z", "instructions": None, "git": {"branch": "dev"}}
OLD_ITEMS = [
    {
        "type": "message",
        "role": "user",
        "content": [text_piece("<environment_context><cwd>/srv/old</cwd></environment_context>")],
    },
    {"type": "message", "role": "user", "content": [text_piece("old request")]},
    {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": '{"output":"x","metadata":{"exit_code":1}}'},
    {"type": "message", "role": "assistant", "content": [text_piece("old answer", "output_text")]},
]


def assert_old_session(session: Session | None) -> None:
    assert session is not None
    assert [text for _, text in talk(session)[1:]] == ["old request", "", "old answer"]
    assert talk(session)[-1][0] is Role.FINAL
    assert only_call(session).failed is True
    assert (session.id, session.cwd, session.branch) == (OWN_ID, "/srv/old", "dev")
    assert session.started_at.year == 2025


def test_a_file_of_items_without_envelope_is_read(tmp_path: Path):
    lines = [OLD_META, *OLD_ITEMS[:2], {"record_type": "state"}, *OLD_ITEMS[2:]]
    path = tmp_path / f"rollout-2025-05-07-{OWN_ID}.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert reader.recognises(path.read_bytes(), path)
    assert_old_session(read_path(path))


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_that_is_one_object_is_read(tmp_path: Path, indent: int | None):
    path = tmp_path / f"rollout-2025-05-07-{OWN_ID}.json"
    path.write_text(json.dumps({"session": OLD_META, "items": OLD_ITEMS}, indent=indent))
    assert reader.recognises(path.read_bytes(), path)
    assert_old_session(read_path(path))


def test_a_line_with_its_keys_in_another_order_is_read(read):
    payload = {"role": "user", "content": [text_piece("hi")], "type": "message"}
    rollout = begun().raw(
        json.dumps({"payload": payload, "type": "response_item", "timestamp": "2026-11-02T09:00:09Z"})
    )
    assert talk(read(rollout)) == [(Role.HUMAN, "hi")]


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        '{"timestamp":"2026-11-02T09:00:01Z","type":"response_item","payload":{"type":"message","role":"us',
        '{"timestamp":"2026-11-02T09:00:01Z","type":"response_item","payload":{"type":"message","role":5}}',
        '{"timestamp":"2026-11-02T09:00:01Z","type":"response_item","payload":' + "[" * 50_000,
        "\x00\x01\x02 binary",
        "[]",
    ],
)
def test_a_broken_line_is_counted_and_the_rest_is_read(read, line: str):
    session = read(begun().user("before").raw(line).user("after"))
    assert [text for _, text in talk(session)] == ["before", "after"]
    assert session.skipped == {"broken_line": 1}


def test_a_half_written_last_line_is_normal(tmp_path: Path):
    path = begun().user("hi").write(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"timestamp":"2026-11-02T09:00:01Z","type":"response_item","payl')
    session = read_path(path)
    assert session is not None
    assert (talk(session), session.skipped) == ([(Role.HUMAN, "hi")], {})


def test_a_line_above_the_cap_is_counted_and_the_rest_is_read(read):
    session = read(begun().user("before").user("x" * 9_000_000).user("after"))
    assert [text for _, text in talk(session)] == ["before", "after"]
    assert session.skipped == {"capped_line": 1}


def test_absurd_times_become_none(read):
    rollout = begun().raw(
        '{"timestamp":"9999-99-99","type":"response_item","payload":'
        '{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}'
    )
    session = read(rollout)
    assert session.messages[0].at is None
    assert session.started_at <= session.updated_at


def test_a_file_without_a_session_is_none(tmp_path: Path):
    for number, content in enumerate((b"", b"\x00" * 5_000, "{}".encode("utf-16"), b"{}\n[]\n", b'{"session":{')):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(content)
        assert read_path(path) is None


WHOLE = begun().user("hi").assistant("I look.").shell("ls", "x").assistant("done").bytes()


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_file_with_flipped_bytes_raises_nothing_but_unreadable(tmp_path_factory, data: st.DataObject):
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 12))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("fuzz") / f"rollout-{OWN_ID}.jsonl"
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    with suppress(SessionUnreadable):
        read_path(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KINDS = ["message", "function_call", "function_call_output", "thread_rolled_back", "user_message", "task_started"]
KEYS = [
    "role",
    "content",
    "name",
    "arguments",
    "output",
    "call_id",
    "num_turns",
    "id",
    "cwd",
    "source",
    "turn_id",
    "message",
]
payloads = st.builds(
    lambda kind, rest: {"type": kind, **rest},
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(KEYS), json_values | st.sampled_from(["user", "assistant", "c1"])),
)
LINES = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "inter_agent_communication"]


@given(st.lists(st.tuples(st.sampled_from(LINES), payloads), max_size=8))
@settings(max_examples=40, deadline=None)
def test_whatever_stands_in_the_lines_nothing_but_a_session_comes_out(tmp_path_factory, lines: list[tuple[str, dict]]):
    rollout = RolloutFile().meta()
    for kind, payload in lines:
        rollout.line(kind, payload)
    session = read_path(rollout.write(tmp_path_factory.mktemp("fuzz")))
    assert session is not None
    assert [message.index for message in session.messages] == list(range(1, len(session.messages) + 1))


MEASURE = """
import re, sys
from pathlib import Path
from vademecum.sessions import discover, load
(ref,) = discover(hosts=["codex"], sources=[Path(sys.argv[1])], environ={}, home=Path("/nonexistent")).refs
session = load(ref)
# Not `ru_maxrss`: that begins with the memory of the process that started this one.
peak_kib = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
print(session.messages[-1].text, session.skipped["capped_line"], peak_kib)
"""


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
def test_a_huge_file_with_a_huge_line_takes_little_memory(tmp_path: Path):
    """user-U39: 120 MB, of it one line of 40 MB; the whole process stays below 200 MB and reaches the last words."""
    path = tmp_path / f"rollout-{OWN_ID}.jsonl"
    ordinary_mix(path, 80 << 20)
    with path.open("ab") as stream:
        stream.write(
            b'{"timestamp":"2026-11-02T10:00:00Z","type":"response_item","payload":{"type":"message","content":"'
        )
        for _ in range(40):
            stream.write(b"y" * (1 << 20))
        stream.write(b'"}}\n' + RolloutFile().user("the last words").bytes())
    environ = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", MEASURE, str(path)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environ)
    *words, capped, peak_kib = run.stdout.split()
    assert (" ".join(words), capped) == ("the last words", "1")
    assert int(peak_kib) < 200 * 1024
