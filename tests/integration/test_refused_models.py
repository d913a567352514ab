"""A server that refuses what it is asked for: a person is told wherever they look, and nothing counts as learned."""

from datetime import UTC, datetime, timedelta

import pytest

from support.fake_model_queue import QueueModel, Reply
from support.good_model import use
from support.product import ruled
from vademecum.state import JobStatus, State

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

WIRES = ("openai-compatible", "anthropic")
DATED = "small-20990101"
UNKNOWN = Reply(status=404, message=f"model: {DATED}")
UNKNOWN_BY_WORDS = Reply(status=400, message=f"Invalid model name passed in model={DATED}")
NOTHING = Reply(text='{"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}')
ODD = Reply(status=400, message="the request has a part that is not known here")


@pytest.fixture
def refused(product, monkeypatch):
    """Two sessions of yesterday, and a learner that asks this wire; the server, which refuses everything."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    rules = ("always use pnpm", "never push to main")
    product.tell(*(ruled(rule, label=f"s{at}", started_at=yesterday) for at, rule in enumerate(rules)))
    servers = []

    def refused_by(wire, reply):
        server = QueueModel(wire, name=DATED, then=lambda _body: reply)
        servers.append(server)
        server.__enter__()
        use(product, server, monkeypatch)
        return server

    yield refused_by
    for server in servers:
        server.__exit__()


def learned(product, *words, code=0):
    return product.call("learn", "--from", str(product.sessions), "--all", *words, code=code)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("reply", [UNKNOWN, UNKNOWN_BY_WORDS, ODD], ids=["unknown", "by words", "odd"])
def test_the_words_of_the_server_stand_wherever_a_person_looks(product, refused, wire, reply):
    """user-U72: in the answer of the command, the status, the ledger and the doctor, with the setting to correct."""
    refused(wire, reply)
    told = learned(product, code=1).out
    (run,) = product.call("runs", "--json").json["runs"]
    assert run["outcome"] == "failed"
    doctor = product.call("doctor").out
    for shown in (told, product.call("status").out, run["error"], doctor):
        assert f"{wire}:{DATED}" in shown
        assert reply.message in shown
    for shown in (told, product.call("status").out, doctor):
        assert "vade config" in shown
    assert "everything works" not in doctor


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("reply", [UNKNOWN, UNKNOWN_BY_WORDS, ODD], ids=["unknown", "by words", "odd"])
def test_a_refused_session_is_neither_learned_nor_empty(product, refused, wire, reply):
    """user-U72: nothing is counted as read, and once the name is corrected every one of them is read."""
    server = refused(wire, reply)
    report = learned(product, "--json", code=1).json
    assert (report["extracted"], report["no_output"]) == (0, 0)
    server.then = lambda _body: NOTHING
    product.call("config", "set", "model.extract_model", f"{wire}:small")
    assert learned(product, "--json").json["no_output"] == 2
    assert "came to nothing" not in product.call("doctor").out


@pytest.mark.parametrize("reply", [UNKNOWN, UNKNOWN_BY_WORDS], ids=["unknown", "by words"])
def test_a_model_that_there_is_none_of_is_asked_once_in_a_pass_and_costs_no_session_a_try(product, refused, reply):
    """user-U72: the name is wrong for every session, and correcting it is all that has to be done."""
    server = refused("openai-compatible", reply)
    for _ in range(4):
        learned(product, code=1)
    assert len(server.asked) == 4
    with State.open(product.identity / "state.db") as state:
        assert state.jobs.counts()["extraction"].get(JobStatus.FAILED, 0) == 0
