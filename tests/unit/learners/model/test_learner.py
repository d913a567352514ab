import msgspec
import pytest

from support.asking_models import GOOD, NoteMeter, extraction_task, settings_to
from support.fake_model_queue import QueueModel
from vademecum.config import default_config
from vademecum.errors import ConfigError, LoginRefused, UsageError
from vademecum.learners import learner_named, stamp
from vademecum.learners.model import learner

CHOSEN = msgspec.structs.replace(default_config({}), extract_model="openai:a-model")


def test_without_a_model_it_says_what_to_set():
    with pytest.raises(ConfigError, match="no model is set") as refused:
        learner_named("model", default_config({}))
    assert "vade config set model.extract_model" in refused.value.next_step


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(learner, "find_spec", lambda _name: None)
    with pytest.raises(UsageError) as refused:
        learner_named("model", CHOSEN)
    assert "pip install 'vademecum[llm]'" in refused.value.next_step


def test_the_built_in_learner_needs_no_settings():
    assert stamp(learner_named("extractive", default_config({}))) == "extractive/1"


def test_a_learner_that_there_is_none_of_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match="oracle") as refused:
        learner_named("oracle", default_config({}))
    assert "`extractive`" in refused.value.next_step
    assert "`model`" in refused.value.next_step


def test_a_prompt_leaves_room_for_what_is_read_after_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    assert learner_named("model", msgspec.structs.replace(CHOSEN, input_tokens=100_000)).input_tokens == 60_000


@pytest.mark.parametrize("field", ["extract_model", "consolidation_model"])
def test_a_key_that_is_missing_is_said_once_and_before_anything_is_learned(field, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with pytest.raises(LoginRefused, match="ANTHROPIC_API_KEY is not set"):
        learner_named("model", msgspec.structs.replace(CHOSEN, **{field: "anthropic:a-model"}))


@pytest.mark.timeout(30)
def test_one_learner_serves_many_sessions():
    with QueueModel("openai", *[GOOD] * 3) as server:
        one = learner_named("model", settings_to(server))
        assert len({one.extract(extraction_task(NoteMeter())).rollout_slug for _ in range(3)}) == 1
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"extract_model": "openai:another"},
        {"consolidation_model": "openai:another"},
        {"base_url": "http://127.0.0.1:9/v1", "api_key_env": "MY_KEY"},
        {"api_key_env": "MY_KEY"},
        {"timeout_seconds": 7},
        {"max_output_tokens": 777},
        {"reasoning_effort": "high"},
    ],
    ids="-".join,
)
def test_every_setting_of_models_makes_another_learner_of_it(monkeypatch, changed):
    for variable in ("OPENAI_API_KEY", "MY_KEY"):
        monkeypatch.setenv(variable, "a-key")
    former, other = (learner_named("model", msgspec.structs.replace(CHOSEN, **how)) for how in ({}, changed))
    assert former.setup != other.setup
    assert former.setup == learner_named("model", CHOSEN).setup


def test_it_names_the_models_that_it_asks(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    chosen = msgspec.structs.replace(CHOSEN, consolidation_model="openai:a-larger-model")
    assert learner_named("model", chosen).models == ("openai:a-model", "openai:a-larger-model")
