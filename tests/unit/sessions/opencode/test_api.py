"""Sessions asked from a running server are what its database holds, or an error: never less, never from elsewhere."""

import json
import tracemalloc
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from support.opencode_api import Odd, OpencodeApi, messages_of, row_of
from support.opencode_stores import START_MS, Conversation, text, tool, write_database
from vademecum.errors import SessionUnreadable, UsageError
from vademecum.sessions import LEARNER_MARK, Exclusion, Role, SessionRef, discover, load
from vademecum.sessions.opencode import api, asking
from vademecum.sessions.reasons import PassedOver

TOKEN = "ghp_" + "a1B2" * 9
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
REF = SessionRef(host="opencode", path="http://127.0.0.1:1", session_id="ses_a", fingerprint="", modified_at=NOON)


@pytest.fixture
def serve():
    """A server with these conversations, until the test ends."""
    servers = []

    def start(*conversations, **options):
        servers.append(OpencodeApi(*conversations, **options))
        return servers[-1].__enter__()

    yield start
    for server in servers:
        server.__exit__(None, None, None)


def talk(session_id="ses_a", **columns):
    one = Conversation(session_id, **columns)
    return one.user(text(f"use {TOKEN} and pnpm")).assistant(tool("bash", "ok é"), text("Done.")).user(text("thanks"))


def listed(server, skipped=None):
    counts = Counter() if skipped is None else skipped
    return {ref.session_id: ref for ref in api.discover(server.url, counts)}


def ref_at(server, session_id="ses_a"):
    return listed(server)[session_id]


# --- the same as from the database -----------------------------------------------------------------------------------

REVERTED = {"revert": {"messageID": "msg_a_0002"}}


@pytest.mark.parametrize(
    "conversation",
    [
        talk(),
        talk(**REVERTED),
        talk(title=f"{LEARNER_MARK} extraction"),
        talk(metadata={"kind": LEARNER_MARK}),
        Conversation("ses_a"),
        Conversation("ses_a").user(text("one"), text("two", synthetic=True), {"type": "file", "filename": "a.png"}),
        Conversation("ses_a")
        .user('{"type":"text","text":"half \\ud83d of it"}')
        .add({"role": "wizard"}, text("abracadabra")),
    ],
    ids=range(7),
)
def test_a_session_is_the_same_as_from_the_database(serve, tmp_path: Path, conversation):
    database = write_database(tmp_path / "opencode.db", conversation)
    (stored,) = discover(hosts=None, sources=[database], environ={}, home=tmp_path).refs
    asked = load(ref_at(serve(conversation)))
    assert msgspec.to_builtins(asked) == msgspec.to_builtins(load(stored))


def test_what_it_says_is_clean(serve):
    assert TOKEN not in repr(load(ref_at(serve(talk()))))


def test_a_session_of_our_own_learner_is_marked(serve):
    assert load(ref_at(serve(talk(title=f"{LEARNER_MARK} extraction")))).exclusion is Exclusion.LEARNER


# --- the list --------------------------------------------------------------------------------------------------------


def test_sessions_of_helpers_are_not_listed_whatever_the_server_gives(serve):
    server = serve(talk(), talk("ses_child", parent_id="ses_a"))
    rows = [row_of(one) for one in server.conversations.values()]
    server.odd["/experimental/session"] = Odd(body=json.dumps(rows).encode())
    assert set(listed(server)) == {"ses_a"}


def test_the_fingerprint_changes_with_the_session_and_not_otherwise(serve):
    server = serve(talk())
    before = ref_at(server)
    assert ref_at(server) == before
    server.conversations["ses_a"].columns["time_updated"] = START_MS + 70_000
    assert ref_at(server).fingerprint != before.fingerprint


@pytest.mark.parametrize("times", [range(10), [5] * 10, [1, 2, 2, 2, 2, 2, 3], [0, 0, 0, 1], [1] * 3 + [2] * 3, []])
def test_pages_miss_no_session_also_where_many_share_one_time(serve, monkeypatch, times):
    monkeypatch.setattr(api, "_PAGE", 3)
    sessions = [talk(f"ses_{at}", time_updated=START_MS + 60_000 + time) for at, time in enumerate(times)]
    assert set(listed(serve(*sessions))) == {one.id for one in sessions}


def test_a_server_that_gives_the_same_page_for_ever_is_left(serve, monkeypatch):
    monkeypatch.setattr(api, "_PAGE", 2)
    server = serve()
    rows = [row_of(talk(f"ses_{at}")) for at in range(2)] * 3
    server.odd["/experimental/session"] = Odd(body=json.dumps(rows).encode())
    assert set(listed(server)) == {"ses_0", "ses_1"}


@pytest.mark.parametrize("bad", ["ses/../etc", "", "x" * 129, "ses a", "ses_\n", 7, None, {"a": 1}], ids=range(8))
def test_a_row_whose_id_is_none_is_passed_over_and_counted(serve, bad):
    server = serve(talk())
    rows = [{**row_of(talk()), "id": bad}, "no row", row_of(talk())]
    server.odd["/experimental/session"] = Odd(body=json.dumps(rows).encode())
    skipped = Counter()
    assert set(listed(server, skipped)) == {"ses_a"}
    assert skipped == {PassedOver.BROKEN_LINE: 2}


def test_a_list_that_breaks_off_gives_what_came_and_is_counted(serve):
    server = serve(talk())
    server.odd["/experimental/session"] = Odd(body=json.dumps([row_of(talk())]).encode()[:-1] + b',{"id":')
    skipped = Counter()
    assert set(listed(server, skipped)) == {"ses_a"}
    assert skipped == {PassedOver.CUT_LIST: 1}


def test_a_list_without_end_is_left_after_a_page(serve, monkeypatch):
    monkeypatch.setattr(api, "_PAGE", 50)
    monkeypatch.setattr(api, "_LIST_SECONDS", 0.5)
    server = serve()
    row = json.dumps(row_of(talk())).encode()
    server.odd["/experimental/session"] = Odd(body=b"[" + row, again=(b"," + row) * 10)
    assert set(listed(server)) == {"ses_a"}


# --- never an empty session ------------------------------------------------------------------------------------------

MESSAGES = json.dumps(messages_of(talk())).encode()


@pytest.mark.parametrize(
    "odd",
    [
        Odd(status=400, body=b'{"name":"BadRequest","data":{"message":"Expected OutputFormatJsonSchema"}}'),
        Odd(status=404),
        Odd(status=500, body=b"[]"),
        Odd(status=204),
        Odd(status=302, headers={"Location": "/session/ses_b/message"}, body=b"[]"),
        Odd(body=b""),
        Odd(body=b"{}"),
        Odd(body=b"null"),
        Odd(body=b"<html>[]</html>"),
        Odd(body=b"[{}]"),
        Odd(body=b'[{"info":{"id":"m","role":"user"}}]'),
        Odd(body=b'[{"parts":[],"info":{"id":"m","role":"user"}}]'),
        Odd(body=b'[{"info":{"id":"m","role":"user"},"parts":[],"parts":[]}]'),
        Odd(body=b'[{"info":{"id":"m","role":"user"},"parts":null}]'),
        Odd(body=b'[{"type":"user","text":"of another version"}]'),
        Odd(body=b'[{"info":{"role":"user"},"parts":[]}]'),
        Odd(body=MESSAGES[:-1]),
        Odd(body=MESSAGES[: len(MESSAGES) // 2]),
        Odd(body=MESSAGES, headers={"Content-Encoding": "gzip", "Transfer-Encoding": "chunked"}),
    ],
    ids=range(19),
)
def test_an_answer_that_is_not_the_whole_transcript_is_an_error(serve, odd):
    """codex-R10"""
    server = serve(talk(), talk("ses_b"))
    ref = ref_at(server)
    server.odd["/session/ses_a/message"] = odd
    with pytest.raises(SessionUnreadable):
        load(ref)


def test_a_session_that_cannot_be_given_now_says_that_it_comes_later(serve):
    server = serve(talk())
    ref = ref_at(server)
    server.odd["/session/ses_a/message"] = Odd(status=400)
    with pytest.raises(SessionUnreadable, match="cannot give this now") as error:
        load(ref)
    assert "later `vade learn`" in error.value.next_step
    del server.odd["/session/ses_a/message"]
    assert load(ref).messages


@pytest.mark.parametrize("body", [b"[]", b"null", b'{"id":"ses_b","time":{}}', b'{"id":3}', b"{"], ids=range(5))
def test_an_answer_that_is_not_of_this_session_is_an_error(serve, body):
    server = serve(talk())
    ref = ref_at(server)
    server.odd["/session/ses_a"] = Odd(body=body)
    with pytest.raises(SessionUnreadable):
        load(ref)


# --- hostile servers -------------------------------------------------------------------------------------------------


def test_no_redirect_is_followed(serve):
    other = serve(talk())
    server = serve(talk())
    ref = ref_at(server)
    for path in ("/session/ses_a", "/session/ses_a/message", "/experimental/session", "/global/health"):
        server.odd[path] = Odd(status=307, headers={"Location": f"{other.url}{path}"})
    with pytest.raises(SessionUnreadable, match="leads elsewhere"):
        load(ref)
    with pytest.raises(SessionUnreadable):
        listed(server)
    assert other.asked == []


def test_no_proxy_is_asked(serve, monkeypatch):
    proxy = serve()
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    assert load(ref_at(serve(talk()))).messages
    assert proxy.asked == []


@pytest.mark.parametrize(
    "address", ["http://192.0.2.1:4096", "http://example.org", "https://127.0.0.1", "http://0.0.0.0"]
)
def test_another_machine_is_never_asked(address):
    with pytest.raises(UsageError, match="on this machine only"):
        api.discover(address, Counter())
    assert not api.holds(address)
    ref = msgspec.structs.replace(REF, path=address)
    with pytest.raises(UsageError):
        load(ref)


@pytest.mark.parametrize("session_id", ["../config", "ses_a/message", "ses_a?x=1", "ses a", "", "ses_a\r\nX: y"])
def test_an_id_is_no_way_to_another_question(serve, session_id):
    server = serve(talk())
    with pytest.raises(SessionUnreadable):
        load(msgspec.structs.replace(REF, path=server.url, session_id=session_id))
    assert server.asked == []


@pytest.mark.parametrize("path", ["/session/ses_a", "/session/ses_a/message"])
def test_an_answer_that_drips_is_cut_off_and_the_server_left_alone_for_a_while(serve, monkeypatch, path):
    monkeypatch.setattr(api, "_TRANSCRIPT_SECONDS", 0.3)
    server = serve(talk())
    ref = ref_at(server)
    server.odd[path] = Odd(body=b"[", again=b" ", pause_seconds=0.02)
    with pytest.raises(SessionUnreadable, match="did not answer in full within"):
        load(ref)
    count = len(server.asked)
    with pytest.raises(SessionUnreadable, match="did not answer in time just now"):
        load(ref)
    assert len(server.asked) == count


def test_a_head_that_drips_is_cut_off_too(serve, monkeypatch):
    monkeypatch.setattr(asking, "_HEALTH_SECONDS", 0.3)
    server = serve(talk())
    server.odd["/global/health"] = Odd(headers={"X": "y\r\n" + "Z: z\r\n" * 20}, again=b" ", pause_seconds=0.02)
    assert not api.holds(server.url)


def test_a_transcript_without_end_stops_at_its_cap_in_little_memory(serve, monkeypatch):
    monkeypatch.setattr(asking, "_MOST_BYTES", 30_000_000)
    server = serve(talk())
    ref = ref_at(server)
    server.odd["/session/ses_a/message"] = Odd(
        body=b'[{"info":{"id":"m","role":"user"},"parts":[{"text":"', again=b"x" * 100_000
    )
    tracemalloc.start()
    try:
        with pytest.raises(SessionUnreadable, match="no end"):
            load(ref)
        assert tracemalloc.get_traced_memory()[1] < 25_000_000
    finally:
        tracemalloc.stop()


def test_a_part_that_is_too_large_is_left_out_and_the_words_beside_it_are_not(serve):
    picture = {"type": "file", "filename": "a.png", "url": "x" * 9_000_000}
    session = load(ref_at(serve(Conversation("ses_a").user(picture, text("look at it")))))
    assert [(message.role, message.text) for message in session.messages] == [(Role.HUMAN, "look at it")]
    assert session.skipped == {PassedOver.CAPPED_LINE: 1}


def test_deep_nesting_is_a_broken_line(serve):
    server = serve(talk())
    ref = ref_at(server)
    deep = b"[" * 100_000 + b"]" * 100_000
    body = (
        b'[{"info":'
        + deep
        + b',"parts":['
        + deep
        + b']},{"info":{"id":"m","role":"user"},"parts":[{"type":"text","text":"hi"}]}]'
    )
    server.odd["/session/ses_a/message"] = Odd(body=body)
    session = load(ref)
    assert [message.text for message in session.messages] == ["hi"], session
    assert session.skipped[PassedOver.BROKEN_LINE] >= 1


# --- passwords -------------------------------------------------------------------------------------------------------


def test_the_password_of_the_environment_opens_the_server(serve, monkeypatch):
    server = serve(talk(), password="tiny-goldfish")
    with pytest.raises(SessionUnreadable, match="wants another password") as error:
        listed(server)
    assert "OPENCODE_SERVER_PASSWORD" in error.value.next_step
    monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", "tiny-goldfish")
    assert load(ref_at(server)).messages


@pytest.mark.parametrize(
    "health", [Odd(body=b"hello"), Odd(status=404), Odd(body=b'{"healthy":false}'), Odd(body=b"[]")]
)
def test_it_is_not_shown_to_a_server_of_something_else(serve, monkeypatch, health):
    monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", "tiny-goldfish")
    server = serve(talk())
    server.odd["/global/health"] = health
    with pytest.raises(SessionUnreadable, match="no server of opencode answers"):
        listed(server)
    assert {login for _, login in server.asked} == {None}


# --- whether it is there ---------------------------------------------------------------------------------------------


def test_a_server_holds_its_own_sessions(serve):
    server = serve(talk())
    assert api.holds(server.url)
    assert api.holds(server.url, "ses_a")
    assert not api.holds(server.url, "ses_other")
    assert not api.holds(server.url, "../global/health")


def test_a_server_that_has_ended_is_an_error_that_says_what_to_do():
    with OpencodeApi(talk()) as server:
        ref = ref_at(server)
    assert not api.holds(server.url)
    with pytest.raises(SessionUnreadable, match="no server answers") as error:
        load(ref)
    assert "--from" in error.value.next_step
    with pytest.raises(SessionUnreadable):
        listed(server)
