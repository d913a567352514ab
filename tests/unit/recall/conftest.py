from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from pathlib import Path

import pytest

from vademecum.recall.index import SearchIndex
from vademecum.sessions import Message, Role, Session

START = datetime(2026, 11, 2, tzinfo=UTC)


@dataclass
class FakeTree:
    """Committed memory, as text by path."""

    files: dict[str, str]
    reads: list[str] = field(default_factory=list)

    @property
    def revision(self) -> str:
        return sha1(repr(sorted(self.files.items())).encode()).hexdigest()

    def paths(self) -> list[str]:
        return sorted(self.files)

    def blob_id(self, path: str) -> str:
        return sha1(self.files[path].encode()).hexdigest()

    def read(self, path: str) -> str:
        self.reads.append(path)
        return self.files[path]


@pytest.fixture
def tree() -> Callable[..., FakeTree]:
    return FakeTree


@pytest.fixture
def talk() -> Callable[..., Session]:
    """A session whose messages alternate between the human and the assistant; `day` is its version."""

    def build(session_id: str, *texts: str, day: int = 0, **fields: object) -> Session:
        moment = START + timedelta(days=day)
        roles = (Role.HUMAN, Role.FINAL)
        messages = tuple(
            Message(id=str(n), index=n, role=roles[(n + 1) % 2], text=text) for n, text in enumerate(texts, 1)
        )
        facts = {"host": "h", "cwd": "/srv/shop", "branch": None, "started_at": START, "parent_id": None} | fields
        return Session(id=session_id, updated_at=moment, messages=messages, **facts)

    return build


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    with SearchIndex.open(tmp_path / "search.db") as opened:
        yield opened
