from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.config import SETTINGS, load_config, store_route, store_setting, unset_route
from vademecum.errors import ConfigError

_NOWHERE = Path("/nonexistent/config.toml")
NUMBERS = [setting for setting in SETTINGS if type(setting.default) is int]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config.toml"


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


class TestReading:
    def test_without_a_file_every_setting_has_its_default(self, path):
        config = load_config(path, {})
        assert {s.name: getattr(config, s.name) for s in SETTINGS} == {s.name: s.default for s in SETTINGS}
        assert config.warnings == ()

    def test_the_file_holds_over_the_default_and_the_environment_over_the_file(self, path):
        written(path, "[memories]\nmin_rollout_idle_hours = 3\nuse_memories = false\n")
        assert load_config(path, {}).min_rollout_idle_hours == 3
        config = load_config(
            path, {"VADEMECUM_MEMORIES_MIN_ROLLOUT_IDLE_HOURS": "4", "VADEMECUM_MEMORIES_USE_MEMORIES": "on"}
        )
        assert (config.min_rollout_idle_hours, config.use_memories) == (4, True)

    @pytest.mark.parametrize("setting", NUMBERS, ids=lambda setting: setting.key)
    def test_a_number_outside_its_range_is_clamped_and_said(self, setting, path):
        for value, clamped in ((setting.low - 1, setting.low), (setting.high + 1, setting.high)):
            config = load_config(written(path, f"[{setting.table}]\n{setting.name} = {value}\n"), {})
            assert getattr(config, setting.name) == clamped
            assert setting.key in config.warnings[0]

    @pytest.mark.parametrize("value", ['"six"', "true", "6.5", "[1]", "{}"])
    def test_a_value_of_the_wrong_kind_becomes_the_default_and_is_said(self, value, path):
        config = load_config(written(path, f"[memories]\nmin_rollout_idle_hours = {value}\n"), {})
        assert config.min_rollout_idle_hours == 6
        assert len(config.warnings) == 1

    def test_a_word_that_is_no_choice_becomes_the_default_and_is_said(self, path):
        config = load_config(written(path, '[memories]\nlearner = "oracle"\n'), {})
        assert config.learner == "extractive"
        assert "oracle" in config.warnings[0]

    @pytest.mark.parametrize("value", ["claude", "./bin/agent", "~/agent", "/a\\nb"])
    def test_a_text_of_another_form_becomes_the_default_and_is_said(self, value, path):
        config = load_config(written(path, f'[agent]\nprogram = "{value}"\n'), {})
        assert config.program == ""
        assert "an absolute path" in config.warnings[0]

    @pytest.mark.parametrize("value", ["", "/opt/my agents/agent"])
    def test_a_text_of_the_form_that_is_asked_for_or_none_is_taken(self, value, path):
        config = load_config(written(path, f'[agent]\nprogram = "{value}"\n'), {})
        assert (config.program, config.warnings) == (value, ())

    @pytest.mark.parametrize("text", ["memories = 3\n", "[memory]\nx = 1\n", "[memories]\ntypo = 1\n", "x = 1\n"])
    def test_what_is_unknown_is_ignored_and_said(self, text, path):
        assert len(load_config(written(path, text), {}).warnings) == 1

    @settings(max_examples=60)
    @given(st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=8))
    def test_no_text_in_the_environment_stops_a_run(self, text):
        environ = {setting.variable: text for setting in SETTINGS}
        load_config(_NOWHERE, environ)

    def test_signs_that_only_look_like_digits_are_said_too(self):
        for text in ("²", "--5", "٣x", "1e3"):
            assert load_config(_NOWHERE, {"VADEMECUM_CONTEXT_BUDGET_TOKENS": text}).budget_tokens == 4000

    @pytest.mark.parametrize("data", [b"not toml =", b"\xff\xfe\x00", b"[memories\n"])
    def test_a_file_that_is_no_toml_stops_the_run(self, data, path):
        path.write_bytes(data)
        with pytest.raises(ConfigError) as caught:
            load_config(path, {})
        assert str(path) in str(caught.value)


class TestStoring:
    def test_a_stored_value_is_the_one_that_is_read(self, path):
        assert store_setting(path, "memories.min_rollout_idle_hours", "2") == 2
        assert load_config(path, {}).min_rollout_idle_hours == 2

    def test_comments_order_and_other_settings_stay(self, path):
        written(path, "# mine\n[memories]\nuse_memories = false # why\n")
        store_setting(path, "min_rollout_idle_hours", "2")
        assert path.read_text().startswith("# mine\n[memories]\nuse_memories = false # why\n")

    def test_the_file_is_private(self, path):
        store_setting(path, "use_memories", "off")
        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize(("key", "value"), [("typo", "1"), ("use_memories", "maybe"), ("budget_tokens", "1")])
    def test_what_would_not_be_read_back_is_refused_and_nothing_is_written(self, key, value, path):
        with pytest.raises(ConfigError):
            store_setting(path, key, value)
        assert not path.exists()

    @pytest.mark.parametrize("text", ["not toml =", "memories = 3\n"])
    def test_a_file_that_cannot_take_the_setting_is_left_as_it_is(self, text, path):
        written(path, text)
        with pytest.raises(ConfigError):
            store_setting(path, "use_memories", "off")
        assert path.read_text() == text


class TestRoutes:
    def test_a_stored_route_is_read_and_can_be_taken_back(self, path):
        store_route(path, "/srv/acme", "acme")
        assert load_config(path, {}).routes == {"/srv/acme": "acme"}
        assert (unset_route(path, "/srv/acme"), unset_route(path, "/srv/acme")) == (True, False)
        assert load_config(path, {}).routes == {}

    def test_a_folder_has_one_route_however_it_is_written(self, path, closed_home):
        written(path, '[routes]\n"~/acme/" = "old"\n')
        assert load_config(path, {}).routes == {f"{closed_home}/acme": "old"}
        store_route(path, f"{closed_home}/acme", "new")
        assert load_config(path, {}).routes == {f"{closed_home}/acme": "new"}
        assert unset_route(path, f"{closed_home}/acme")
        assert load_config(path, {}).routes == {}

    @pytest.mark.parametrize("entry", ['"/srv/x" = "../up"', '"/srv/x" = 3', '"srv/x" = "work"', '"" = "work"'])
    def test_an_entry_that_is_no_route_is_ignored_and_said(self, entry, path):
        config = load_config(written(path, f"[routes]\n{entry}\n"), {})
        assert config.routes == {}
        assert len(config.warnings) == 1


def test_every_setting_says_what_it_means_and_has_a_variable_of_its_own():
    assert all(setting.what.endswith(".") or setting.what.endswith(")") for setting in SETTINGS)
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)


def test_no_variable_of_a_setting_has_another_meaning():
    """`VADEMECUM_LEARNER=1` marks the sessions of our own learners, `VADEMECUM_HOME` the home."""
    taken = {"VADEMECUM_HOME", "VADEMECUM_IDENTITY", "VADEMECUM_DEBUG", "VADEMECUM_LEARNER"}
    assert taken.isdisjoint(setting.variable for setting in SETTINGS)
