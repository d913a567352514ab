"""Hand edits: what a person changed in the work tree without a commit, and what of it may become memory as theirs."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pygit2

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.disk.walking import FoundFile, walk
from vademecum.memfs.pages.homes import misspelling
from vademecum.memfs.pages.paths import is_valid
from vademecum.memfs.pages.rules import conflict_marker, header_violation, name_secret_kind, text_before
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Commit
from vademecum.memfs.writing.glances import Glances
from vademecum.secrets import scan

__all__ = ["Adoption", "WorkTreeEdits", "find_hand_edits", "secret_violation", "violations"]

#: A work tree in which more than this share of many files is missing was not edited, it was lost.
_LOST_SHARE = 0.5
_FREE_DELETIONS = 10


class Adoption(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a person's hand edits."""

    #: None when there was nothing to take in.
    commit: Commit | None
    #: Path -> why the edit was left where it is.
    refused: Mapping[str, str]


class WorkTreeEdits(msgspec.Struct, frozen=True, kw_only=True):
    """The difference between the work tree and one committed state, sorted by path."""

    #: Path -> the whole new content; None: the person deleted the file.
    edits: Mapping[str, bytes | None]
    #: Path -> why it cannot become memory.
    refused: Mapping[str, str]


def find_hand_edits(folder: Path, base: Tree, *, cache: Path | None = None) -> WorkTreeEdits:
    """Compare the memory files of a work tree with `base`. Files that are no memory files are not looked at.

    `cache`: folder that says which files need not be read again (`memfs.writing.glances`); None: all are read.
    """
    comparison = _Comparison(base, Glances(cache))
    for found in walk(folder, skip=".git", passes_over=comparison.is_as_it_was):
        comparison.take(found)
    comparison.glances.keep()
    return comparison.result()


class _Comparison:
    """A work tree against one committed state, file by file."""

    def __init__(self, base: Tree, glances: Glances) -> None:
        self.base, self.glances = base, glances
        self.committed = base.blobs()
        self.there: list[str] = []
        self.links = {path for path in base.links() if is_valid(path)}
        self.edits: dict[str, bytes | None] = {}
        self.refused: dict[str, str] = {}

    def is_as_it_was(self, path: str, status: os.stat_result) -> bool:
        """Say whether a file need not be read; it is done with then."""
        blob = self.committed.get(path)
        if blob is None or not self.glances.knows(blob, status):
            return False
        self.there.append(path)
        return True

    def take(self, found: FoundFile) -> None:
        """Take in one file that stands there."""
        path = found.path
        self.there.append(path)
        is_link = path in self.links
        self.links.discard(path)
        if is_link and found.irregular:
            self.refused[path] = f"{found.irregular}, and committed as one: delete it, then run `vade adopt`"
        elif not is_valid(path):
            if path.endswith(".md") and self._differs(found) and (reason := misspelling(path)):
                self.refused[path] = f"has a name that is taken: {reason}"
        elif found.irregular:
            self.refused[path] = found.irregular
        elif self._differs(found):
            self._take_edit(path, found.data)
        elif found.status:
            self.glances.note(self.committed[path], found.status)

    def _take_edit(self, path: str, data: bytes) -> None:
        reason = next(violations(path, data, self.base), None)
        if reason:
            self.refused[path] = reason
        else:
            self.edits[path] = data

    def _differs(self, found: FoundFile) -> bool:
        # By the name that git would give it: among thousands of files, reading each from the object store costs most.
        return self.committed.get(found.path) != pygit2.hash(found.data)

    def result(self) -> WorkTreeEdits:
        """What came out, when every file was taken in."""
        missing = set(filter(is_valid, self.committed.keys() - self.there))
        if len(missing) > max(_FREE_DELETIONS, _LOST_SHARE * len(self.committed)):
            lost = "is missing with most other files: the work tree seems to be lost"
            return self._sorted(self.edits, self.refused | dict.fromkeys(sorted(missing), lost))
        return self._sorted(self.edits | dict.fromkeys((*missing, *self.links)), self.refused)

    @staticmethod
    def _sorted(edits: Mapping[str, bytes | None], refused: Mapping[str, str]) -> WorkTreeEdits:
        return WorkTreeEdits(edits=dict(sorted(edits.items())), refused=dict(refused))


def violations(path: str, data: bytes, base: Tree) -> Iterator[str]:
    """Say why what a person wrote may not become durable.

    They may write as they like; only what would break the repository or leak is refused.
    """
    try:
        text = decode(data, path)
    except FrontMatterInvalid as error:
        yield str(error).removeprefix(f"{path} ")
        return
    if marker := conflict_marker(text):
        line = text.split("\n").index(marker) + 1
        yield f"holds a conflict marker ({marker[:7]}) in line {line}"
    if violation := header_violation(text, path, text_before(base, path)):
        yield violation
    yield from secret_violation(path, text)


def secret_violation(path: str, text: str) -> Iterator[str]:
    """Say where a text, or else its name, looks like a secret. The secret is never repeated."""
    if findings := scan(text):
        line = text.count("\n", 0, findings[0].start) + 1
        yield f"holds something that looks like a secret ({findings[0].kind}) in line {line}"
    elif kind := name_secret_kind(path):
        yield f"has a name that looks like a secret ({kind})"
