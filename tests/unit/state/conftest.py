from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vademecum.state import Record, State

MORNING = datetime(2026, 11, 2, 8, tzinfo=UTC)


@pytest.fixture
def morning() -> datetime:
    return MORNING


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path / "state.db") as opened:
        yield opened


@pytest.fixture
def compose() -> Callable[..., Record]:
    """Compose a record whose version is `minute` minutes after the start."""

    def build(session_id: str = "s1", minute: int = 0, **fields: object) -> Record:
        values = {
            "session_id": session_id,
            "host": "host",
            "cwd": "/work/shop/src",
            "project": "/work/shop",
            "branch": "main",
            "started_at": MORNING,
            "updated_at": MORNING + timedelta(minutes=minute),
            "outcome": "success",
            "slug": "fix-build",
            "stem": f"2026-11-02T08-00-00-{session_id}-fix-build",
            "raw_memory": "raw",
            "rollout_summary": "recap",
            "learner": "extractive/1",
            "extracted_at": MORNING,
        }
        return Record(**values | fields)

    return build
