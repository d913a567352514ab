"""Hand edits: what a person changed in the work tree without a commit, and what of it may become memory as theirs."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pygit2

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.homes import misspelling
from vademecum.memfs.paths import is_valid
from vademecum.memfs.records import Commit
from vademecum.memfs.rules import conflict_marker, header_violation, name_secret_kind, text_before
from vademecum.memfs.text import decode
from vademecum.memfs.tree import Tree
from vademecum.memfs.walking import FoundFile, walk
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


def find_hand_edits(folder: Path, base: Tree) -> WorkTreeEdits:
    """Compare the memory files of a work tree with `base`. Files that are no memory files are not looked at."""
    edits: dict[str, bytes | None] = {}
    refused: dict[str, str] = {}
    known = frozenset(path for path in base.paths() if is_valid(path))
    missing = set(known)
    links = {path for path in base.links() if is_valid(path)}
    for found in walk(folder, skip=".git"):
        missing.discard(found.path)
        if found.path in links:
            links.discard(found.path)
            if found.irregular:
                refused[found.path] = f"{found.irregular}, and committed as one: delete it, then run `vade adopt`"
                continue
        if found.path not in known and not is_valid(found.path):
            if found.path.endswith(".md") and _differs(found, base) and (reason := misspelling(found.path)):
                refused[found.path] = f"has a name that is taken: {reason}"
            continue
        if found.irregular:
            refused[found.path] = found.irregular
        elif _differs(found, base):
            reason = next(violations(found.path, found.data, base), None)
            if reason:
                refused[found.path] = reason
            else:
                edits[found.path] = found.data
    if len(missing) > max(_FREE_DELETIONS, _LOST_SHARE * len(base.paths())):
        refused |= dict.fromkeys(sorted(missing), "is missing with most other files: the work tree seems to be lost")
    else:
        edits |= dict.fromkeys((*missing, *links))
    return WorkTreeEdits(edits=dict(sorted(edits.items())), refused=refused)


def _differs(found: FoundFile, base: Tree) -> bool:
    # By the name that git would give it: among thousands of files, reading each from the object store costs most.
    return not base.has(found.path) or base.blob_id(found.path) != str(pygit2.hash(found.data))


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
