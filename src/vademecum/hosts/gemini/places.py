"""Where Gemini CLI keeps what is of the user, and our extension in it."""

from pathlib import Path

from vademecum.hosts.protocol import Places

__all__ = ["EXTENSION", "NAME", "extension_folder", "settings_folder"]

NAME = "gemini"
#: The extension and its server; Gemini CLI wants the folder to have the same name.
EXTENSION = "vademecum"


def settings_folder(places: Places) -> Path:
    """`.gemini` below the folder that `GEMINI_CLI_HOME` names, else below the user's home."""
    return places.folder("GEMINI_CLI_HOME", "") / ".gemini"


def extension_folder(places: Places) -> Path:
    """The folder of our extension."""
    return settings_folder(places) / "extensions" / EXTENSION
