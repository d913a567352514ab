"""Where pi looks for extensions, and ours there."""

from pathlib import Path

from vademecum.hosts.protocol import Host, Places, Wiring
from vademecum.hosts.script_entry import ScriptEntry

__all__ = ["PI"]

_NAME = "pi"


def _folder(places: Places) -> Path:
    return places.folder("PI_CODING_AGENT_DIR", ".pi/agent")


def _entry(places: Places) -> ScriptEntry:
    return ScriptEntry(
        host=_NAME,
        path=_folder(places) / "extensions" / "vademecum.js",
        folder=Path(__file__).parent,
        module="extension.mjs",
    )


def _is_there(places: Places) -> bool:
    return _folder(places).is_dir() or places.program(_NAME) is not None


PI = Host(
    name=_NAME,
    title="pi",
    program=_NAME,
    is_there=_is_there,
    installation=lambda places: (_entry(places).installation(places),),
    removal=lambda places: (_entry(places).removal(),),
    wiring=lambda places: Wiring(server=_entry(places).server(places)),
    examine=lambda places: _entry(places).examine(places),
    next_steps=("A running pi loads it with `/reload`.",),
)
