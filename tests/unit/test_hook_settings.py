import json

import pytest

from vademecum.config import store_setting
from vademecum.errors import ConfigError, StorageError
from vademecum.home import Home
from vademecum.hook_settings import publish_hook_settings


@pytest.fixture
def place(tmp_path):
    return Home(root=tmp_path / "home")


def published(place):
    return json.loads((place.runtime / "hook.json").read_text())


def test_without_a_settings_file_it_holds_the_defaults(place):
    publish_hook_settings(place)
    assert published(place) == {
        "version": 1,
        "config": [],
        "use_memories": True,
        "generate_memories": True,
        "budget_tokens": 4000,
        "by_folder": False,
    }
    assert (place.runtime / "hook.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("use_memories", "false", {"use_memories": False}),
        ("generate_memories", "false", {"generate_memories": False}),
        ("budget_tokens", "700", {"budget_tokens": 700}),
        ("scope", "worktree", {"by_folder": True}),
    ],
)
def test_a_change_of_the_settings_shows(place, key, value, shown):
    publish_hook_settings(place)
    store_setting(place.config, key, value)
    publish_hook_settings(place)
    assert published(place) | shown == published(place)


def test_variables_of_the_process_that_writes_it_do_not_count(place, monkeypatch):
    monkeypatch.setenv("VADEMECUM_MEMORIES_USE_MEMORIES", "false")
    publish_hook_settings(place)
    assert published(place)["use_memories"] is True


def test_what_is_current_is_not_written_again(place):
    publish_hook_settings(place)
    before = (place.runtime / "hook.json").stat().st_ino
    publish_hook_settings(place)
    assert (place.runtime / "hook.json").stat().st_ino == before


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"use_memories": 3}', b"x" * 10_000], ids=range(5))
def test_a_damaged_one_is_written_anew(place, damage):
    publish_hook_settings(place)
    whole = published(place)
    (place.runtime / "hook.json").write_bytes(damage)
    publish_hook_settings(place)
    assert published(place) == whole


def test_settings_that_are_no_toml_leave_what_hooks_know(place):
    publish_hook_settings(place)
    whole = published(place)
    place.config.write_text("[memories")
    with pytest.raises(ConfigError):
        publish_hook_settings(place)
    assert published(place) == whole


def test_where_it_cannot_be_written_the_error_names_it(place):
    place.root.mkdir()
    place.runtime.write_text("in the way")
    with pytest.raises(StorageError, match="runtime"):
        publish_hook_settings(place)
