"""What an organisation forbids is told, where it concerns the form that stands."""

import json

import pytest

from vademecum.hosts.claude_code import managed
from vademecum.hosts.claude_code.forms import Form
from vademecum.hosts.claude_code.managed import examine_managed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the organisation puts its settings."""
    made = tmp_path / "managed"
    (made / "managed-settings.d").mkdir(parents=True)
    monkeypatch.setattr(managed, "managed_folder", lambda: made)
    return made


def told(form, folder, settings, name="managed-settings.json"):
    (folder / name).write_text(settings if isinstance(settings, str) else json.dumps(settings))
    return list(examine_managed(form))


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("switch", ["allowManagedHooksOnly", "disableAllHooks"])
def test_hooks_that_are_forbidden_are_told_in_both_forms(folder, form, switch):
    (finding,) = told(form, folder, {switch: True})
    assert "no session gets the memory block" in finding.what
    assert finding.next


@pytest.mark.parametrize(
    ("form", "settings", "other"),
    [
        (Form.PLUGIN, {"strictKnownMarketplaces": []}, Form.SETTINGS),
        (Form.SETTINGS, {"strictPluginOnlyCustomization": True}, Form.PLUGIN),
        (Form.SETTINGS, {"strictPluginOnlyCustomization": ["mcp"]}, Form.PLUGIN),
    ],
)
def test_a_form_that_is_forbidden_is_told_with_the_other_one(folder, form, settings, other):
    (finding,) = told(form, folder, settings)
    assert f"--form {other}" in finding.next
    assert told(other, folder, settings) == []


def test_a_further_file_holds_over_the_first_one(folder):
    told(Form.PLUGIN, folder, {"allowManagedHooksOnly": True})
    assert told(Form.PLUGIN, folder, {"allowManagedHooksOnly": False}, "managed-settings.d/10.json") == []


@pytest.mark.parametrize("settings", ["{ not json", "[]", '{"strictKnownMarketplaces": "all"}'])
def test_what_cannot_be_understood_is_passed_over(folder, settings):
    assert told(Form.PLUGIN, folder, settings) == []


def test_without_an_organisation_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(managed, "managed_folder", lambda: tmp_path / "nowhere")
    assert list(examine_managed(Form.PLUGIN)) == []
