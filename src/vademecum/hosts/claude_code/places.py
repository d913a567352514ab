"""Where Claude Code keeps its settings and its servers, and where our plugin lies beside them."""

from pathlib import Path

from vademecum.hosts.protocol import Places

__all__ = [
    "MARKETPLACE",
    "NAME",
    "PLUGIN",
    "PLUGIN_ID",
    "PROGRAM",
    "TITLE",
    "marketplace_folder",
    "plugin_folder",
    "settings_file",
    "settings_folder",
    "user_file",
]

NAME = "claude-code"
TITLE = "Claude Code"
PROGRAM = "claude"
MARKETPLACE = PLUGIN = "vademecum"
#: As the settings name a plugin of a marketplace.
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"


def settings_folder(places: Places) -> Path:
    """The folder of its settings."""
    return places.folder("CLAUDE_CONFIG_DIR", ".claude")


def settings_file(places: Places) -> Path:
    """The settings that a person writes: hooks, and which plugins are on."""
    return settings_folder(places) / "settings.json"


def user_file(places: Places) -> Path:
    """What Claude Code itself writes, the servers of the user among it; the older name holds where such a file is."""
    older = settings_folder(places) / ".config.json"
    return older if older.exists() else places.folder("CLAUDE_CONFIG_DIR", "") / ".claude.json"


def marketplace_folder(places: Places) -> Path:
    """The marketplace that holds our plugin and nothing else."""
    return settings_folder(places) / "vademecum"


def plugin_folder(places: Places) -> Path:
    """The plugin, which is read where it lies."""
    return marketplace_folder(places) / "plugin"
