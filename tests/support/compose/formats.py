"""The host formats by name, each as one function over many sessions."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

from support.compose.claude_code import write_claude_code
from support.compose.codex import write_codex
from support.compose.gemini import write_gemini
from support.compose.opencode import write_opencode_db, write_opencode_tree
from support.compose.pi import write_pi
from support.compose.script import Script

__all__ = ["Format", "write_sessions"]


class Format(StrEnum):
    """A way in which a host stores sessions."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CODEX_ZST = "codex-zst"
    OPENCODE_DB = "opencode-db"
    OPENCODE_TREE = "opencode-tree"
    PI = "pi"
    GEMINI = "gemini"


def _each(write_one: Callable[[Path, Script], Path], folder: Path, scripts: Sequence[Script]) -> None:
    for script in scripts:
        write_one(folder, script)


_WRITERS: dict[Format, Callable[[Path, Sequence[Script]], object]] = {
    Format.CLAUDE_CODE: partial(_each, write_claude_code),
    Format.CODEX: partial(_each, write_codex),
    Format.CODEX_ZST: partial(_each, partial(write_codex, compressed=True)),
    Format.OPENCODE_DB: write_opencode_db,
    Format.OPENCODE_TREE: write_opencode_tree,
    Format.PI: partial(_each, write_pi),
    Format.GEMINI: partial(_each, write_gemini),
}


def write_sessions(form: Format, folder: Path, scripts: Sequence[Script]) -> None:
    """Writes these sessions below `folder`, which stands for the host's own data folder."""
    _WRITERS[form](folder, scripts)
