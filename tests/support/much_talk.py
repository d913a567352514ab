"""Composed sessions in any number, for measurements of the search: words as frequent as people use them."""

import itertools
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from vademecum.sessions import Message, Role, Session

__all__ = ["START", "questions", "talk"]

START = datetime(2026, 1, 1, tzinfo=UTC)
SYLLABLES = ("ba", "co", "du", "fe", "gi", "ka", "lo", "mu", "ne", "pi", "ra", "so", "tu", "ve", "wi", "xa", "yo", "zu")
STOP_WORDS = (
    "the",
    "to",
    "a",
    "of",
    "and",
    "in",
    "is",
    "it",
    "you",
    "that",
    "for",
    "on",
    "with",
    "this",
    "we",
    "be",
    "are",
)
IDENTIFIERS = ("parseTree", "src/app/main.py", "max_retry_count", "HTTPServer", "docker-compose", "部署脚本", "pnpm")


class Language:
    """Words as frequent as in natural language (Zipf): stop words first, some identifiers early, then invented ones."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        invented = ["".join(self.rng.choices(SYLLABLES, k=self.rng.randint(2, 4))) for _ in range(20_000)]
        self.words = [*STOP_WORDS, *invented[:20], *IDENTIFIERS, *invented[20:]]
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(1, len(self.words) + 1)))

    def text(self, length: int) -> str:
        return " ".join(self.rng.choices(self.words, cum_weights=self.weights, k=length))


def talk(messages: int, *, projects: int = 9, seed: int = 7) -> Iterator[Session]:
    """Sessions of forty messages: short human ones (about 120 characters), longer answers (about 600)."""
    language = Language(seed)
    for number in range(messages // 40):
        yield Session(
            id=f"session-{number}",
            host="host",
            cwd=f"/work/project-{number % projects}",
            branch=None,
            started_at=START,
            updated_at=START + timedelta(hours=number),
            parent_id=None,
            messages=tuple(
                Message(
                    id=str(turn),
                    index=turn,
                    role=Role.HUMAN if turn % 2 else Role.FINAL,
                    text=language.text(20 if turn % 2 else 100),
                )
                for turn in range(1, 41)
            ),
        )


def questions(count: int) -> list[str]:
    """Eight words each, as frequent as the words of any sentence, stop words among them."""
    language = Language(7)
    language.rng.seed(11)
    return [language.text(8) for _ in range(count)]
