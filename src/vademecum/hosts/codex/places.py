"""Where Codex keeps what is of the user, and how it calls events."""

from pathlib import Path

from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text
from vademecum.hosts.toml_tables import read_tables

__all__ = ["EVENTS", "NAME", "config_file", "guide_file", "has_hooks", "hooks_file"]

NAME = "codex"
#: Codex's name of an event -> ours.
EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
}


def _folder(places: Places) -> Path:
    return places.folder("CODEX_HOME", ".codex")


def config_file(places: Places) -> Path:
    """The settings, and the servers of tools."""
    return _folder(places) / "config.toml"


def hooks_file(places: Places) -> Path:
    """The hooks of the user."""
    return _folder(places) / "hooks.json"


def guide_file(places: Places) -> Path:
    """The instructions that every session gets; the file that overrides the other where it is there."""
    override = _folder(places) / "AGENTS.override.md"
    return override if override.exists() else _folder(places) / "AGENTS.md"


def has_hooks(places: Places) -> bool:
    """Whether Codex may run hooks at all; the older name of the switch counts too. Raises CannotEdit."""
    features = table_of(read_tables(read_text(config_file(places), places.user_home)).get("features"))
    return features.get("hooks", features.get("codex_hooks")) is not False
