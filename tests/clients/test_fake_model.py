"""The scripted model answers by the history of each request, on every wire; no client is needed to see that."""

import json
from urllib.request import Request, urlopen

import pytest

from support.fake_model import FakeModel, Step, marker

SCENARIOS = {
    "tour": [
        Step(text="First.", tool="bash", arguments={"command": "ls"}),
        Step(tool="bash", arguments={"command": "pwd"}),
        Step(text="Last."),
    ],
    "other": [Step(text="Other.")],
}
TOOLS = [{"name": "bash"}]
PROMPT = f"Look around. {marker('tour')}"


def chat(prompt, calls):
    """A history in the form of chat completions: the prompt, and so many calls with their output."""
    called = {"role": "assistant", "content": "", "tool_calls": [{"id": "a"}]}
    return {"messages": [{"role": "user", "content": prompt}, *[called, {"role": "tool", "content": "x"}] * calls]}


def responses(prompt, calls):
    said = {"role": "user", "content": [{"type": "input_text", "text": prompt}]}
    return {"input": [said, *[{"type": "function_call"}, {"type": "function_call_output", "output": "x"}] * calls]}


def messages(prompt, calls):
    called = {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}
    answered = {"role": "user", "content": [{"type": "tool_result", "content": marker("other")}]}
    return {"messages": [{"role": "user", "content": prompt}, *[called, answered] * calls]}


HISTORIES = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages}


@pytest.fixture
def ask():
    """Ask the model on a wire; the answer is the body of its stream."""
    with FakeModel(SCENARIOS) as model:

        def post(path, body):
            request = Request(f"{model.url}{path}", data=json.dumps(body).encode(), method="POST")
            with urlopen(request, timeout=3) as answer:
                return answer.read().decode()

        yield post


@pytest.mark.parametrize("path", HISTORIES)
@pytest.mark.parametrize(("calls", "due"), [(0, "First."), (1, "pwd"), (2, "Last.")])
def test_the_step_after_all_calls_of_the_scenario_is_due(ask, path, calls, due):
    assert due in ask(path, {**HISTORIES[path](PROMPT, calls), "tools": TOOLS})


@pytest.mark.parametrize("path", HISTORIES)
def test_a_request_without_tools_is_no_step_of_a_scenario(ask, path):
    """Clients ask for titles with the person's words in the request."""
    assert "First." not in ask(path, HISTORIES[path](PROMPT, 0))


def test_the_newest_marker_decides(ask):
    history = chat(PROMPT, 1)["messages"] + chat(marker("other"), 0)["messages"]
    assert "Other." in ask("/v1/chat/completions", {"messages": history, "tools": TOOLS})
