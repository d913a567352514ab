"""Small programs in place of agent programs: they note how they were called, and do what a test says."""

import json
import sys
from pathlib import Path

from vademecum.artifacts import SUMMARY_PATH

__all__ = ["EXTRACTION", "NOTHING", "SUMMARY_PATH", "Called", "program", "recorder"]

#: An answer that holds nothing worth keeping, which is a good one.
NOTHING = {"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}
EXTRACTION = json.dumps(NOTHING)


def program(path: Path, body: str, *, shell: str = "/bin/sh") -> Path:
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{shell}\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


class Called:
    """What a recorder noted of its last call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def arguments(self) -> list[str]:
        return (self._folder / "arguments").read_text(encoding="utf-8").split("\0")[:-1]

    @property
    def environ(self) -> dict[str, str]:
        text = (self._folder / "environ").read_text(encoding="utf-8")
        return dict(entry.split("=", 1) for entry in text.split("\0")[:-1])

    @property
    def stdin(self) -> str:
        return (self._folder / "stdin").read_text(encoding="utf-8")

    @property
    def folder(self) -> Path:
        return Path((self._folder / "folder").read_text(encoding="utf-8").strip())

    @property
    def times(self) -> int:
        return len((self._folder / "times").read_text(encoding="utf-8").splitlines())


def recorder(path: Path, then: str) -> Called:
    """A program at `path` that notes arguments, environment, input and folder, and then does what is said in shell.

    `$N` is how often it was called before.
    """
    notes = path.parent / f"{path.name}.notes"
    notes.mkdir(parents=True)
    (notes / "times").touch()
    program(
        path,
        f"""
N=$(wc -l < {notes}/times); echo >> {notes}/times
printf '%s\\0' "$@" > {notes}/arguments
env -0 > {notes}/environ
cat > {notes}/stdin
pwd > {notes}/folder
{then}""",
    )
    return Called(notes)


#: For programs in Python: without the start-up of site packages.
PYTHON = f"{sys.executable} -IS"
