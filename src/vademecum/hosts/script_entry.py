"""The small script of ours in a host's folder of plugins: it names the interpreter, and loads the code that lies here.

The code itself stays in the package, so that an update of vademecum is an update of every plugin. A template holds two
places: `"@settings@"` and `"@plugin@"`. Its first line is our mark.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from vademecum.errors import CannotEdit
from vademecum.findings import Finding, problem
from vademecum.hosts.protocol import Command, FileEdit, Places
from vademecum.hosts.targets import read_text

__all__ = ["ScriptEntry"]

_SETTINGS = '"@settings@"'
_PLUGIN = '"@plugin@"'
_LOADED = re.compile(r'import\("(file://[^"]+)"\)')
_SETTINGS_LINE = re.compile(r"^const settings = (\{.*\});$", re.MULTILINE)


class _Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the plugin is told: how the host is called, and how to start the server."""

    host: str
    command: tuple[str, ...]
    environ: dict[str, str] = {}


class ScriptEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One host's script."""

    host: str
    #: Where the host looks for it.
    path: Path
    #: The folder of the package with the template `entry.js` and the code.
    folder: Path
    #: The file of the code.
    module: str

    def installation(self, places: Places) -> FileEdit:
        """Write the script. Its change raises CannotEdit where a file of this name is not ours."""
        return FileEdit(
            path=self.path,
            what="the plugin that gives the memory block and the tools to each session",
            change=lambda text: self._written(text, places),
        )

    def removal(self) -> FileEdit:
        """Take the script away, where it is ours."""
        return FileEdit(
            path=self.path,
            what="the plugin of memory goes",
            change=lambda text: None if text is None or self._is_ours(text) else text,
        )

    def server(self, places: Places) -> Command | None:
        """The server that the script starts; None where there is no script of ours. Raises CannotEdit."""
        found = _SETTINGS_LINE.search(self._standing(places))
        if found is None:
            return None
        try:
            settings = msgspec.json.decode(found[1], type=_Settings)
        except msgspec.DecodeError as error:
            raise CannotEdit(f"{self.path} holds no settings that can be read: {error}") from error
        return Command(words=settings.command, environ=settings.environ)

    def examine(self, places: Places) -> Iterator[Finding]:
        """Say where the code that the script loads is gone: the host goes on without it. Raises CannotEdit."""
        found = _LOADED.search(self._standing(places))
        code = Path(unquote(urlsplit(found[1]).path)) if found else None
        if code and not code.is_file():
            what = f"{self.path} loads {code}, which is not there, so no session gets memory"
            yield problem(self.host, what, f"Run `vade install {self.host}`.")

    def _standing(self, places: Places) -> str:
        """Our script; empty where there is none."""
        text = read_text(self.path, places.user_home)
        return text if text is not None and self._is_ours(text) else ""

    def _written(self, text: str | None, places: Places) -> str:
        if text is not None and not self._is_ours(text):
            raise CannotEdit(
                f"{self.path} is not ours: its first line is not the one that we write",
                next_step="Give that plugin another name, then run the same command again.",
            )
        settings = _Settings(
            host=self.host,
            command=places.mcp_command("--host", self.host),
            environ=places.server_environment(),
        )
        return (
            self._template()
            .replace(_SETTINGS, json.dumps(msgspec.to_builtins(settings)))
            .replace(_PLUGIN, json.dumps((self.folder / self.module).as_uri()))
        )

    def _is_ours(self, text: str) -> bool:
        return text.partition("\n")[0].rstrip("\r") == self._template().partition("\n")[0]

    def _template(self) -> str:
        return (self.folder / "entry.js").read_text(encoding="utf-8")
