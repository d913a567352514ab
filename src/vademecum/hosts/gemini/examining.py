"""What keeps Gemini CLI from using the extension: the switches in its own settings."""

from collections.abc import Iterator

from vademecum.findings import Finding, warning
from vademecum.hosts import jsonc
from vademecum.hosts.gemini.places import EXTENSION, NAME, settings_folder
from vademecum.hosts.plain import list_of, table_of, words_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text

__all__ = ["examine"]


def examine(places: Places) -> Iterator[Finding]:
    """Say which switch is off. Raises CannotEdit where a file of its settings cannot be read."""
    folder = settings_folder(places)
    settings = table_of(jsonc.read(read_text(folder / "settings.json", places.user_home) or ""))
    enabling = table_of(
        jsonc.read(read_text(folder / "extensions" / "extension-enablement.json", places.user_home) or "")
    )
    file = folder / "settings.json"
    if table_of(settings.get("hooksConfig")).get("enabled") is False:
        yield warning(
            NAME,
            f"{file} switches all hooks off, so no session gets the memory block",
            "Take `hooksConfig.enabled` out of it; the tools work all the same.",
        )
    servers = table_of(settings.get("mcp"))
    allowed = servers.get("allowed")
    if EXTENSION in words_of(servers.get("excluded")) or (allowed is not None and EXTENSION not in list_of(allowed)):
        yield warning(
            NAME, f"{file} does not allow the server of the memory tools", f"Allow `{EXTENSION}` below `mcp` in it."
        )
    overrides = words_of(table_of(enabling.get(EXTENSION)).get("overrides"))
    if any(rule.startswith("!") for rule in overrides):
        yield warning(NAME, "the extension is disabled in some folders", f"Run `gemini extensions enable {EXTENSION}`.")
