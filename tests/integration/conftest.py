from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from support.product import Product


@pytest.fixture
def product(tmp_path: Path) -> Product:
    return Product(tmp_path)


@pytest.fixture
def days_later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many days pass for the next passes of learning."""

    def move(days: float) -> None:
        class Later(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:
                return datetime.now(tz) + timedelta(days=days)

        monkeypatch.setattr("vademecum.engine.learn.datetime", Later)

    return move
