"""Memory paths: one validator for all writers, one reader of what people and tools type, one check for collisions.

A memory path is relative, normalised, names a markdown file, and means the same file on every file system: no name that
Windows reserves, no characters that a terminal or a file system would hide or change, no two spellings of one name. The
names that memory itself goes by exist in one spelling only: see `vademecum.memfs.pages.homes`.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from vademecum.errors import UnsafePath
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.homes import misspelling
from vademecum.memfs.pages.unseen import unseen_in

__all__ = [
    "MAX_PATH_BYTES",
    "collision_words",
    "collisions",
    "is_root",
    "is_valid",
    "normalise",
    "normalise_folder",
    "refuse_folder",
    "relative",
    "validate",
]

#: Longest path in UTF-8 bytes: below Windows' 260 characters with room for a home folder in front.
MAX_PATH_BYTES = 180

#: Longest component in UTF-8 bytes: below the usual 255 with room for a temporary suffix.
MAX_COMPONENT_BYTES = 120

_WINDOWS_CHARACTERS = frozenset('<>:"|?*')

# "Naming Files, Paths, and Namespaces" of the Windows documentation; the superscript digits count as digits there.
_WINDOWS_NAMES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE)

# Git's short name on FAT, refused by git itself: core.protectNTFS.
_GIT_SHORT_NAME = re.compile(r"git~\d+$", re.IGNORECASE)

_SCOPE_FILE = re.compile(r"extensions/[^/]+/resources/(?:[^/]+/)*scope\.json$")

_INSIDE = "Use a path inside the memory, such as reference/name.md."
_PORTABLE = "Choose a name that every system can store, such as reference/name.md: short, of letters, digits, - and _."
_MARKDOWN = "Give it a name that ends in .md."

# Control, format (zero-width, bidi, tags), surrogate, private and unassigned characters, line and paragraph separators.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class _Violation(NamedTuple):
    """A rule that a path breaks."""

    reason: str
    next_step: str


def validate(path: str) -> str:
    """Return `path` unchanged when it is a memory path.

    Raises
    ------
    UnsafePath: it is not; the message names the first rule that it breaks.
    """
    violation = _violation(path)
    if violation:
        raise UnsafePath(f"{path!r}: {violation.reason}", next_step=violation.next_step, paths=(path,))
    return path


def is_valid(path: str) -> bool:
    """Say whether `validate` would accept `path`."""
    return _violation(path) is None


def normalise(text: str, *, root: Path, files: Files) -> str:
    """Return the memory path that a tool or a person means.

    Accepted besides a memory path itself: blanks around it, a leading `./`, an absolute path inside the repository, one
    leading `memory/` where the memory has no such folder, and a last part without `.md` when it has no dot at all.

    Parameters
    ----------
    root: the folder of the repository, or of the draft.

    Raises
    ------
    UnsafePath: it is no memory path even so.
    """
    path = relative(text, root, files.paths)
    name = path.rpartition("/")[2]
    return validate(f"{path}.md" if name and "." not in name else path)


def normalise_folder(text: str, *, root: Path, files: Files) -> str:
    """Return the folder that a tool or a person means, without a slash at its end; the root is the empty text.

    Raises
    ------
    UnsafePath: no memory path can lie below it.
    """
    if is_root(text, root):
        return ""
    folder = relative(text, root, files.paths).removesuffix("/")
    if not files.has(folder):  # else it is a file, as whoever takes files and folders will see
        refuse_folder(folder, text)
    return folder


def refuse_folder(folder: str, text: str) -> None:
    """Refuse a folder below which no memory path can lie; `text` is how it was written. Raises `UnsafePath`."""
    violation = _violation(f"{folder}/x.md")
    if violation:
        raise UnsafePath(f"{text!r}: {violation.reason}", next_step=violation.next_step, paths=(text,))


def is_root(text: str, root: Path) -> bool:
    """Say whether a tool or a person means the whole memory."""
    return text.strip().removesuffix("/") in {"", ".", *_spellings_of(root)} and text.strip() != "/"


def relative(text: str, root: Path, paths: Callable[[], Iterable[str]]) -> str:
    """Return what a tool or a person wrote as it reads from the root; `paths` lists the memory paths that there are."""
    path = text.strip()
    place = next((place for place in _spellings_of(root) if path.startswith(f"{place}/")), None)
    path = path.removeprefix("./" if place is None else f"{place}/")
    inner = path.removeprefix("memory/")
    if inner != path and not any(name.startswith("memory/") for name in paths()):
        return inner
    return path


def _spellings_of(root: Path) -> tuple[str, ...]:
    """The root as it was opened, and as the system writes it (a link above it is normal: /tmp on macOS)."""
    return str(root), os.path.realpath(root)


def collisions(added: Iterable[str], existing: Iterable[str]) -> dict[str, str]:
    """Map each path in `added` that some file system would take for another one to the spelling of that other.

    Two paths collide when they, or the folders above them, differ only in case or Unicode form, or when one names a
    file and the other a folder. Among `added`, the later one collides.
    """
    files, folders = _spellings(existing)
    found: dict[str, str] = {}
    for path in added:
        clash = _first_clash(path, files, folders)
        if clash:
            found[path] = clash
            continue
        files[_key(path)] = path
        for folder in _folders_above(path):
            folders.setdefault(_key(folder), folder)
    return found


def collision_words(other: str) -> str:
    """Say what `collisions` found about a path, without naming it."""
    # Nothing of ours may touch it, and without this word learning would stop there with nobody knowing why.
    advice = f"; rename {other} with `git mv`, and commit that" if misspelling(other) else ""
    return f"cannot stand beside {other}: some systems take them for one name{advice}"


def _violation(path: str) -> _Violation | None:
    return (
        _text_violation(path)
        or _root_violation(path)
        or _component_violations(path)
        or _suffix_violation(path)
        or _spelling_violation(path)
    )


def _spelling_violation(path: str) -> _Violation | None:
    found = misspelling(path)
    return _Violation(found, _PORTABLE) if found else None


def _text_violation(path: str) -> _Violation | None:
    if not path.strip():
        return _Violation("a path may not be blank", _INSIDE)
    if path.isascii() and path.isprintable():
        return _Violation("a path uses / between its parts", _INSIDE) if "\\" in path else None
    hidden = next((c for c in path if unicodedata.category(c) in _HIDDEN_CATEGORIES), None) or unseen_in(path)
    if hidden is not None:
        return _Violation(f"a path may not hold the invisible character U+{ord(hidden):04X}", _PORTABLE)
    if "\\" in path:
        return _Violation("a path uses / between its parts", _INSIDE)
    if unicodedata.normalize("NFC", path) != path:
        return _Violation("a path must be in Unicode form NFC", _PORTABLE)
    return None


def _root_violation(path: str) -> _Violation | None:
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return _Violation("a path is relative to the memory repository", _INSIDE)
    if path.startswith(("~", "$")):
        return _Violation("a path may not begin with the home folder or a variable", _INSIDE)
    if len(path.encode()) > MAX_PATH_BYTES:
        return _Violation(f"a path has at most {MAX_PATH_BYTES} bytes", _PORTABLE)
    return None


def _component_violations(path: str) -> _Violation | None:
    return next((found for name in path.split("/") if (found := _component_violation(name))), None)


def _component_violation(name: str) -> _Violation | None:
    if not name or name.startswith(".") or _GIT_SHORT_NAME.match(name):
        return _Violation(f"the part {name!r} is empty, hidden or leads elsewhere", _INSIDE)
    if name != name.strip() or name.endswith("."):
        return _Violation(f"the part {name!r} begins or ends with a space, or ends with a dot", _PORTABLE)
    if not _WINDOWS_CHARACTERS.isdisjoint(name):
        return _Violation(f'the part {name!r} holds one of < > : " | ? *', _PORTABLE)
    if _WINDOWS_NAMES.match(name):
        return _Violation(f"the part {name!r} names a device on Windows", _PORTABLE)
    if len(name.encode()) > MAX_COMPONENT_BYTES:
        return _Violation(f"a part of a path has at most {MAX_COMPONENT_BYTES} bytes", _PORTABLE)
    return None


def _suffix_violation(path: str) -> _Violation | None:
    if path.endswith(".md") or _SCOPE_FILE.match(path):
        return None
    return _Violation("a memory file ends in .md", _MARKDOWN)


def _spellings(paths: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    seen_parents: set[str] = set()
    for path in paths:
        files[_key(path)] = path
        parent = path.rpartition("/")[0]
        if parent not in seen_parents:
            seen_parents.add(parent)
            for folder in _folders_above(path):
                folders.setdefault(_key(folder), folder)
    return files, folders


def _first_clash(path: str, files: dict[str, str], folders: dict[str, str]) -> str | None:
    key = _key(path)
    if files.get(key, path) != path:
        return files[key]
    if key in folders:
        return folders[key] + "/"
    for folder in _folders_above(path):
        folder_key = _key(folder)
        if folder_key in files:
            return files[folder_key]
        if folders.get(folder_key, folder) != folder:
            return folders[folder_key] + "/"
    return None


def _folders_above(path: str) -> list[str]:
    return [path[:position] for position, character in enumerate(path) if character == "/"]


def _key(name: str) -> str:
    if name.isascii():
        return name.lower()
    # Folding can leave NFC (and decomposed marks fold differently), so normalise on both sides of it.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
