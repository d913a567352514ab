"""What real agent programs write beside the conversation: the sessions of sub-agents, and compactions."""

import pytest

from support.clients import CLAUDE_CODE
from support.clients_driving import CLIENTS
from support.clients_story import (
    FOLLOW_UP,
    LINES,
    OPENING,
    converse,
    discovered,
    everything_below,
    learn,
    lines,
    scenarios,
    the_session,
)
from support.fake_model import Step, marker
from vademecum.sessions import Role

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

REQUEST = f"I always want the log looked at by an agent. {marker('delegate')}"
TASK = f"From now on always use tabs. Tell me what setup.log is. {marker('task')}"
REPORT = "It is a log."
ANSWER = "The agent says that it is a log."

#: Ends when the other agent has, which works while its caller goes on.
WAIT_FOR_THE_AGENT = """while ! grep -rqs '"type":"task_complete"' ~/.codex/sessions; do sleep 0.1; done"""
ONE_CLAUDE_CODE = [client for client in CLIENTS if client.package is CLAUDE_CODE]


def delegation(client):
    """The steps in which the model gives the task to another agent."""
    described = {"description": "Look at the log", "prompt": TASK}
    match client.host:
        case "claude-code":
            return [Step(tool="Agent", arguments={**described, "run_in_background": False})]
        case "codex":
            spawn = Step(tool="spawn_agent", namespace="multi_agent_v1", arguments={"message": TASK})
            return [spawn, client.shell(WAIT_FOR_THE_AGENT)]
        case "opencode":
            return [Step(tool="task", arguments={**described, "subagent_type": "general"})]
        case _:
            return []


@pytest.fixture(scope="module", params=[client for client in CLIENTS if delegation(client)], ids=lambda each: each.host)
def delegated(request, tmp_path_factory):
    """A session in which the model had a sub-agent do the work."""
    client = request.param
    played = {
        "delegate": [*delegation(client), Step(text=ANSWER)],
        "task": [client.shell("cat setup.log"), Step(text=REPORT)],
    }
    return converse(client, tmp_path_factory.mktemp(client.host), played, [REQUEST])


def test_a_sub_agents_session_is_told_apart_and_names_its_parent(delegated):
    by_exclusion = {session.exclusion: session for session in discovered(delegated)}
    assert set(by_exclusion) == {None, "sub_agent"}
    assert by_exclusion["sub_agent"].parent_id == by_exclusion[None].id


def test_a_task_for_a_sub_agent_is_no_word_of_the_person(delegated):
    [session] = [session for session in discovered(delegated) if session.exclusion is None]
    said = {role: [text for own, text in lines(session) if own is role] for role in (Role.HUMAN, Role.FINAL)}
    assert said == {Role.HUMAN: [REQUEST], Role.FINAL: [ANSWER]}


def test_nothing_is_learned_from_a_task_for_a_sub_agent(delegated, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(delegated.home))
    context = learn(delegated, tmp_path / "memory").context(cwd=delegated.cwd).text
    assert "want the log looked at by an agent" in context
    assert "use tabs" not in context
    assert b"From now on always use tabs" not in everything_below(tmp_path / "memory")


@pytest.mark.parametrize("client", ONE_CLAUDE_CODE, ids=lambda client: client.host)
def test_a_compaction_leaves_what_was_said(client, tmp_path):
    """The summary and the command stand in the session under the role `user`; they are the host's."""
    held = converse(client, tmp_path, scenarios(client), [OPENING, "/compact", FOLLOW_UP])
    session = the_session(held)
    assert [message.text[:45] for message in session.messages if message.role is Role.HOST][:1] == [
        "This session is being continued from a previo"
    ]
    assert lines(session) == LINES
