"""What an organisation decides for all users of a machine: its settings win over those of each of them.

Facts from Claude Code 2.1.332: a file in a folder of the system, and those in a folder beside it, in the order of their
names. What comes from a server of the organisation, or from the registry of Windows, is not seen here.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vademecum.errors import CannotEdit
from vademecum.findings import Finding, warning
from vademecum.hosts import strict_json
from vademecum.hosts.claude_code.forms import Form
from vademecum.hosts.claude_code.places import NAME
from vademecum.hosts.plain import table_of
from vademecum.private import read_plain_file

__all__ = ["examine_managed", "managed_folder"]

_MOST_BYTES = 1024 * 1024


def managed_folder() -> Path:
    """Where an organisation puts its settings."""
    is_mac = sys.platform == "darwin"
    return Path("/Library/Application Support/ClaudeCode" if is_mac else "/etc/claude-code")


def examine_managed(form: Form) -> Iterator[Finding]:
    """Say what the organisation does not allow of what stands there."""
    settings = _settings(managed_folder())
    whose = f"your organisation ({managed_folder()})"
    if settings.get("allowManagedHooksOnly") is True or settings.get("disableAllHooks") is True:
        told = "so no session gets the memory block; the tools work all the same"
        yield warning(NAME, f"{whose} allows no hooks of yours, {told}", "Ask those who keep these settings.")
    if form is Form.PLUGIN and isinstance(settings.get("strictKnownMarketplaces"), list):
        yield warning(
            NAME,
            f"{whose} allows certain marketplaces only, and so perhaps not the plugin of memory",
            "Run `vade install claude-code --form settings` if the tools are not reached.",
        )
    if form is Form.SETTINGS and settings.get("strictPluginOnlyCustomization"):
        yield warning(
            NAME,
            f"{whose} allows what comes with plugins only, and so perhaps not these entries",
            "Run `vade install claude-code --form plugin` if the tools are not reached.",
        )


def _settings(folder: Path) -> dict[str, Any]:
    """The switches of all files, those of a later file over those of an earlier one."""
    files = (folder / "managed-settings.json", *sorted((folder / "managed-settings.d").glob("*.json")))
    return {name: value for file in files for name, value in _read(file).items()}


def _read(file: Path) -> dict[str, Any]:
    try:
        return table_of(strict_json.read(read_plain_file(file, most_bytes=_MOST_BYTES).decode()))
    except (OSError, UnicodeDecodeError, CannotEdit):
        return {}  # somebody else's to mend; Claude Code says so itself
