"""Switches of Gemini CLI that keep it from using the extension are told."""

import json
from pathlib import Path

import pytest

from vademecum.findings import Level
from vademecum.hosts import Places, host_named


def examined(folder: Path, name: str, settings: object) -> list[tuple[Level, str]]:
    file = folder / ".gemini" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("// mine\n" + json.dumps(settings))
    places = Places.here({"HOME": "/nowhere", "GEMINI_CLI_HOME": str(folder)})
    return [(finding.level, finding.what) for finding in host_named("gemini").examine(places)]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"hooksConfig": {"enabled": False}}, "switches all hooks off"),
        ({"mcp": {"excluded": ["vademecum"]}}, "does not allow the server"),
        ({"mcp": {"allowed": ["other"]}}, "does not allow the server"),
    ],
)
def test_a_switch_that_is_off_is_told(tmp_path: Path, settings: object, told: str):
    ((level, what),) = examined(tmp_path, "settings.json", settings)
    assert level is Level.WARNING
    assert told in what


@pytest.mark.parametrize("settings", [{}, {"mcp": {"allowed": ["vademecum"]}}, {"mcp": 1, "hooksConfig": []}])
def test_settings_that_allow_it_are_not_spoken_of(tmp_path: Path, settings: object):
    assert examined(tmp_path, "settings.json", settings) == []


def test_an_extension_that_is_disabled_somewhere_is_told(tmp_path: Path):
    ((level, what),) = examined(
        tmp_path, "extensions/extension-enablement.json", {"vademecum": {"overrides": ["!/home/ada/*"]}}
    )
    assert level is Level.WARNING
    assert "disabled in some folders" in what
