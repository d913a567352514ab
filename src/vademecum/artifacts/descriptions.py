"""Who named and described a page: what an agent says of one stands in no context before a person has looked at it.

    ---
    description: How we deploy
    described_by: agent
    ---

The mark goes when a person describes the page (`vade memory describe`), or takes the line out by hand. A skill has its
`status` for this (see `skills`), and a block under `system/` waits for review, so neither bears the mark.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from vademecum.artifacts.generated import GENERATED
from vademecum.artifacts.rollout_summary import ROLLOUT_FOLDER
from vademecum.artifacts.skills import as_draft, is_offered, is_skill
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import Tree, front_matter, is_block

__all__ = [
    "DESCRIBED_BY",
    "as_of_agent",
    "as_of_person",
    "is_described_by_agent",
    "is_listed",
    "unseen_pages",
    "unsettles",
]

#: The key of the header that says it.
DESCRIBED_BY = "described_by"
_AGENT = "agent"
_NOT_LISTED = (ROLLOUT_FOLDER, "extensions/")


def is_listed(path: str) -> bool:
    """Whether the context lists the file by name and description: it is neither injected nor generated."""
    return path.endswith(".md") and path not in GENERATED and not (is_block(path) or path.startswith(_NOT_LISTED))


def is_described_by_agent(meta: Mapping[str, Any]) -> bool:
    """Whether a header says that the page was named or described by an agent."""
    return DESCRIBED_BY in meta


def unseen_pages(tree: Tree) -> Iterator[str]:
    """The pages that bear the mark, so that no context names them."""
    paths = filter(_may_bear_mark, tree.paths())
    return (path for path in paths if is_described_by_agent(_meta(_read(tree, path))))


def unsettles(edits: Mapping[str, str | None], tree: Tree) -> bool:
    """Whether an edit takes its name or description from a page that a person made, described or approved."""
    settled = {path: _description_at(tree, path) for path in edits if is_listed(path) and _is_settled(path, tree)}
    after = {path: _description(text) for path, text in edits.items() if text is not None}
    moved = {description for path, description in after.items() if not tree.has(path)}
    return any(
        after[path] != description if path in after else description in moved for path, description in settled.items()
    )


def as_of_agent(edits: Mapping[str, str | None], tree: Tree) -> dict[str, str | None]:
    """The edits as an agent may leave them: new skills are drafts, and what it named or described bears the mark.

    It cannot take off a mark, or put one on a page that a person described.
    """
    return {path: None if text is None else _of_agent(path, text, tree) for path, text in edits.items()}


def as_of_person(edits: Mapping[str, str | None], tree: Tree) -> dict[str, str | None]:
    """The edits of a person: a description that is new is theirs, and a page that only moves is no better known."""
    known = {path: _description_at(tree, path) for path in edits if tree.has(path)}
    origins = {description: path for path, description in reversed(known.items())}
    judged = dict(edits)
    for path, text in edits.items():
        if text is not None and _may_bear_mark(path):
            description = _description(text)
            is_there = path in known and known[path] == description
            judged[path] = _of_person(text, path if is_there else origins.get(description), tree)
    return judged


def _of_agent(path: str, text: str, tree: Tree) -> str:
    before = _read(tree, path)
    if front_matter.violation(text, path):
        return text  # it may stay where it was so before; else the check of headers refuses it
    if is_skill(path):
        return text if _is_settled(path, tree) else as_draft(text)
    if not _may_bear_mark(path) or (before is not None and _header(before) == _header(text)):
        return text
    is_known = _is_settled(path, tree) and _description(before) == _description(text)
    return _without_mark(text) if is_known else _with_mark(text)


def _of_person(text: str, origin: str | None, tree: Tree) -> str:
    """`origin`: the page that had this description before, which may be the same."""
    if origin is None:
        return _without_mark(text)
    # A skill that waits would else leave its folder as a page that somebody has looked at.
    return _with_mark(text) if is_skill(origin) and not is_offered(tree, origin) else text


def _may_bear_mark(path: str) -> bool:
    return is_listed(path) and not is_skill(path)


def _is_settled(path: str, tree: Tree) -> bool:
    """Whether a person has looked at the page that stands there."""
    if not tree.has(path):
        return False
    return is_offered(tree, path) if is_skill(path) else DESCRIBED_BY not in _meta(_read(tree, path))


def _with_mark(text: str) -> str:
    meta = _meta(text)
    return text if meta.get(DESCRIBED_BY) == _AGENT else _with_meta(text, {**meta, DESCRIBED_BY: _AGENT})


def _without_mark(text: str) -> str:
    meta = _meta(text)
    rest = {key: value for key, value in meta.items() if key != DESCRIBED_BY}
    return text if rest == meta else _with_meta(text, rest)


def _with_meta(text: str, meta: dict[str, Any]) -> str:
    return front_matter.render(front_matter.Document(meta=meta, body=front_matter.parse(text).body))


def _header(text: str) -> str:
    return front_matter.header_of(text) or ""


def _description_at(tree: Tree, path: str) -> str | None:
    return _description(_read(tree, path))


def _description(text: str | None) -> str | None:
    description = _meta(text).get("description")
    return None if description is None else str(description)


def _meta(text: str | None) -> dict[str, Any]:
    try:
        return front_matter.parse(text or "").meta
    except FrontMatterInvalid:
        return {}  # the check of headers refuses it, or names it where the file is shown


def _read(tree: Tree, path: str) -> str | None:
    try:
        return tree.read(path) if tree.has(path) else None
    except FrontMatterInvalid:
        return None  # it is no text, so nothing of it is shown
