"""Who described a page: what an agent wrote about one by itself stands in no context before a person has looked at it.

    ---
    description: How we deploy
    described_by: agent
    ---

The mark goes when a person describes the page (`vade memory describe`), or takes the line out by hand.
"""

from collections.abc import Mapping
from typing import Any

from vademecum.artifacts.skills import is_skill
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import Tree, front_matter

__all__ = ["described_by", "is_described_by_agent"]

_KEY, _AGENT, _DESCRIPTION = "described_by", "agent", "description"


def is_described_by_agent(meta: Mapping[str, Any]) -> bool:
    """Whether a header says that its description is an agent's."""
    return _KEY in meta


def described_by(edits: Mapping[str, str | None], tree: Tree, *, is_person: bool) -> dict[str, str]:
    """The pages among these edits whose mark is not right yet, as they are to be.

    A description is judged new where no page that the edit touches had it before: a page that moves keeps its mark.
    """
    known = [meta for path in edits if tree.has(path) and (meta := _meta(tree.read(path)))]
    # Blocks wait for review, and skills are drafts: a person looks at both before anybody is given them.
    free = ((path, text) for path, text in edits.items() if text is not None and not _is_looked_at(path))
    found = ((path, text, _meta(text)) for path, text in free)
    judged = ((path, text, meta, _judged(meta, known, is_person=is_person)) for path, text, meta in found if meta)
    return {path: _with_meta(text, right) for path, text, meta, right in judged if right != meta}


def _is_looked_at(path: str) -> bool:
    return path.startswith("system/") or is_skill(path)


def _judged(meta: dict[str, Any], known: list[dict[str, Any]], *, is_person: bool) -> dict[str, Any]:
    before = next((one for one in known if one.get(_DESCRIPTION) == meta.get(_DESCRIPTION)), None)
    rest = {key: value for key, value in meta.items() if key != _KEY}
    is_marked = not is_person if before is None else is_described_by_agent(before)
    if is_person and before is not None:
        return meta  # a person may take the line out
    return {**rest, _KEY: _AGENT} if is_marked else rest


def _meta(text: str) -> dict[str, Any]:
    try:
        meta = front_matter.parse(text).meta
    except FrontMatterInvalid:
        return {}  # the check of headers refuses it, or names it where the file is shown
    return meta if _DESCRIPTION in meta else {}


def _with_meta(text: str, meta: dict[str, Any]) -> str:
    return front_matter.render(front_matter.Document(meta=meta, body=front_matter.parse(text).body))
