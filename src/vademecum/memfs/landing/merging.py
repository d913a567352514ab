"""Merging edits of one revision onto a later one, path by path, in memory: what is in conflict is told, never decided.

What only one side changed is taken. What both changed is merged line by line. A path is in conflict where the same
lines differ, where one side deleted it or both added it, where the result would break a rule of memory files, and
where a hand edit that nobody committed stands in the way.
"""

from collections.abc import Mapping
from typing import NamedTuple

from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.pages import rules
from vademecum.memfs.repository import Repository

__all__ = ["Edits", "Merged", "merge", "merge_states"]

#: For each path its whole next content; None: the file goes.
Edits = Mapping[str, bytes | None]


class Merged(NamedTuple):
    """The edits, split; both parts sorted by path."""

    #: What can be committed on the present main, merged where both sides changed a path.
    clean: dict[str, bytes | None]
    #: What cannot, as it was written.
    conflicts: dict[str, bytes | None]


def merge(repository: Repository, base: Tree, head: Tree, edits: Edits) -> Merged:
    """Split the edits of `base` into what can be committed on `head`, the tip of main, and the rest.

    Hand edits that nobody committed count as well. Needs `Repository.writing`.
    """
    clean, conflicts = merge_states(repository, base, head, edits)
    for path in repository.obstacles(clean):
        del clean[path]
        conflicts[path] = edits[path]
    return Merged(clean, dict(sorted(conflicts.items())))


def merge_states(repository: Repository, base: Tree, head: Tree, edits: Edits) -> Merged:
    """Split the edits of `base` into what fits the committed state `head`, and the rest."""
    clean: dict[str, bytes | None] = {}
    conflicts: dict[str, bytes | None] = {}
    for path, data in sorted(edits.items()):
        ancestor, ours = base.content(path), head.content(path)
        if ours in (ancestor, data):
            clean[path] = data
            continue
        merged = _merged(repository, path, ancestor or b"", ours, data)
        if merged is None:
            conflicts[path] = data
        else:
            clean[path] = merged
    return Merged(clean, conflicts)


def _merged(
    repository: Repository, path: str, ancestor: bytes, ours: bytes | None, theirs: bytes | None
) -> bytes | None:
    """Merge two versions; None when lines overlap, one side deleted the file, or the result breaks a rule."""
    if ours is None or theirs is None:
        return None
    try:
        before = ours.decode()
    except UnicodeDecodeError:
        return None  # somebody committed a file that is not text: nothing to merge with
    merged = repository.merge_lines(ancestor, ours, theirs)
    if merged is None:
        return None
    text = merged.decode()
    breaks = rules.is_read_only(before) or rules.header_violation(text, path, before) or rules.secret_kind(text)
    return None if breaks else merged
