"""What keeps Claude Code from using the plugin: the switches in its own settings."""

import json
from collections.abc import Iterator

from vademecum.hosts import jsonc
from vademecum.hosts.claude_code.places import MARKETPLACE, NAME, PLUGIN_ID, marketplace_folder, settings_folder
from vademecum.hosts.plain import table_of, text_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text
from vademecum.memfs import Finding, problem, warning

__all__ = ["examine"]


def examine(places: Places) -> Iterator[Finding]:
    """Say which switch is off. Raises CannotEdit where the settings cannot be read."""
    file = settings_folder(places) / "settings.json"
    text = read_text(file, places.user_home) or ""
    settings = table_of(jsonc.read(text))
    if text.strip() and not _is_plain_json(text):
        yield problem(
            NAME,
            f"Claude Code reads nothing of {file}, for it holds a comment or a comma too many",
            "Take them out; the plugin is not loaded before.",
        )
    if settings.get("disableAllHooks") is True:
        yield warning(
            NAME,
            f"{file} switches all hooks off, so no session gets the memory block",
            "Take `disableAllHooks` out of it; the tools work all the same.",
        )
    if table_of(settings.get("enabledPlugins")).get(PLUGIN_ID) is False:
        yield warning(
            NAME, f"the plugin is switched off in {file}", f"Run `claude plugin enable {PLUGIN_ID}`, or uninstall it."
        )
    source = table_of(table_of(table_of(settings.get("extraKnownMarketplaces")).get(MARKETPLACE)).get("source"))
    path = text_of(source.get("path"))
    if path and path != str(marketplace_folder(places)):
        yield warning(
            NAME, f"{file} takes the plugin from {path}, which is not where it lies", "Run `vade install claude-code`."
        )


def _is_plain_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
