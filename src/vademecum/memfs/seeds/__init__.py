"""The files that a new memory starts with, as package data beside this module.

They are written once and belong to the person from then on. A file that is still the seed of an earlier version is
known by its content, so that the person can be told; nothing is ever written over it.
"""

from pathlib import Path

from vademecum.memfs.commits.tree import Tree

__all__ = ["EARLIER", "outdated_seeds", "seed_files", "seed_folder"]

#: Memory path -> the ids of the blobs that earlier versions began with. Whoever changes a seed adds the old one.
EARLIER = {
    "extensions/ad_hoc/instructions.md": ("9ec7b016c0ee99360c0d7e8ac6e52c8dbdbb514b",),
    "skills/memory-discipline/SKILL.md": ("d95364b574be6a9dae8f0ab87aaba8f5725efea3",),
    "system/boundaries.md": ("49f36e6908a1ef88021456e58a1b9e532d790e63",),
    "system/human.md": ("a7e9a7e7c794da52be694cfeeef0f5967ab0ba69",),
    "system/persona.md": ("8b4a4e8b3a623d7dd517d5890d687946d9493a7b",),
}


def seed_files() -> dict[str, str]:
    """Map the memory path of each seed to its text."""
    return {path: (seed_folder() / path).read_text(encoding="utf-8") for path in EARLIER}


def seed_folder() -> Path:
    """Return the folder in which the seeds of this version lie, under their memory paths."""
    return Path(__file__).parent


def outdated_seeds(tree: Tree) -> list[str]:
    """List the files that are still, to the byte, what an earlier version began with."""
    return [path for path, blobs in EARLIER.items() if tree.has(path) and tree.blob_id(path) in blobs]
