"""A real agent program that is killed in the middle of its work leaves a session that is read as far as it goes."""

import time

import pytest

from support.clients_driving import CLIENTS, RUN_SECONDS, kill, start
from support.clients_story import OPENING, RULE, Held, discovered, learn, lines, the_session, workplace
from vademecum.sessions import Role

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

#: Writes a call down when it has ended: of one that was killed meanwhile, nothing can be known.
WRITES_CALLS_AFTERWARDS = frozenset({"gemini"})
#: Tells that it runs, then runs until the test takes the file away again.
LASTING_COMMAND = "touch running; while test -e running; do sleep 0.1; done"


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda client: client.host)
def killed(request, tmp_path_factory):
    """A session whose client was killed while a tool ran; other files of the client lie as they were then."""
    client = request.param
    played = {"opening": [client.shell(LASTING_COMMAND, "Let me look.")]}
    with workplace(client, tmp_path_factory.mktemp(client.host), played) as place:
        held = Held(host=client.host, home=place.home, cwd=str(place.project))
        process = start(client, OPENING, place)
        running = place.project / "running"
        end = time.monotonic() + RUN_SECONDS
        # The command may run before its host has written down that it does.
        is_told = client.host in WRITES_CALLS_AFTERWARDS
        while not (running.exists() and (is_told or calls(held))) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        output = kill(process)
        assert running.exists(), output
        running.unlink()
    return held


def calls(held):
    """The tools that were called, as far as the host has written them down."""
    return [call for session in discovered(held) for message in session.messages for call in message.tool_calls]


def test_what_was_said_before_is_read(killed):
    session = the_session(killed)
    assert (session.host, session.cwd, session.skipped) == (killed.host, killed.cwd, {})
    assert lines(session)[0] == (Role.HUMAN, OPENING)
    last = Role.FINAL if killed.host in WRITES_CALLS_AFTERWARDS else Role.COMMENTARY
    assert {role for role, _ in lines(session)} <= {Role.HUMAN, last}


def test_a_tool_that_did_not_end_has_no_outcome(killed):
    expected = [] if killed.host in WRITES_CALLS_AFTERWARDS else [("", None)]
    assert [(call.output, call.failed) for call in calls(killed)] == expected


def test_the_rule_is_learned_all_the_same(killed, tmp_path, monkeypatch):
    """user-U66"""
    monkeypatch.setenv("HOME", str(killed.home))
    assert RULE.strip(".") in learn(killed, tmp_path / "memory").context(cwd=killed.cwd).text
