import pytest

from vademecum.errors import ConfigError, LoginRefused
from vademecum.learners.model.choice import Wire, choose
from vademecum.model_settings import MODEL_PROVIDERS

KEY = "sk-for-the-test"


def test_a_model_is_spelled_as_provider_and_name_and_the_name_may_hold_anything():
    choice = choose("openai-compatible:qwen/coder:30b", base_url="http://127.0.0.1:11434/v1", key_variable="")
    assert (choice.wire, choice.name) == (Wire.OPENAI_COMPATIBLE, "qwen/coder:30b")
    assert choice.spelled == "openai-compatible:qwen/coder:30b"


def test_every_provider_of_the_settings_is_a_wire():
    assert {wire.value for wire in Wire} == set(MODEL_PROVIDERS)


def test_a_compatible_server_needs_an_address():
    with pytest.raises(ConfigError, match="no address") as refused:
        choose("openai-compatible:x", base_url="", key_variable="")
    assert "model.base_url" in refused.value.next_step


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("anthropic:a", "ANTHROPIC_API_KEY"),
        ("openai:a", "OPENAI_API_KEY"),
        ("openai-responses:a", "OPENAI_API_KEY"),
        ("google:a", "GOOGLE_API_KEY"),
    ],
)
def test_the_key_of_a_provider_is_taken_for_its_own_address_only(text, variable):
    assert choose(text, base_url="", key_variable="").key({variable: KEY}) == KEY
    elsewhere = choose(text, base_url="http://127.0.0.1:1/v1", key_variable="")
    assert elsewhere.key({variable: KEY}) != KEY


def test_a_variable_that_is_named_holds_the_key_for_any_address():
    choice = choose("openai:a", base_url="http://127.0.0.1:1/v1", key_variable="MY_KEY")
    assert choice.key({"MY_KEY": f" {KEY}\n", "OPENAI_API_KEY": "other"}) == KEY


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": "  "}])
def test_a_key_that_is_not_set_is_said_by_the_name_of_its_variable(environ):
    with pytest.raises(LoginRefused, match="OPENAI_API_KEY is not set") as refused:
        choose("openai:a", base_url="", key_variable="").key(environ)
    assert "model.api_key_env" in refused.value.next_step


@pytest.mark.parametrize("wire", [wire for wire in Wire if wire is not Wire.OPENAI_COMPATIBLE])
def test_where_a_provider_is_asked_is_no_matter_of_the_environment(wire, monkeypatch):
    """Every provider has an explicit address, so that no variable of its library leads elsewhere."""
    assert choose(f"{wire}:a", base_url="", key_variable="").address.startswith("https://")
