from collections.abc import Callable
from pathlib import Path

import pytest

from support.two_projects import learned_from_both
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.sessions import Origin
from vademecum.toolbox import Answer, Confirm, call_tool


@pytest.fixture
def learned(tmp_path: Path) -> Memory:
    """A memory of two sessions in two programs and two projects."""
    return learned_from_both(tmp_path)


@pytest.fixture
def id_of(learned: Memory) -> Callable[[str], str]:
    """The id of the session that was held in a directory."""
    return lambda cwd: next(row.id for row in learned.sessions() if row.cwd == cwd)


@pytest.fixture
def ask(learned: Memory) -> Callable[..., Answer]:
    """Call a tool of the learned memory as an agent does, in a session of its own."""

    def call(_tool: str, *, caller: str | None = "s-1", confirm: Confirm | None = None, **arguments: object) -> Answer:
        return call_tool(learned, _tool, arguments, AskedBy(origin=Origin.MODEL, session=caller), confirm=confirm)

    return call
