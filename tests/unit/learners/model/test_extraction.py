import json

import pytest

from support.asking_models import EXTRACTION, GOOD, PROMPT, WIRES, NoteMeter, extraction_task, settings_to
from support.fake_model_queue import QueueModel, Reply
from vademecum.errors import LearnerFailed
from vademecum.learners import Prompt, tokens_of
from vademecum.learners.model import ModelLearner

pytestmark = pytest.mark.timeout(30)


def extract(server, meter=None, **settings):
    return ModelLearner(settings_to(server, **settings)).extract(extraction_task(meter or NoteMeter()))


@pytest.mark.parametrize("wire", WIRES)
class TestOnEveryWire:
    def test_one_request_gives_the_extraction_and_is_metered(self, wire):
        meter = NoteMeter()
        with QueueModel(wire, GOOD) as server:
            assert extract(server, meter) == EXTRACTION
        (asked,) = server.asked
        assert PROMPT.instructions in asked.text
        assert PROMPT.data in asked.text
        assert meter.allowed == [server.model]
        assert [(request.model, request.tokens_in, request.tokens_out) for request in meter.noted] == [
            (server.model, 100, 10)
        ]

    @pytest.mark.parametrize(
        "bad",
        [
            Reply(text="Sure! Here is what I found."),
            Reply(text='{"raw_memory": "half'),
            Reply(text=""),
            Reply(text=GOOD.text, finish="length"),
            Reply(text="I can't help with that.", finish="refusal"),
        ],
        ids=["prose", "half", "empty", "cut", "refusal"],
    )
    def test_an_answer_of_no_use_is_asked_for_once_more_with_the_reason(self, wire, bad):
        meter = NoteMeter()
        with QueueModel(wire, bad, GOOD) as server:
            assert extract(server, meter) == EXTRACTION
        assert "cannot be used" in server.asked[1].text
        assert "cannot be used" not in server.asked[0].text
        assert PROMPT.data in server.asked[1].text
        assert len(meter.allowed) == len(meter.noted) == 2

    @pytest.mark.parametrize(
        "bad", [Reply(text="no"), Reply(text=GOOD.text, finish="length"), Reply(text="I can't.", finish="refusal")]
    )
    def test_two_answers_of_no_use_are_the_end(self, wire, bad):
        with QueueModel(wire, bad, bad, GOOD) as server, pytest.raises(LearnerFailed) as failed:
            extract(server)
        assert type(failed.value) is LearnerFailed
        assert len(server.asked) == 2

    def test_an_answer_is_never_longer_than_the_settings_say(self, wire):
        with QueueModel(wire, GOOD) as server:
            extract(server, max_output_tokens=777)
        assert "777" in server.asked[0].text

    def test_the_key_goes_along_and_nowhere_else(self, wire, monkeypatch):
        key = "my-very-own-words"
        monkeypatch.setenv("MY_KEY", key)
        with QueueModel(wire, GOOD) as server:
            extract(server, api_key_env="MY_KEY")
        (asked,) = server.asked
        assert sum(key in value for value in asked.headers.values()) == 1
        assert key not in asked.text
        assert key not in asked.path


STRICT = [wire for wire in WIRES if wire != "anthropic"]  # of its models only some; this name is none of them


@pytest.mark.parametrize("wire", STRICT)
def test_the_answer_is_held_to_a_strict_schema(wire):
    """codex-R22: structured first; the text is read with the same care where a model cannot be held to it."""
    with QueueModel(wire, GOOD) as server:
        extract(server)
    text = server.asked[0].text
    assert all(f'"{name}"' in text for name in ("raw_memory", "rollout_summary", "rollout_slug", "outcome"))
    assert '"additionalProperties": false' in text


@pytest.mark.parametrize("wire", STRICT)
def test_a_server_that_knows_no_schema_is_asked_without_one(wire):
    refusal = Reply(status=400, message="This response_format (json_schema) is not available")
    with QueueModel(wire, refusal, Reply(text="no"), GOOD) as server:
        assert extract(server) == EXTRACTION
    assert ["additionalProperties" in asked.text for asked in server.asked] == [True, False, False]


@pytest.mark.parametrize(
    ("wire", "name", "effort", "sent"),
    [
        ("openai", "gpt-5", "auto", '"reasoning_effort": "low"'),
        ("openai", "gpt-5", "minimal", '"reasoning_effort": "minimal"'),
        ("openai", "o3", "minimal", '"reasoning_effort": "low"'),
        ("openai-responses", "gpt-5", "high", '"effort": "high"'),
    ],
)
def test_the_nearest_effort_that_a_model_has_is_asked_for(wire, name, effort, sent):
    """codex-B03, codex-N24"""
    with QueueModel(wire, GOOD, name=name) as server:
        extract(server, reasoning_effort=effort)
    assert sent in server.asked[0].text


@pytest.mark.parametrize(("wire", "name"), [("openai", "gpt-4o"), ("openai-compatible", "llama3")])
def test_a_model_that_does_not_reason_is_not_asked_to(wire, name):
    """codex-B03, codex-N24"""
    with QueueModel(wire, GOOD, name=name) as server:
        extract(server, reasoning_effort="high")
    assert "reasoning" not in server.asked[0].text


def test_a_server_that_refuses_the_effort_is_asked_without_it():
    """codex-X07"""
    refusal = Reply(status=400, message="Unsupported parameter: 'reasoning_effort'")
    meter = NoteMeter()
    with QueueModel("openai", refusal, GOOD, name="gpt-5") as server:
        assert extract(server, meter) == EXTRACTION
    assert ["reasoning_effort" in asked.text for asked in server.asked] == [True, False]
    assert (len(meter.allowed), len(meter.noted)) == (2, 1)


def test_the_price_is_told_where_it_is_known_and_left_open_where_not():
    costs = {}
    for name in ("gpt-4o", "a-model-of-mine"):
        meter = NoteMeter()
        with QueueModel("openai", GOOD, name=name) as server:
            extract(server, meter)
        costs[name] = meter.noted[0].cost_usd
    assert costs["gpt-4o"] > 0
    assert costs["a-model-of-mine"] is None


def test_what_a_server_does_not_count_is_estimated():
    meter = NoteMeter()
    answer = json.loads(GOOD.body(QueueModel("openai").bodies, "m"))
    del answer["usage"]
    with QueueModel("openai", Reply(raw=json.dumps(answer).encode())) as server:
        extract(server, meter)
    (request,) = meter.noted
    assert request.tokens_in == tokens_of(PROMPT.instructions) + tokens_of(PROMPT.data)
    assert request.tokens_out == tokens_of(GOOD.text)


def test_the_account_of_one_provider_is_not_told_to_another_server(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-ada")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-ada")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-ada")
    with QueueModel("openai-compatible", GOOD) as server:
        extract(server)
    assert "of-ada" not in str(server.asked[0].headers)


def test_variables_of_a_library_lead_nowhere_else(monkeypatch):
    with QueueModel("openai", GOOD) as elsewhere, QueueModel("openai", GOOD) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", elsewhere.base_url)
        extract(server)
        assert elsewhere.asked == []


@pytest.mark.parametrize("wire", WIRES)
def test_a_proxy_of_the_environment_is_used(wire, monkeypatch):
    with QueueModel(wire, GOOD) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        address = f"http://model.invalid{proxy.bodies.base}"
        assert extract(proxy, base_url=address) == EXTRACTION
    assert proxy.asked[0].path.startswith("http://model.invalid/")


def test_a_task_without_a_prompt_fails_before_anything_is_asked():
    with QueueModel("openai", GOOD) as server, pytest.raises(LearnerFailed, match="no prompt"):
        ModelLearner(settings_to(server)).extract(extraction_task(NoteMeter(), prompt=None))
    assert server.asked == []


def test_any_text_passes_to_the_model_unchanged():
    data = 'Ünïcode \u4f60\u597d "quotes" \\ and { braces }'
    with QueueModel("openai", GOOD) as server:
        prompt = Prompt(instructions="{do}", data=data)
        ModelLearner(settings_to(server)).extract(extraction_task(NoteMeter(), prompt=prompt))
    assert [message["content"] for message in server.asked[0].body["messages"]] == ["{do}", data]
