"""Learners are made by their names, and one that costs something only where it was named."""

import pytest

from support.fake_agents import program
from vademecum.config import default_config
from vademecum.errors import UsageError
from vademecum.learner_names import HOST_LEARNERS, LEARNERS
from vademecum.learners import learner_named

CONFIG = default_config(
    {
        "VADEMECUM_MODEL_EXTRACT_MODEL": "openai-compatible:some",
        "VADEMECUM_MODEL_BASE_URL": "http://127.0.0.1:9/v1",
    }
)


@pytest.fixture(autouse=True)
def installed(monkeypatch, tmp_path):
    """The programs of all agents, none of which is started."""
    for name in ("claude", "codex", "opencode"):
        program(tmp_path / name, "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_that_settings_may_name_is_made(name):
    assert learner_named(name, CONFIG).name == name


def test_nobody_pays_who_did_not_ask_for_it():
    learner = learner_named(CONFIG.learner, CONFIG)
    assert learner.name not in HOST_LEARNERS
    assert learner.input_tokens == 0


def test_agents_are_given_a_prompt():
    assert all(learner_named(name, CONFIG).input_tokens > 0 for name in HOST_LEARNERS)


def test_another_name_is_an_error_that_lists_what_there_is():
    with pytest.raises(UsageError, match="there is no learner 'oracle'") as caught:
        learner_named("oracle", CONFIG)
    assert all(name in caught.value.next_step for name in HOST_LEARNERS)
