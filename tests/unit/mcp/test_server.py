"""One connection, line by line, in this process; the tools are stood in for."""

import json
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.mcp_wire import HANDSHAKE, MODERN_META, call, request
from vademecum.mcp.callers import Options
from vademecum.mcp.calls import MAX_THREADS
from vademecum.mcp.channel import TooLong
from vademecum.mcp.messages import INVALID_PARAMS, RpcError
from vademecum.mcp.methods import SLOW
from vademecum.mcp.server import Server

SECONDS = 3
CAN_ASK = {"elicitation": {}}


class Connection:
    """A server, and what it sent."""

    def __init__(self):
        self.sent = []
        self._changed = threading.Condition()
        self.server = Server(self.put, Options(), {}, answer_seconds=SECONDS)

    def put(self, line):
        with self._changed:
            self.sent.append(json.loads(line))
            self._changed.notify_all()

    def take(self, *messages):
        for message in messages:
            self.server.take(message if isinstance(message, bytes) else json.dumps(message).encode())

    def ask(self, message):
        """The one answer to a message that is answered at once."""
        before = len(self.sent)
        self.take(message)
        (answer,) = self.sent[before:]
        return answer

    def wait_for(self, count):
        """The messages, as soon as there are so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.sent) >= count, SECONDS), self.sent
        return self.sent

    def greet(self, version="2025-06-18", capabilities=None):
        params = {**HANDSHAKE, "protocolVersion": version, "capabilities": capabilities or {}}
        return self.ask(request("hello", "initialize", params))


@pytest.fixture
def connection():
    return Connection()


class Held:
    """A method that waits until it is let go."""

    def __init__(self):
        self.began, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, _asked):
        self.began.set()
        assert self.go.wait(SECONDS)
        self.ended.set()
        return {"done": True}


@pytest.fixture
def held(monkeypatch):
    method = Held()
    monkeypatch.setitem(SLOW, "test/held", method)
    yield method
    method.go.set()


class TestForm:
    def test_a_line_that_is_no_json_is_told_so_and_the_next_one_works(self, connection):
        assert connection.ask(b"{nonsense")["error"]["code"] == -32700
        assert connection.sent[0]["id"] is None
        assert connection.ask(request(1, "ping"))["result"] == {}

    def test_a_line_that_is_too_long_is_told_so_and_the_next_one_works(self, connection):
        connection.server.take(TooLong())
        assert (connection.sent[0]["id"], connection.sent[0]["error"]["code"]) == (None, -32600)
        assert connection.ask(request(1, "ping"))["result"] == {}

    def test_a_method_that_is_not_there_is_told_so(self, connection):
        for method in ("resources/list", "tools/", "", "__class__"):
            assert connection.ask(request(1, method))["error"]["code"] == -32601

    def test_what_is_no_request_is_told_so(self, connection):
        for message in ({"jsonrpc": "2.0", "id": 4}, {"jsonrpc": "1.0", "id": 4, "method": "ping"}):
            answer = connection.ask(message)
            assert (answer["id"], answer["error"]["code"]) == (4, -32600)

    def test_a_notification_is_never_answered(self, connection):
        for method in ("notifications/initialized", "notifications/cancelled", "notifications/nobody-knows", "ping"):
            for params in ({}, {"params": {"requestId": []}}, {"params": {"requestId": 5}}):
                connection.take({"jsonrpc": "2.0", "method": method, **params})
        assert connection.sent == []

    def test_an_answer_to_nothing_is_never_answered(self, connection):
        connection.take({"jsonrpc": "2.0", "id": 9, "result": {}}, {"jsonrpc": "2.0", "id": None, "error": {}})
        assert connection.sent == []

    @pytest.mark.parametrize("identifier", ["a", "", 0, -1, 10**18, "ü\n"])
    def test_an_answer_has_the_id_of_its_request(self, connection, identifier):
        assert connection.ask(request(identifier, "ping"))["id"] == identifier


PIECES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2, None]),
        "id": st.none() | st.booleans() | st.integers(0, 3) | st.text(max_size=2) | st.lists(st.integers(), max_size=1),
        "method": st.sampled_from(
            ["ping", "initialize", "tools/list", "server/discover", "notifications/cancelled", "nobody/knows", 5, None]
        ),
        "params": st.none()
        | st.integers()
        | st.fixed_dictionaries(
            {},
            optional={
                "protocolVersion": st.sampled_from(["2025-03-26", "2025-06-18", "1999", 3, None]),
                "capabilities": st.sampled_from([{}, {"elicitation": {}}, [], None]),
                "requestId": st.integers(0, 3) | st.none() | st.lists(st.integers(), max_size=1),
                "_meta": st.sampled_from([MODERN_META, {}, None, 1, {"io.modelcontextprotocol/protocolVersion": "x"}]),
            },
        ),
        "result": st.none() | st.dictionaries(st.text(max_size=1), st.none(), max_size=1),
    },
)


@given(st.lists(PIECES | st.lists(PIECES, max_size=3) | st.integers(), max_size=8))
def test_whatever_a_client_sends_each_request_is_answered_once_and_nothing_else_is(values):
    """All of these are answered between two messages, so the next line is taken after the answer."""
    connection = Connection()
    for value in values:
        before = len(connection.sent)
        connection.take(value)
        new = connection.sent[before:]
        assert len(new) <= 1
        if isinstance(value, dict) and value.get("jsonrpc") == "2.0" and isinstance(value.get("method"), str):
            identifier = value.get("id")
            is_request = isinstance(identifier, int | str) and not isinstance(identifier, bool)
            assert [answer["id"] for answer in new] == ([identifier] if is_request else []) or "error" in new[0]
    assert connection.ask(request("last", "ping"))["id"] == "last"


class TestOpening:
    def test_a_client_learns_who_we_are_and_what_we_can(self, connection):
        result = connection.greet()["result"]
        assert result["serverInfo"]["name"] == "vademecum"
        assert result["protocolVersion"] == "2025-06-18"
        assert "tools" in result["capabilities"]
        assert "memory_search" in result["instructions"]

    def test_bad_parameters_are_told_so_and_a_second_try_works(self, connection):
        assert connection.ask(request(1, "initialize", {"protocolVersion": 5}))["error"]["code"] == INVALID_PARAMS
        assert connection.greet()["result"]["protocolVersion"] == "2025-06-18"

    def test_a_modern_client_discovers_what_a_handshake_would_tell(self, connection):
        result = connection.ask(request(1, "server/discover", {"_meta": MODERN_META}))["result"]
        greeting = connection.greet()["result"]
        assert "2026-07-28" in result["supportedVersions"]
        assert result["resultType"] == "complete"
        assert (result["capabilities"], result["instructions"]) == (greeting["capabilities"], greeting["instructions"])

    def test_both_kinds_are_served_side_by_side(self, connection):
        connection.greet()
        modern = connection.ask(request(1, "tools/list", {"_meta": MODERN_META}))["result"]
        older = connection.ask(request(2, "tools/list"))["result"]
        assert modern["tools"] == older["tools"]
        assert ("resultType" in modern, "resultType" in older) == (True, False)


class TestBatches:
    def test_where_they_are_known_their_answers_come_in_one_line(self, connection, held):
        connection.greet("2025-03-26")
        held.go.set()
        connection.take([request(1, "test/held"), {"jsonrpc": "2.0", "method": "x"}, request(2, "ping"), 5])
        (answers,) = connection.wait_for(2)[1:]
        assert {answer["id"] for answer in answers} == {1, 2, None}

    def test_a_batch_without_requests_is_not_answered(self, connection):
        connection.greet("2025-03-26")
        connection.take([{"jsonrpc": "2.0", "method": "x"}])
        assert len(connection.sent) == 1

    @pytest.mark.parametrize("messages", [[], [request(1, "ping")] * 1_001], ids=len)
    def test_an_empty_and_an_endless_one_are_refused(self, connection, messages):
        connection.greet("2025-03-26")
        assert connection.ask(messages)["error"]["code"] == -32600

    def test_elsewhere_they_are_refused_and_nothing_of_them_is_done(self, connection):
        for version in ("2024-11-05", "2025-06-18", "2025-11-25"):
            connection.greet(version)
            answer = connection.ask([request(1, "ping"), request(2, "ping")])
            assert (answer["id"], answer["error"]["code"]) == (None, -32600)

    def test_a_call_that_is_cancelled_before_its_turn_is_not_done_and_leaves_the_others_their_answers(
        self, connection, held, monkeypatch
    ):
        done = []
        monkeypatch.setitem(SLOW, "test/late", lambda asked: done.append(asked) or {})
        connection.greet("2025-03-26")
        for number in range(MAX_THREADS):
            connection.take(request(number, "test/held"))
        assert held.began.wait(SECONDS)
        connection.take([request("late", "test/late"), request("ping", "ping")])
        connection.take({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "late"}})
        held.go.set()
        (batch,) = [answer for answer in connection.wait_for(MAX_THREADS + 2) if isinstance(answer, list)]
        assert [answer["id"] for answer in batch] == ["ping"]
        assert done == []


class TestCalls:
    def test_a_ping_is_answered_while_a_call_runs(self, connection, held):
        connection.take(request(1, "test/held"))
        assert held.began.wait(SECONDS)
        assert connection.ask(request(2, "ping"))["id"] == 2
        held.go.set()
        assert connection.wait_for(2)[1] == {"jsonrpc": "2.0", "id": 1, "result": {"done": True}}

    def test_a_cancelled_call_is_not_answered_and_runs_to_its_end(self, connection, held):
        connection.take(request(1, "test/held"))
        assert held.began.wait(SECONDS)
        connection.take({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        held.go.set()
        connection.server.finish(SECONDS)
        assert held.ended.is_set()
        assert connection.sent == []

    def test_an_id_that_is_in_use_is_refused(self, connection, held):
        connection.take(request(1, "test/held"))
        assert connection.ask(request(1, "ping"))["error"]["code"] == -32600
        held.go.set()
        assert connection.wait_for(2)[1]["result"] == {"done": True}
        assert connection.ask(request(1, "ping"))["result"] == {}

    def test_a_bug_is_told_without_what_it_says_and_the_next_call_works(self, connection, held, monkeypatch, capsys):
        words = "words of memory"

        def broken(_asked):
            raise ZeroDivisionError(words)

        monkeypatch.setitem(SLOW, "test/broken", broken)
        connection.take(request(1, "test/broken"))
        assert connection.wait_for(1)[0]["error"] == {"code": -32603, "message": "internal error: ZeroDivisionError"}
        told = capsys.readouterr().err
        assert "ZeroDivisionError in test/broken" in told
        assert "words of memory" not in told
        held.go.set()
        connection.take(request(2, "test/held"))
        assert connection.wait_for(2)[1]["result"] == {"done": True}

    def test_waiting_for_calls_has_an_end(self, connection, held):
        connection.take(request(1, "test/held"))
        assert held.began.wait(SECONDS)
        began = time.monotonic()
        connection.server.finish(0.05)
        assert time.monotonic() - began < SECONDS

    @pytest.mark.parametrize(
        "params", [{}, {"name": 5}, {"name": "memory", "arguments": [1]}, {"name": "memory", "arguments": "x"}], ids=str
    )
    def test_a_call_without_its_parameters_is_refused(self, connection, params):
        connection.take(request(1, "tools/call", params))
        assert connection.wait_for(1)[0]["error"]["code"] == INVALID_PARAMS

    def test_a_tool_that_is_not_there_is_refused(self, connection):
        connection.take(call(1, "rm", {}))
        assert connection.wait_for(1)[0]["error"]["code"] == INVALID_PARAMS


@pytest.fixture
def careful(monkeypatch):
    """A method that asks the person; what it was told."""
    told = []

    def method(asked):
        if asked.confirm is None:
            raise RpcError(-1, "nobody can be asked")
        told.append(asked.confirm("Really?"))
        return {"yes": told[-1]}

    monkeypatch.setitem(SLOW, "test/careful", method)
    return told


class TestQuestions:
    def test_a_client_that_cannot_ask_is_not_asked(self, connection, careful):
        connection.greet()
        connection.take(request(1, "test/careful"))
        assert connection.wait_for(2)[1]["error"]["message"] == "nobody can be asked"

    @pytest.mark.parametrize(
        ("answer", "yes"),
        [
            ({"result": {"action": "accept", "content": {"confirm": True}}}, True),
            ({"result": {"action": "decline"}}, False),
            ({"error": {"code": -32601, "message": "unknown"}}, False),
        ],
        ids=["yes", "no", "error"],
    )
    def test_the_answer_of_the_person_comes_to_the_call(self, connection, careful, answer, yes):
        connection.greet(capabilities=CAN_ASK)
        connection.take(request(1, "test/careful"))
        question = connection.wait_for(2)[1]
        connection.take({"jsonrpc": "2.0", "id": question["id"], **answer})
        assert connection.wait_for(3)[2]["result"] == {"yes": yes}

    def test_a_cancelled_call_does_not_wait_for_the_person(self, connection, careful):
        connection.greet(capabilities=CAN_ASK)
        connection.take(request(1, "test/careful"))
        connection.wait_for(2)
        connection.take({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        connection.server.finish(SECONDS)
        assert careful == [False]
        assert [message.get("method") for message in connection.sent[1:]] == [
            "elicitation/create",
            "notifications/cancelled",
        ]

    def test_when_the_client_hangs_up_it_is_a_no(self, connection, careful):
        connection.greet(capabilities=CAN_ASK)
        connection.take(request(1, "test/careful"))
        connection.wait_for(2)
        connection.server.finish(SECONDS)
        assert careful == [False]

    def test_a_modern_client_asks_by_itself_and_calls_again(self, connection, careful):
        meta = {**MODERN_META, "io.modelcontextprotocol/clientCapabilities": CAN_ASK}
        connection.take(request(1, "test/careful", {"_meta": meta}))
        opened = connection.wait_for(1)[0]["result"]
        assert opened["resultType"] == "input_required"
        (key,) = opened["inputRequests"]
        again = {"inputResponses": {key: {"action": "accept", "content": {"confirm": True}}}}
        connection.take(request(2, "test/careful", {"_meta": meta, "requestState": opened["requestState"], **again}))
        assert connection.wait_for(2)[1]["result"] == {"yes": True}
