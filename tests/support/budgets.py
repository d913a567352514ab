"""One row of `make bench`: what was measured, beside its budget.

A machine is never quiet. So a row holds the median of all rounds, the best round, and the best of three medians of
consecutive rounds; the last one meets the budget or not. A budget belongs to a row or there is none; no row fails.
"""

import statistics
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Row", "best_median", "note_count", "note_milliseconds", "note_row", "note_speed"]

_BATCHES = 3
_ROWS = "rows"


@dataclass(frozen=True, kw_only=True)
class Row:
    """Figures of one measurement, all in the same unit."""

    what: str
    unit: str
    median: float
    #: The best of three medians: what is held against the budget.
    judged: float
    best: float
    budget: float | None = None
    #: Whether more is better: the budget is then the least, else the most.
    rising: bool = False
    #: What was measured, where the figure depends on it.
    mix: str = ""

    @property
    def met(self) -> str:
        """`yes`, `NO`, or empty without a budget."""
        if self.budget is None:
            return ""
        return "yes" if (self.judged >= self.budget if self.rising else self.judged <= self.budget) else "NO"

    @property
    def budget_words(self) -> str:
        """The budget with its direction, or empty."""
        return "" if self.budget is None else f"{'>=' if self.rising else '<='} {self.budget:g}"


def best_median(rounds: Iterable[float]) -> float:
    """The lowest median of up to three batches of consecutive rounds."""
    values = list(rounds)
    size = -(-len(values) // _BATCHES)
    return min(statistics.median(values[start : start + size]) for start in range(0, len(values), size))


def note_row(benchmark: Any, row: Row) -> None:
    """Hand a row to `make bench`, which reads the report of pytest-benchmark."""
    benchmark.extra_info.setdefault(_ROWS, []).append(asdict(row))


def note_milliseconds(benchmark: Any, what: str, *, at_most: float | None = None, mix: str = "") -> None:
    """A round took so long."""
    _note_rounds(benchmark, lambda seconds: seconds * 1e3, what=what, unit="ms", budget=at_most, mix=mix)


def note_speed(
    benchmark: Any, what: str, amount: float, unit: str, *, at_least: float | None = None, mix: str = ""
) -> None:
    """A round got through `amount` of something; `unit` names it per second."""
    figures = {"what": what, "unit": unit, "budget": at_least, "rising": True, "mix": mix}
    _note_rounds(benchmark, lambda seconds: amount / seconds, **figures)


def note_count(
    benchmark: Any, what: str, figure: float, unit: str, *, at_most: float | None = None, mix: str = ""
) -> None:
    """A figure that was taken once."""
    note_row(benchmark, Row(what=what, unit=unit, median=figure, judged=figure, best=figure, budget=at_most, mix=mix))


def _note_rounds(benchmark: Any, figure: Callable[[float], float], **fields: Any) -> None:
    seconds = benchmark.stats.stats.data
    median, judged, best = statistics.median(seconds), best_median(seconds), min(seconds)
    note_row(benchmark, Row(median=figure(median), judged=figure(judged), best=figure(best), **fields))
