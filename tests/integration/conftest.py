from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from support.product import Product, ruled

#: What memory holds where a test asks for `learned` and says nothing else.
ONE_RULE = "always answer with the word xylophonist here"


@pytest.fixture
def product(tmp_path: Path) -> Product:
    return Product(tmp_path)


@pytest.fixture
def learned(product: Product) -> Product:
    """A memory that holds one rule of one session."""
    product.tell(ruled(ONE_RULE, label="first"))
    product.learn()
    return product


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
