import pytest

from vademecum.config import load_config, store_setting
from vademecum.errors import ConfigError, SecretFound
from vademecum.model_settings import MODEL_SETTINGS
from vademecum.settings import Setting, accept

KEYS = [
    "-".join(("sk", "ant", "api03", "q7Zk2LmX9vB4nR8t" * 4)),
    "AIza" + "SyD3fGh1jKl5mNo7pQr9sTu2vWx4yZa6bC8",
    "ghp_" + "a1B2c3D4e" * 4,
    "f3a9" + "0b7c61d2e8" * 5,
]
TEXTS = [setting for setting in MODEL_SETTINGS if setting.form]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config.toml"


@pytest.mark.parametrize("setting", TEXTS, ids=lambda setting: setting.key)
def test_a_free_text_is_not_set_at_first_and_can_be_emptied_again(setting, path):
    assert setting.default == ""
    assert store_setting(path, setting.key, "") == ""


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("model.extract_model", "openai-compatible:qwen/coder:30b"),
        ("model.consolidation_model", "anthropic:a-model-20261101"),
        ("model.base_url", "http://127.0.0.1:11434/v1"),
        ("model.base_url", "https://gateway.example.com/path?x=1"),
        ("model.api_key_env", "MY_GATEWAY_KEY_2"),
    ],
)
def test_a_free_text_of_the_right_form_is_stored_and_read_again(key, text, path):
    store_setting(path, key, text)
    config = load_config(path, {})
    assert getattr(config, key.partition(".")[2]) == text
    assert config.warnings == ()


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("model.extract_model", "just-a-name"),
        ("model.extract_model", "oracle:delphi"),
        ("model.extract_model", "openai: with blanks"),
        ("model.base_url", "ftp://example.com"),
        ("model.base_url", "example.com/v1"),
        ("model.api_key_env", "lower case"),
        ("model.api_key_env", "A-B"),
    ],
)
def test_a_free_text_of_another_form_is_refused_with_what_it_may_be(key, text, path):
    with pytest.raises(ConfigError, match="it must be"):
        store_setting(path, key, text)
    assert not path.exists()


@pytest.mark.parametrize("secret", KEYS, ids=["by prefix", "of a cloud", "token", "hex"])
@pytest.mark.parametrize("setting", TEXTS, ids=lambda setting: setting.key)
def test_a_key_is_never_stored_nor_shown(setting, secret, path):
    with pytest.raises((SecretFound, ConfigError)) as refused:
        store_setting(path, setting.key, secret)
    assert not path.exists()
    if setting.name == "api_key_env":
        assert isinstance(refused.value, SecretFound)
        assert refused.value.exit_code == 4
        assert secret not in f"{refused.value} {refused.value.next_step}"


def test_a_login_in_an_address_is_not_stored(path):
    with pytest.raises((SecretFound, ConfigError)):
        store_setting(path, "model.base_url", "https://ada:" + "pa55-word-1" + "@example.com/v1")
    assert not path.exists()


@pytest.mark.parametrize("secret", KEYS)
def test_a_key_that_somebody_wrote_into_the_file_or_a_variable_is_not_used_and_not_shown(secret, path):
    path.write_text(f'[model]\napi_key_env = "{secret}"\n', encoding="utf-8")
    from_file = load_config(path, {})
    path.unlink()
    from_variable = load_config(path, {"VADEMECUM_MODEL_API_KEY_ENV": secret})
    for config in (from_file, from_variable):
        assert config.api_key_env == ""
        (warning,) = config.warnings
        assert "model.api_key_env" in warning
        assert secret not in warning


@pytest.mark.parametrize("raw", [3, True, ["x"], {"a": 1}])
def test_what_is_no_text_is_not_used(raw):
    setting = Setting(table="t", name="n", default="", what="w", form="[a-z]+", form_in_words="letters")
    value, warning = accept(setting, raw)
    assert value == ""
    assert "letters" in warning
