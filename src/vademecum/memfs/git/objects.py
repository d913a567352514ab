"""Git's objects without a checkout: list a tree, compare two, build the next one from the last.

Only regular files count. Links and submodules that somebody committed are neither files nor followed; they stay where
they are until something else is written there, or a person takes a link away.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pygit2
from pygit2.enums import FileMode

from vademecum.memfs.records import Change, ChangeKind

__all__ = [
    "Listing",
    "blob_at",
    "changes_between",
    "link_at",
    "list_files",
    "list_links",
    "list_tree",
    "merge_lines",
    "updated_tree",
]

_REGULAR = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
_LINK = (FileMode.LINK,)
_TREE = FileMode.TREE


class Listing(NamedTuple):
    """Everything below a tree by its path, in code-point order."""

    #: Regular files with their blobs.
    files: dict[str, pygit2.Oid]
    #: Symbolic links with the blobs that hold their targets.
    links: dict[str, pygit2.Oid]


def list_tree(git: pygit2.Repository, tree_id: pygit2.Oid) -> Listing:
    """List what is below a tree."""
    listing = Listing({}, {})
    _list_below(git[tree_id].peel(pygit2.Tree), "", listing)
    return Listing(*({path: found[path] for path in sorted(found)} for found in listing))


def _list_below(tree: pygit2.Tree, prefix: str, listing: Listing) -> None:
    for entry in tree:
        path, mode = f"{prefix}{entry.name}", entry.filemode
        if mode in _REGULAR:
            listing.files[path] = entry.id
        elif mode == _TREE:
            _list_below(entry.peel(pygit2.Tree), f"{path}/", listing)
        elif mode in _LINK:
            listing.links[path] = entry.id


def list_files(git: pygit2.Repository, tree_id: pygit2.Oid) -> dict[str, pygit2.Oid]:
    """Map every regular file below a tree to its blob, in code-point order of the paths."""
    return list_tree(git, tree_id).files


def blob_at(tree: pygit2.Tree | None, path: str) -> pygit2.Oid | None:
    """Return the blob of one regular file, or None when the tree (None: the empty one) has no such file."""
    return _entry_at(tree, path, _REGULAR)


def link_at(tree: pygit2.Tree | None, path: str) -> pygit2.Oid | None:
    """Return the blob with the target of a symbolic link, or None where there is none."""
    return _entry_at(tree, path, _LINK)


def _entry_at(tree: pygit2.Tree | None, path: str, modes: tuple[FileMode, ...]) -> pygit2.Oid | None:
    if tree is None:
        return None
    try:
        entry = tree[path]
    except KeyError:
        return None
    return entry.id if entry.filemode in modes else None


def list_links(git: pygit2.Repository, tree_id: pygit2.Oid) -> dict[str, pygit2.Oid]:
    """Map every symbolic link below a tree to the blob that holds its target, in code-point order of the paths."""
    return list_tree(git, tree_id).links


def changes_between(git: pygit2.Repository, old: pygit2.Oid | None, new: pygit2.Oid | None) -> list[Change]:
    """List the regular files that differ between two trees, sorted by path. None stands for the empty tree."""
    before: dict[str, pygit2.Oid] = {}
    after: dict[str, pygit2.Oid] = {}
    for delta in _deltas(git, old, new):
        if delta.old_file.mode in _REGULAR:
            before[delta.old_file.path] = delta.old_file.id
        if delta.new_file.mode in _REGULAR:
            after[delta.new_file.path] = delta.new_file.id
    paths = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return [Change(path=path, kind=_kind(before.get(path), after.get(path))) for path in paths]


def updated_tree(
    git: pygit2.Repository, tree_id: pygit2.Oid | None, blobs: Mapping[str, pygit2.Oid | None]
) -> pygit2.Oid:
    """Write the tree that `tree_id` becomes when each path gets its blob, or goes (None). Folders that empty go too."""
    written = _updated(git, tree_id, {tuple(path.split("/")): blob for path, blob in blobs.items()})
    return written if written is not None else git.TreeBuilder().write()


def merge_lines(git: pygit2.Repository, ancestor: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge two versions of a text line by line; None when they changed the same lines."""
    if b"\0" in ancestor + ours + theirs:
        return None  # pygit2 1.21 would cut the result at the first NUL
    base, left, right = (
        pygit2.IndexEntry("text", git.create_blob(data), FileMode.BLOB) for data in (ancestor, ours, theirs)
    )
    result = git.merge_file_from_index(base, left, right)
    return result.contents.encode() if result.automergeable else None


def _deltas(git: pygit2.Repository, old: pygit2.Oid | None, new: pygit2.Oid | None) -> Iterator[pygit2.DiffDelta]:
    """Compare in libgit2, which leaves out what is equal without looking into it."""
    before, after = (None if oid is None else git[oid].peel(pygit2.Tree) for oid in (old, new))
    if before is not None:
        yield from (before.diff_to_tree() if after is None else before.diff_to_tree(after)).deltas
    elif after is not None:
        yield from after.diff_to_tree(swap=True).deltas


def _kind(old: pygit2.Oid | None, new: pygit2.Oid | None) -> ChangeKind:
    if old is None:
        return ChangeKind.ADDED
    return ChangeKind.DELETED if new is None else ChangeKind.MODIFIED


def _updated(
    git: pygit2.Repository, tree_id: pygit2.Oid | None, blobs: Mapping[tuple[str, ...], pygit2.Oid | None]
) -> pygit2.Oid | None:
    builder = git.TreeBuilder(tree_id) if tree_id is not None else git.TreeBuilder()
    below: dict[str, dict[tuple[str, ...], pygit2.Oid | None]] = {}
    for (name, *rest), blob in blobs.items():
        if rest:
            below.setdefault(name, {})[tuple(rest)] = blob
        else:
            _set_entry(builder, name, blob, FileMode.BLOB)
    for name, inner in below.items():
        _set_entry(builder, name, _updated(git, _subtree(builder, name), inner), FileMode.TREE)
    return builder.write() if len(builder) else None


def _set_entry(builder: pygit2.TreeBuilder, name: str, object_id: pygit2.Oid | None, mode: FileMode) -> None:
    if object_id is not None:
        builder.insert(name, object_id, mode)
    elif _entry(builder, name) is not None:
        builder.remove(name)


def _subtree(builder: pygit2.TreeBuilder, name: str) -> pygit2.Oid | None:
    entry = _entry(builder, name)
    return entry.id if entry is not None and entry.filemode == FileMode.TREE else None


def _entry(builder: pygit2.TreeBuilder, name: str) -> pygit2.Object | None:
    return builder.get(name)  # pygit2's stub leaves the None out
