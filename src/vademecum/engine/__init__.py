"""The facade: open an identity, join the flows. The only room that knows learning, recall and the stores at once.

What learning needs is imported when it is first asked for: a command that only reads starts without it.
"""

from typing import TYPE_CHECKING

from vademecum.engine.answers import (
    Decision,
    Edit,
    Listing,
    ProposalRow,
    ProposalView,
    Reading,
    SessionRow,
    Status,
)
from vademecum.engine.memory import FIRST_STEP, Memory

if TYPE_CHECKING:
    from vademecum.engine.editing import AskedBy, Editor
    from vademecum.engine.learn import LearnReport, LearnRequest

__all__ = [
    "FIRST_STEP",
    "AskedBy",
    "Decision",
    "Edit",
    "Editor",
    "LearnReport",
    "LearnRequest",
    "Listing",
    "Memory",
    "ProposalRow",
    "ProposalView",
    "Reading",
    "SessionRow",
    "Status",
]


def __getattr__(name: str) -> object:
    if name in ("LearnReport", "LearnRequest"):
        from vademecum.engine import learn

        return getattr(learn, name)
    if name in ("AskedBy", "Editor"):
        from vademecum.engine import editing

        return getattr(editing, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
