"""Look for words in every object of the object store and in every file below a folder: the proof that they are gone."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import pygit2
from pygit2.enums import ObjectType

from vademecum.memfs.commits.commit import history_of
from vademecum.memfs.git.opening import git_failures, open_git
from vademecum.memfs.git.refs import commit_or_none

__all__ = ["Find", "Finder", "Looked", "look_in_files", "look_in_objects", "look_in_text"]

_OBJECTS = ".git/objects/"
_KINDS = {ObjectType.COMMIT: "commit", ObjectType.TREE: "folder", ObjectType.BLOB: "file", ObjectType.TAG: "tag"}


class Find(msgspec.Struct, frozen=True, kw_only=True):
    """One place where words stand."""

    #: In words, such as `reference/pay.md in commit 1234567890`.
    where: str
    words: str


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What was read, and what was found in it."""

    objects: int = 0
    size_bytes: int = 0
    finds: tuple[Find, ...] = ()


class Finder:
    """Finds any of the words in bytes, as they are and as JSON spells them.

    Parameters
    ----------
    words: each not blank.
    other_forms: gives further spellings of one of the words, such as the one with secrets masked.
    """

    def __init__(self, words: Iterable[str], other_forms: Callable[[str], str] = lambda words: words) -> None:
        from ahocorasick_rs import BytesAhoCorasick  # who only reads memory need not wait for it

        self._spellings: list[tuple[bytes, str]] = sorted(
            {(form.encode(), one) for one in words for form in (one, other_forms(one), json.dumps(one)[1:-1])}
        )
        self._automaton = BytesAhoCorasick([form for form, _ in self._spellings])

    def in_bytes(self, data: bytes) -> list[str]:
        """The words that stand in these bytes, sorted."""
        found = self._automaton.find_matches_as_indexes(data, overlapping=True)
        return sorted({self._spellings[index][1] for index, _, _ in found})


def look_in_text(finder: Finder, texts: Iterable[tuple[str, bytes]]) -> Looked:
    """Look in these bytes, each with the name of where they stand."""
    size, finds = 0, list[Find]()
    for where, data in texts:
        size += len(data)
        finds += [Find(where=where, words=words) for words in finder.in_bytes(data)]
    return Looked(size_bytes=size, finds=tuple(finds))


def look_in_objects(root: Path, finder: Finder) -> Looked:
    """Read every object of the repository in `root`, loose and packed, reachable or not."""
    with git_failures(root):
        git = open_git(root)
        count, size, found = 0, 0, list[tuple[pygit2.Oid, int, str]]()
        for oid in git.odb:
            kind, data = git.odb.read(oid)[:2]
            count, size = count + 1, size + len(data)
            found += [(oid, kind, words) for words in finder.in_bytes(data)]
        return Looked(objects=count, size_bytes=size, finds=tuple(_located(git, found)))


def look_in_files(root: Path, finder: Finder) -> Looked:
    """Read every file below a folder but the object store, whose files are compressed."""
    files = (file for file in sorted(root.rglob("*")) if file.is_file() and not file.is_symlink())
    with git_failures(root):
        return look_in_text(
            finder,
            ((str(file.relative_to(root)), file.read_bytes()) for file in files if _OBJECTS not in file.as_posix()),
        )


def _located(git: pygit2.Repository, found: list[tuple[pygit2.Oid, int, str]]) -> Iterator[Find]:
    places = _places(git, {oid for oid, _, _ in found}) if found else {}
    for oid, kind, words in found:
        what = _KINDS.get(ObjectType(kind), "object")
        yield Find(where=places.get(oid, f"{what} {str(oid)[:10]} of the repository, in no commit"), words=words)


def _places(git: pygit2.Repository, wanted: set[pygit2.Oid]) -> dict[pygit2.Oid, str]:
    """Where objects stand: path and the first commit that has it there."""
    places: dict[pygit2.Oid, str] = {}
    seen: set[pygit2.Oid] = set()

    def collect(tree: pygit2.Tree, prefix: str, commit: str) -> None:
        if tree.id in seen:
            return
        seen.add(tree.id)
        if tree.id in wanted:
            places[tree.id] = f"a name in {prefix or 'the folder'} in commit {commit}"
        for entry in tree:
            if isinstance(entry, pygit2.Tree):
                collect(entry, f"{prefix}{entry.name}/", commit)
            elif entry.id in wanted:
                places.setdefault(entry.id, f"{prefix}{entry.name} in commit {commit}")

    roots = {str(git.references[name].resolve().target) for name in git.references}
    for commit in history_of(git, sorted(root for root in roots if commit_or_none(git, root))):
        if commit.id in wanted:
            places[commit.id] = f"the message of commit {str(commit.id)[:10]}"
        collect(commit.tree, "", str(commit.id)[:10])
    return places
