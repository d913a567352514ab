"""The files that a new memory starts with, as package data beside this module."""

from importlib.resources import files

__all__ = ["seed_files"]

_PATHS = (
    "extensions/ad_hoc/instructions.md",
    "skills/memory-discipline/SKILL.md",
    "system/boundaries.md",
    "system/human.md",
    "system/persona.md",
)


def seed_files() -> dict[str, str]:
    """Map the memory path of each seed to its text."""
    root = files(__name__)
    return {path: root.joinpath(*path.split("/")).read_text(encoding="utf-8") for path in _PATHS}
