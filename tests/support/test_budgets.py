"""A row of `make bench` says whether its budget was met, and by which figure."""

import pytest

from support.budgets import Row, best_median


def row(judged: float, budget: float | None, *, rising: bool) -> Row:
    return Row(what="x", unit="ms", median=judged, judged=judged, best=judged, budget=budget, rising=rising)


@pytest.mark.parametrize(
    ("judged", "budget", "rising", "met"),
    [(5, 5, False, "yes"), (6, 5, False, "NO"), (5, 5, True, "yes"), (4, 5, True, "NO"), (4, None, False, "")],
)
def test_a_budget_is_the_most_or_the_least(judged: float, budget: float | None, rising: bool, met: str):
    assert row(judged, budget, rising=rising).met == met


def test_the_median_of_the_quietest_third_is_judged():
    """One lucky round meets no budget, and one noisy stretch misses none."""
    assert best_median([1, 9, 9, 5, 5, 5, 90, 90, 90]) == 5


def test_few_rounds_are_enough_for_a_median():
    assert best_median([3]) == 3
