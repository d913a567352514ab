"""opencode sessions are read as they were: whose words, which branch, what the tools said, whatever the store."""

import json
import os
import sqlite3
import tracemalloc
from collections import Counter
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.opencode_stores import START_MS, Conversation, as_text, insert, text, tool, write_database, write_tree
from vademecum.errors import SessionUnreadable
from vademecum.sessions import Role, Session, load
from vademecum.sessions import opencode as reader

STORES = {
    "database": lambda folder, *all_: write_database(folder / "opencode.db", *all_) and folder,
    "tree": lambda folder, *all_: write_tree(folder, *all_) and folder,
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path):
    """Write conversations into either store and read the sessions back."""

    def write_and_read(*conversations: Conversation) -> list[Session]:
        return read_all(STORES[request.param](tmp_path / "opencode", *conversations))

    return write_and_read


def read_all(root: Path, skipped: Counter | None = None) -> list[Session]:
    counts: Counter[str] = Counter() if skipped is None else skipped
    return [
        # What a reader counts, `load` puts into the session.
        msgspec.structs.replace(session, skipped=dict(counts))
        for ref in reader.discover(root, counts)
        if (session := reader.read(ref, counts)) is not None
    ]


def talk(session: Session) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in session.messages]


# --- whose words -----------------------------------------------------------------------------------------------------


def test_a_conversation_is_read_with_roles_times_and_place(store):
    (session,) = store(
        Conversation().user(text("build it")).assistant(text("I look."), tool("bash", "ok")).assistant(text("Built."))
    )
    assert talk(session) == [(Role.HUMAN, "build it"), (Role.COMMENTARY, "I look."), (Role.FINAL, "Built.")]
    assert [message.index for message in session.messages] == [1, 2, 3]
    assert session.messages[0].at == datetime.fromtimestamp(START_MS / 1000, UTC)
    assert (session.id, session.host, session.cwd, session.title) == (
        "ses_a",
        "opencode",
        "/srv/demo",
        "Make the widget build",
    )
    assert session.started_at <= session.updated_at
    assert session.exclusion is None
    assert session.parent_id is None


def test_synthetic_text_is_the_hosts_and_ignored_text_is_nobodys(store):
    (session,) = store(
        Conversation().user(
            text("look at @README.md"), text("Called the Read tool", synthetic=True), text("draft", ignored=True)
        )
    )
    assert talk(session) == [(Role.HUMAN, "look at @README.md"), (Role.HOST, "Called the Read tool")]


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ('"please fix it"', "please fix it"),
        ('"say \\"hi\\" twice"', 'say "hi" twice'),
        ('"line one\nline two"', "line one\nline two"),
        ('"a" and "b"', '"a" and "b"'),
        ("no quotes", "no quotes"),
        ('"', '"'),
    ],
)
def test_the_quotes_that_a_run_adds_to_its_prompt_are_not_the_users(store, stored: str, said: str):
    (session,) = store(Conversation().user(text(stored)))
    assert talk(session) == [(Role.HUMAN, said)]


def test_a_summary_for_a_compaction_is_the_hosts(store):
    """user-U36: compaction text is never taken for words."""
    (session,) = store(
        Conversation()
        .user({"type": "compaction", "auto": True})
        .assistant(text("Goal: ..."), summary=True)
        .user(text("Continue", synthetic=True))
    )
    assert [role for role, _ in talk(session)] == [Role.HOST, Role.HOST]


def test_what_goes_to_another_agent_is_not_the_users(store):
    (session,) = store(
        Conversation().user(
            text("@review this"), {"type": "agent", "name": "review"}, {"type": "subtask", "prompt": "check all"}
        )
    )
    assert talk(session) == [(Role.HUMAN, "@review this"), (Role.OTHER_AGENT, "[agent: review]\n\ncheck all")]


def test_files_are_placeholders_of_the_host(store):
    (session,) = store(
        Conversation().user(text("see"), {"type": "file", "mime": "image/png", "filename": "a.png", "url": "data:..."})
    )
    assert talk(session) == [(Role.HUMAN, "see"), (Role.HOST, "[file: a.png]")]


def test_answers_to_questions_are_the_users_joined_with_the_question(store):
    """A1: answers are human, the question is not."""
    asked = {"questions": [{"question": "Which manager?", "options": []}, {"question": "Tests?"}]}
    (session,) = store(
        Conversation()
        .user(text("set it up"))
        .assistant(tool("question", "User has answered", input=asked, metadata={"answers": [["pnpm"], []]}))
        .assistant(text("Done."))
    )
    assert (Role.HUMAN, "> Which manager?\n\npnpm") in talk(session)
    assert talk(session)[-1] == (Role.FINAL, "Done.")


def test_the_texts_of_one_message_stay_together(tmp_path: Path):
    """A private part may reach over several texts, so they are cleaned as one."""
    path = write_database(tmp_path / "o.db", Conversation().user(text("a <private>b"), text("c</private> d")))
    (ref,) = reader.discover(path, Counter())
    assert [message.text for message in load(ref).messages] == ["a  d"]


def test_reasoning_and_markers_are_dropped_and_unknown_parts_counted(store):
    (session,) = store(Conversation().assistant(text("Done."), {"type": "hologram", "text": "?"}))
    assert talk(session) == [(Role.FINAL, "Done.")]
    assert session.skipped == {"unknown_type": 1}


# --- tools -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "output", "failed"),
    [
        (tool("bash", "fine", metadata={"exit": 0}), "fine", False),
        (tool("bash", "2 failed", metadata={"exit": 1}), "2 failed", True),
        (tool("edit", status="error", error="no such file"), "no such file", True),
        (tool("bash", status="running"), "", None),
        (tool("bash", "fine", metadata="odd"), "fine", False),
    ],
)
def test_a_tool_says_what_came_back_and_whether_it_failed(store, part: dict, output: str, failed: bool | None):
    """codex-R12: an error's text is kept."""
    (session,) = store(Conversation().assistant(part))
    (message,) = session.messages
    (call,) = message.tool_calls
    assert message.role is Role.TOOL
    assert (call.name, call.output, call.failed) == (part["tool"], output, failed)
    assert json.loads(call.input) == {"command": "make"}


# --- branches and exclusions -----------------------------------------------------------------------------------------


def conversation_with_a_wrong_turn() -> Conversation:
    return Conversation().user(text("good")).assistant(text("Good.")).user(text("bad idea")).assistant(text("Bad."))


def test_messages_that_were_taken_back_are_left_out_and_counted(store):
    made = conversation_with_a_wrong_turn()
    made.columns["revert"] = {"messageID": made.message_id(2), "snapshot": "x", "diff": ""}
    (session,) = store(made)
    assert talk(session) == [(Role.HUMAN, "good"), (Role.FINAL, "Good.")]
    assert session.skipped == {"rewound": 2}


def test_a_revert_to_a_part_keeps_the_parts_before_it(tmp_path: Path):
    made = Conversation().user(text("keep")).assistant(text("one"), text("two"))
    (_, _, parts) = made.messages[1]
    made.columns["revert"] = {"messageID": made.message_id(1), "partID": parts[3][0]}
    (session,) = read_all(write_database(tmp_path / "opencode.db", made))
    assert talk(session) == [(Role.HUMAN, "keep"), (Role.FINAL, "one")]


def test_a_child_session_is_a_sub_agents(tmp_path: Path):
    (session,) = read_all(write_database(tmp_path / "o.db", Conversation(parent_id="ses_root").user(text("do"))))
    assert (session.exclusion, session.parent_id) == ("sub_agent", "ses_root")


@pytest.mark.parametrize("columns", [{"title": "vademecum-learner"}, {"metadata": '{"tag":"vademecum-learner"}'}])
def test_our_own_learner_sessions_are_marked(tmp_path: Path, columns: dict):
    """user-U27: a learner never learns from itself."""
    (session,) = read_all(write_database(tmp_path / "o.db", Conversation(**columns).user(text("extract"))))
    assert session.exclusion == "learner"


def test_a_title_that_opencode_put_for_the_time_being_is_none(store):
    (session,) = store(Conversation(title="New session - 2026-11-02T10:00:00.000Z").user(text("hi")))
    assert session.title == ""


# --- stores ----------------------------------------------------------------------------------------------------------


def test_the_data_folder_follows_xdg_and_home(tmp_path: Path):
    assert reader.roots({"XDG_DATA_HOME": "/data"}, tmp_path) == [Path("/data/opencode")]
    assert reader.roots({"XDG_DATA_HOME": "relative"}, tmp_path) == [tmp_path / ".local/share/opencode"]
    assert reader.roots({}, tmp_path) == [tmp_path / ".local/share/opencode"]


@pytest.mark.parametrize(
    ("chosen", "more"),
    [
        (":memory:", []),
        ("opencode-dev.db", []),
        ("mine.db", [Path("/data/opencode/mine.db")]),
        ("/srv/mine.db", [Path("/srv/mine.db")]),
    ],
)
def test_a_database_in_another_place_is_found_too(tmp_path: Path, chosen: str, more: list[Path]):
    environ = {"XDG_DATA_HOME": "/data", "OPENCODE_DB": chosen}
    assert reader.roots(environ, tmp_path) == [Path("/data/opencode"), *more]


def test_databases_of_all_channels_are_found(tmp_path: Path):
    write_database(tmp_path / "opencode.db", Conversation("ses_a").user(text("a")))
    write_database(tmp_path / "opencode-beta.db", Conversation("ses_b").user(text("b")))
    assert sorted(session.id for session in read_all(tmp_path)) == ["ses_a", "ses_b"]


def test_a_session_in_both_stores_is_read_from_the_database(tmp_path: Path):
    write_database(tmp_path / "opencode.db", Conversation("ses_a").user(text("from the database")))
    storage = write_tree(
        tmp_path, Conversation("ses_a").user(text("old")), Conversation("ses_b").user(text("only here"))
    )
    skipped: Counter[str] = Counter()
    sessions = read_all(tmp_path, skipped)
    assert [talk(session)[0][1] for session in sessions] == ["from the database", "only here"]
    assert skipped["duplicate"] == 1
    (file,) = storage.glob("session/*/ses_a.json")
    assert list(reader.discover(file, Counter())) == []


def test_a_fingerprint_changes_with_the_session_and_only_with_it(tmp_path: Path):
    path = write_database(tmp_path / "opencode.db", Conversation("ses_a").user(text("a")))
    before = {ref.session_id: ref.fingerprint for ref in reader.discover(path, Counter())}
    with closing(sqlite3.connect(path)) as connection:
        insert(connection, Conversation("ses_b").user(text("b")))
        connection.commit()
    with_b = {ref.session_id: ref.fingerprint for ref in reader.discover(path, Counter())}
    assert with_b["ses_a"] == before["ses_a"]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE session SET time_updated = time_updated + 1 WHERE id = 'ses_a'")
        connection.commit()
    after = {ref.session_id: ref.fingerprint for ref in reader.discover(path, Counter())}
    assert after["ses_a"] != before["ses_a"]
    assert after["ses_b"] == with_b["ses_b"]


def test_a_session_is_read_while_the_host_is_writing(tmp_path: Path):
    path = write_database(tmp_path / "opencode.db", Conversation("ses_a").user(text("a")))
    with closing(sqlite3.connect(path, isolation_level=None)) as host:
        host.execute("BEGIN IMMEDIATE")
        insert(host, Conversation("ses_b").user(text("not yet")))
        assert [session.id for session in read_all(path)] == ["ses_a"]
        host.execute("COMMIT")
        assert [session.id for session in read_all(path)] == ["ses_a", "ses_b"]


def test_reading_changes_nothing_in_the_database(tmp_path: Path):
    path = write_database(tmp_path / "opencode.db", Conversation().user(text("a")))
    before = path.read_bytes()
    read_all(path)
    assert path.read_bytes() == before


def test_a_path_with_characters_of_a_uri_is_no_option(tmp_path: Path):
    path = write_database(tmp_path / "a?mode=rwc&b#c%41 é" / "opencode.db", Conversation().user(text("a")))
    assert [session.id for session in read_all(path)] == ["ses_a"]


@pytest.mark.parametrize("name", ["opencode.db", "copy.sqlite", "backup"])
def test_a_database_is_recognised_by_its_tables_not_its_name(tmp_path: Path, name: str):
    path = write_database(tmp_path / name, Conversation().user(text("a")))
    assert reader.recognises(path.read_bytes()[:65536], path)
    assert [session.id for session in read_all(path)] == ["ses_a"]


def test_a_database_of_another_program_is_not_recognised(tmp_path: Path):
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE session (id text)")
        connection.commit()
    assert not reader.recognises(path.read_bytes(), path)


def test_only_the_session_files_of_a_tree_are_sessions(tmp_path: Path):
    """Messages and parts are known as pieces of a session, so that a search below a folder does not count them."""
    storage = write_tree(tmp_path, Conversation().user(text('{"id": "ses_x", "directory": "/"}')).assistant(text("b")))
    files = list(storage.rglob("*.json"))
    assert all(reader.recognises(path.read_bytes(), path) for path in files)
    found = [ref.path for path in files for ref in reader.discover(path, Counter())]
    assert found == [str(path) for path in storage.glob("session/*/*.json")]
    assert [talk(session)[-1] for session in read_all(Path(found[0]))] == [(Role.FINAL, "b")]


def test_a_session_file_without_its_storage_folder_says_what_is_missing(tmp_path: Path):
    storage = write_tree(tmp_path / "a", Conversation().user(text("hi")))
    (file,) = storage.glob("session/*/*.json")
    alone = tmp_path / "alone.json"
    alone.write_bytes(file.read_bytes())
    (ref,) = reader.discover(alone, Counter())
    with pytest.raises(SessionUnreadable, match="messages are not beside it"):
        reader.read(ref, Counter())


def test_an_unknown_schema_is_counted(tmp_path: Path):
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE session_v2 (id text)")
        connection.execute("CREATE TABLE session_message (id text, session_id text, type text, seq integer, data text)")
        connection.commit()
    skipped: Counter[str] = Counter()
    assert read_all(tmp_path, skipped) == []
    assert skipped == {"unknown_schema": 1}
    assert reader.recognises(path.read_bytes(), path)


def test_sessions_of_the_first_schema_are_read_beside_those_of_the_second(tmp_path: Path):
    path = write_database(tmp_path / "opencode.db", Conversation().user(text("a")))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO session_message VALUES ('m', 's', 'user', '{}')")
        connection.commit()
    skipped: Counter[str] = Counter()
    assert len(read_all(tmp_path, skipped)) == 1
    assert skipped == {"unknown_schema": 1}


def test_a_database_with_later_columns_missing_is_read(tmp_path: Path):
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("""
            CREATE TABLE session (id text PRIMARY KEY, directory text, time_created integer, time_updated integer);
            CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
            CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
            INSERT INTO session VALUES ('ses_a', '/p', 1793000000000, 1793000000000);
            INSERT INTO message VALUES ('msg_1', 'ses_a', 1793000000000, '{"role":"user"}');
            INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_a', '{"type":"text","text":"hi"}');
        """)
    (session,) = read_all(path)
    assert talk(session) == [(Role.HUMAN, "hi")]


# --- bad input -------------------------------------------------------------------------------------------------------


def test_a_part_above_the_cap_is_counted_and_the_rest_is_read(tmp_path: Path):
    path = write_database(
        tmp_path / "o.db", Conversation().user(text("before"), text("x" * 9_000_000)).assistant(text("after"))
    )
    (session,) = read_all(path)
    assert talk(session) == [(Role.HUMAN, "before"), (Role.FINAL, "after")]
    assert session.skipped == {"capped_line": 1}


def test_a_message_of_very_many_parts_takes_little_memory(tmp_path: Path):
    parts = [text("words " * 100_000)] * 20 + [tool("bash", "x" * 500_000)] * 200
    path = write_database(tmp_path / "o.db", Conversation().assistant(*parts).user(text("end")))
    (ref,) = reader.discover(path, Counter())
    tracemalloc.start()
    skipped: Counter[str] = Counter()
    session = reader.read(ref, skipped)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert session is not None
    assert talk(session)[-1] == (Role.HUMAN, "end")
    assert skipped["capped_line"] == 7
    assert peak_bytes < 60_000_000


@pytest.mark.parametrize("part", ["", "{", "[" * 50_000, '{"type":"text","text":5}', "\x00", "null"])
def test_a_broken_part_is_counted_and_the_rest_is_read(store, part: str):
    (session,) = store(Conversation().user(text("before"), part).assistant(text("after")))
    assert talk(session) == [(Role.HUMAN, "before"), (Role.FINAL, "after")]
    assert sum(session.skipped.values()) <= 1


def test_half_an_emoji_does_not_cost_the_message(tmp_path: Path):
    part = '{"type":"text","text":"well done \\ud83d"}'
    (session,) = read_all(write_database(tmp_path / "o.db", Conversation().user(part)))
    assert talk(session)[0][1].startswith("well done ")


def test_absurd_times_become_none(tmp_path: Path):
    path = write_database(tmp_path / "o.db", Conversation(time_created=10**17, time_updated=-5).user(text("hi")))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("""UPDATE message SET data = '{"role":"user","time":{"created":9e300}}'""")
        connection.commit()
    (session,) = read_all(path)
    assert session.messages[0].at is None
    assert session.started_at <= session.updated_at


def test_a_database_that_is_cut_off_or_damaged_never_stops_a_scan(tmp_path: Path):
    whole = write_database(tmp_path / "whole.db", Conversation().user(text("a" * 50_000)), wal=False).read_bytes()
    (tmp_path / "opencode.db").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "opencode-b.db").write_bytes(whole[:100] + b"\xff" * 5_000)
    (tmp_path / "opencode-c.db").write_bytes(b"")
    (tmp_path / "opencode-d.db").symlink_to(tmp_path / "whole.db")
    os.mkfifo(tmp_path / "opencode-e.db")
    skipped: Counter[str] = Counter()
    for ref in reader.discover(tmp_path, skipped):
        with pytest.raises(SessionUnreadable):
            reader.read(ref, skipped)
    assert skipped.total() >= 4


def test_a_session_that_is_gone_is_none(tmp_path: Path):
    path = write_database(tmp_path / "o.db", Conversation().user(text("a")))
    (ref,) = reader.discover(path, Counter())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM session")
        connection.commit()
    assert reader.read(ref, Counter()) is None


def test_an_id_in_a_tree_is_no_way_out_of_it(tmp_path: Path):
    storage = write_tree(tmp_path, Conversation().user(text("hi")))
    (file,) = storage.glob("session/*/*.json")
    file.write_text('{"id": "ses_/../../../secret", "directory": "/"}')
    (ref,) = reader.discover(file, Counter())
    assert reader.read(ref, Counter()) is None


def test_links_in_a_tree_are_counted_not_followed(tmp_path: Path):
    storage = write_tree(tmp_path, Conversation().user(text("hi")).assistant(text("no")))
    (answer,) = storage.glob("part/*_0001/*_000004.json")
    answer.rename(tmp_path / "elsewhere.json")
    answer.symlink_to(tmp_path / "elsewhere.json")
    (session,) = read_all(tmp_path)
    assert [role for role, _ in talk(session)] == [Role.HUMAN]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["type", "text", "tool", "callID", "state", "status", "input", "output", "metadata", "synthetic", "prompt"]
odd_parts = st.dictionaries(st.sampled_from(KEYS), json_values | st.just("tool") | st.just("text"), max_size=6)


@given(st.lists(odd_parts.map(as_text) | st.text(max_size=30), max_size=5), st.dictionaries(st.text(), json_values))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_the_tables_nothing_but_a_session_comes_out(tmp_path_factory, parts: list[str], data: dict):
    folder = tmp_path_factory.mktemp("db")
    made = Conversation().user(text("first"), *parts).assistant(*parts).add({"role": "user", **data}, *parts)
    (session,) = read_all(write_database(folder / "o.db", made, wal=False))
    assert "first" in talk(session)[0][1]


@pytest.fixture(scope="module")
def whole_database(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("db") / "o.db"
    return write_database(path, conversation_with_a_wrong_turn(), wal=False).read_bytes()


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_a_database_with_flipped_bytes_raises_nothing_but_unreadable(
    tmp_path_factory, whole_database: bytes, data: st.DataObject
):
    content = bytearray(whole_database)
    for _ in range(data.draw(st.integers(1, 20))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("db") / "o.db"
    path.write_bytes(content)
    with suppress(SessionUnreadable):
        read_all(path)


def test_the_sessions_of_a_database_share_its_size_by_their_parts(tmp_path: Path):
    """A progress bar needs sizes that add up to the whole; exact ones would cost the reading of everything."""
    small = Conversation("ses_a").user(text("hi"))
    large = Conversation("ses_b").assistant(*[text("words " * 1_000)] * 9)
    path = write_database(tmp_path / "o.db", small, large)
    sizes = {ref.session_id: ref.size_bytes for ref in reader.discover(path, Counter())}
    assert sizes["ses_b"] > sizes["ses_a"] > 0
    assert sum(sizes.values()) == pytest.approx(path.stat().st_size, abs=2)


def test_a_database_without_talk_has_sessions_of_no_size(tmp_path: Path):
    path = write_database(tmp_path / "o.db", Conversation("ses_a"))
    assert [ref.size_bytes for ref in reader.discover(path, Counter())] == [0]
