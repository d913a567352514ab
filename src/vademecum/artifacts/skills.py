"""Skills: procedures for agents. One that an agent wrote is a draft until a person makes it active.

    ---
    name: release
    description: How a release is made here
    status: draft
    ---

`status` is `active` (so is a skill without one), `draft` or `deprecated`; no context offers the last two.
"""

import re
from collections.abc import Iterator

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import Tree, front_matter

__all__ = ["as_draft", "draft_skills", "is_offered", "is_skill"]

_FOLDER = "skills/"
_SKILL = re.compile(rf"{_FOLDER}(?:.+/)?SKILL\.md")
_DRAFT = "draft"
_NOT_OFFERED = frozenset({_DRAFT, "deprecated"})


def is_skill(path: str) -> bool:
    """Whether the path is the page of a skill."""
    return _SKILL.fullmatch(path) is not None


def as_draft(text: str) -> str:
    """The page as an agent may leave it: waiting for a person. One whose header cannot be read stays as it is."""
    try:
        document = front_matter.parse(text)
    except FrontMatterInvalid:
        return text  # the check of headers refuses it
    if not document.meta or _status(document) == _DRAFT:
        return text
    meta = {**document.meta, "status": _DRAFT}
    return front_matter.render(front_matter.Document(meta=meta, body=document.body))


def is_offered(tree: Tree, path: str) -> bool:
    """Whether agents may be told of the file: not of a skill that waits or is out of use, nor of what lies by it."""
    page = _page_of(tree, path)
    return page is None or _status_at(tree, page) not in _NOT_OFFERED


def draft_skills(tree: Tree) -> Iterator[str]:
    """The skills of a revision that wait for a person."""
    return (path for path in tree.below(_FOLDER) if is_skill(path) and _status_at(tree, path) == _DRAFT)


def _page_of(tree: Tree, path: str) -> str | None:
    """The page of the skill that a file belongs to."""
    parts = path.split("/")
    if parts[0] != "skills":
        return None
    pages = ("/".join([*parts[:depth], "SKILL.md"]) for depth in range(len(parts) - 1, 0, -1))
    return next((page for page in pages if tree.has(page)), None)


def _status_at(tree: Tree, path: str) -> str:
    try:
        return _status(front_matter.parse(tree.read(path)))
    except FrontMatterInvalid:
        return ""  # a header that cannot be read is named where the file is shown


def _status(document: front_matter.Document) -> str:
    return str(document.meta.get("status", "")).strip().lower()
