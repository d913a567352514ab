"""Where Claude Code keeps its settings, and where our plugin lies beside them."""

from pathlib import Path

from vademecum.hosts.protocol import Places

__all__ = [
    "MARKETPLACE",
    "NAME",
    "PLUGIN",
    "PLUGIN_ID",
    "PROGRAM",
    "marketplace_folder",
    "plugin_folder",
    "settings_folder",
]

NAME = "claude-code"
PROGRAM = "claude"
MARKETPLACE = PLUGIN = "vademecum"
#: As the settings name a plugin of a marketplace.
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"


def settings_folder(places: Places) -> Path:
    """The folder of its settings."""
    return places.folder("CLAUDE_CONFIG_DIR", ".claude")


def marketplace_folder(places: Places) -> Path:
    """The marketplace that holds our plugin and nothing else."""
    return settings_folder(places) / "vademecum"


def plugin_folder(places: Places) -> Path:
    """The plugin, which is read where it lies."""
    return marketplace_folder(places) / "plugin"
