"""Before an edit: which file is meant, whether it may be edited, and where its body begins. The same for every tool."""

from typing import NamedTuple

from vademecum.errors import (
    AlreadyExists,
    FrontMatterInvalid,
    NotFound,
    ReadOnly,
    RefusedError,
    UnsafePath,
    UsageError,
)
from vademecum.memfs.commits.meant import Meant, require_meant
from vademecum.memfs.operations.staged import EditRules
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.homes import HOMES, PAGES
from vademecum.memfs.pages.paths import normalise
from vademecum.memfs.pages.rules import belongs_to_person, is_read_only
from vademecum.memfs.pages.text import text_violation

__all__ = ["Parts", "find_meant", "free_page", "page", "parts_of", "read_editable", "refuse_blank"]


class Parts(NamedTuple):
    """A file's text, cut where its body begins; joined again it is the same."""

    #: With both its fences; empty when there is none.
    header: str
    body: str

    @property
    def body_line(self) -> int:
        """The file line (from 1) on which the body begins."""
        return self.header.count("\n") + (1 if not self.header or self.header.endswith("\n") else 2)


def refuse_blank(command: str, **fields: str) -> None:
    """Refuse arguments that hold nothing but blanks; raises `UsageError`, which names the command and the field."""
    for field, value in fields.items():
        if not value.strip():
            raise UsageError(f"{command}: {field} is blank")


def page(text: str, files: Files, rules: EditRules, *, command: str, field: str = "path") -> str:
    """Return the path of the markdown file that is meant, whether or not it is there.

    Raises
    ------
    UsageError: it is blank.
    UnsafePath: it is no memory path, or names no markdown file.
    ReadOnly: only a person may change it, and somebody else asks.
    """
    refuse_blank(command, **{field: text})
    path = normalise(text, root=rules.root, files=files)
    if not path.endswith(".md"):
        raise UnsafePath(f"{path} is no markdown file; tools edit nothing else", paths=(path,))
    _refuse_protected(path, rules)
    return path


def free_page(text: str, files: Files, rules: EditRules, *, command: str, field: str = "path") -> str:
    """As `page`, for a file that is to be made; raises `AlreadyExists`, and `RefusedError` where no page belongs."""
    path = page(text, files, rules, command=command, field=field)
    if files.has(path):
        raise AlreadyExists(f"{path} exists already", paths=(path,))
    if not PAGES.fullmatch(path):
        raise RefusedError(f"{path} lies where no page belongs", next_step=f"Choose a name in {HOMES}.", paths=(path,))
    return path


def read_editable(path: str, files: Files, rules: EditRules) -> str:
    """Return the text of a file that may be edited.

    Raises
    ------
    NotFound: there is no such file.
    ReadOnly: it is marked so, or belongs to the person.
    FrontMatterInvalid: it is not text with the line ends of memory.
    """
    _refuse_protected(path, rules)
    if not files.has(path):
        raise NotFound(f"there is no {path}", paths=(path,))
    text = files.read(path)
    if is_read_only(text):
        raise ReadOnly(f"{path} is marked read_only", paths=(path,))
    if found := text_violation(text):
        raise FrontMatterInvalid(f"{path} {found}", paths=(path,))
    return text


def parts_of(text: str, path: str) -> Parts:
    """Cut a file's text where its body begins; raises `FrontMatterInvalid` for a header that is never closed."""
    header = front_matter.header_of(text)
    if header is None and text.partition("\n")[0].rstrip() == "---":
        raise FrontMatterInvalid(f"{path}: the header is not closed by a line ---", paths=(path,))
    header = header or ""
    return Parts(header, text[len(header) :])


def find_meant(text: str, files: Files, rules: EditRules, *, command: str, field: str = "path") -> Meant:
    """Return the file or folder that is meant. `.md` or a slash at the end says which, where both are there.

    Raises
    ------
    UsageError: it is blank, or a file and a folder are there.
    UnsafePath: no memory path is or lies there, or it is the whole memory.
    NotFound: there is neither.
    """
    refuse_blank(command, **{field: text})
    meant = require_meant(text, files.paths(), root=rules.root, missing="there is no file or folder {} in memory")
    if not meant.path:
        raise UnsafePath(f"{command}: {text.strip()!r} is the whole memory", next_step="Name a file or a folder in it.")
    return meant


def _refuse_protected(path: str, rules: EditRules) -> None:
    if not rules.is_person and belongs_to_person(path):
        raise ReadOnly(f"{path} belongs to the person; only they may add, change or delete it", paths=(path,))
