"""What keeps Claude Code from using the plugin is told."""

import json

import pytest

from vademecum.hosts.claude_code.examining import examine
from vademecum.hosts.claude_code.places import marketplace_folder


def findings(places, settings):
    file = places.user_home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
    return list(examine(places))


def test_where_nothing_is_in_the_way_nothing_is_told(places):
    source = {"source": {"source": "directory", "path": str(marketplace_folder(places))}}
    settings = {"enabledPlugins": {"vademecum@vademecum": True}, "extraKnownMarketplaces": {"vademecum": source}}
    assert list(examine(places)) == []
    assert findings(places, settings) == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"disableAllHooks": True}, "hooks off"),
        ({"enabledPlugins": {"vademecum@vademecum": False}}, "switched off"),
        ({"extraKnownMarketplaces": {"vademecum": {"source": {"path": "/elsewhere"}}}}, "/elsewhere"),
        ('{\n  // mine\n  "model": "opus"\n}\n', "comment"),
        ('{"model": "opus",}', "comma"),
    ],
)
def test_what_is_in_the_way_is_told_with_the_next_step(places, settings, told):
    (finding,) = findings(places, settings)
    assert told in finding.what
    assert finding.next
