from datetime import UTC, datetime, timedelta

import pytest

from support.memfs import create
from support.staging import staged
from vademecum.learning import Window
from vademecum.locks import Locks
from vademecum.sessions import Message, Role, Session
from vademecum.state import State

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def window():
    """Six hours of quiet, ninety days back."""
    return Window(now=NOW, idle=timedelta(hours=6), age=timedelta(days=90))


@pytest.fixture
def state(tmp_path):
    with State.open(tmp_path / "state.db") as opened:
        yield opened


@pytest.fixture
def compose():
    """Compose a session that ended so many hours before now, in which these words were said."""

    def build(*said, hours_ago=24, session_id="s1", **changes):
        end = NOW - timedelta(hours=hours_ago)
        words = said or ((Role.HUMAN, "always use pnpm"),)
        messages = tuple(
            Message(id=str(n), index=n, role=role, text=text, at=end) for n, (role, text) in enumerate(words, 1)
        )
        values = {
            "id": session_id,
            "host": "a-host",
            "cwd": "/srv/shop",
            "branch": "main",
            "started_at": end - timedelta(hours=1),
            "updated_at": end,
            "parent_id": None,
            "messages": messages,
        }
        return Session(**values | changes)

    return build


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


@pytest.fixture
def stage(memory, state, tmp_path):
    return staged(memory, state, Locks(tmp_path / "locks"), tmp_path / "drafts")
