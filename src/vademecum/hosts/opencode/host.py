"""Where opencode looks for plugins, and ours there."""

from collections.abc import Iterator
from pathlib import Path

from vademecum.findings import Finding
from vademecum.hosts.opencode.examining import examine
from vademecum.hosts.protocol import Host, Places, Wiring
from vademecum.hosts.script_entry import ScriptEntry

__all__ = ["OPENCODE"]

_NAME = "opencode"


def _folder(places: Places) -> Path:
    return places.folder("XDG_CONFIG_HOME", ".config") / _NAME


def _entry(places: Places) -> ScriptEntry:
    return ScriptEntry(
        host=_NAME,
        path=_folder(places) / "plugins" / "vademecum.js",
        folder=Path(__file__).parent,
        module="plugin.mjs",
    )


def _is_there(places: Places) -> bool:
    return _folder(places).is_dir() or places.program(_NAME) is not None


def _examine(places: Places) -> Iterator[Finding]:
    yield from _entry(places).examine(places)
    yield from examine(places)


OPENCODE = Host(
    name=_NAME,
    title="opencode",
    program=_NAME,
    is_there=_is_there,
    installation=lambda places: (_entry(places).installation(places),),
    removal=lambda places: (_entry(places).removal(),),
    wiring=lambda places: Wiring(server=_entry(places).server(places)),
    examine=_examine,
    next_steps=("A running opencode has to be started anew: it loads plugins once.",),
)
