import pytest

from vademecum.learners.extractive.contradictions import supersedes
from vademecum.learners.extractive.similarity import meaning

#: (older, newer): the newer takes the place of the older.
REPLACED = [
    ("use npm here", "use pnpm here"),
    ("use tabs for indentation", "use spaces for indentation"),
    ("keep lines under 80 characters", "keep lines under 120 characters"),
    ("never commit the lock file", "commit the lock file"),
    ("use redis for the cache", "don't use redis for the cache"),
    ("write commit messages in German", "write commit messages in English"),
    ("run the e2e suite before every push", "no longer run the e2e suite before a push"),
]
#: Both hold.
COMPATIBLE = [
    ("use pnpm here", "use tabs for indentation"),
    ("never commit the lock file", "commit small changes"),
    ("keep lines under 80 characters", "keep functions under 40 lines"),
    ("use English in commit messages", "use German in the user interface"),
    ("run the linter before every commit", "run the tests before every commit"),
    ("never edit migrations by hand", "write a migration for every schema change"),
]


def replaces(newer, older):
    return supersedes(meaning(newer), newer, meaning(older))


@pytest.mark.parametrize(("older", "newer"), REPLACED)
def test_a_newer_statement_takes_the_place_of_what_it_contradicts(older, newer):
    assert replaces(newer, older)


@pytest.mark.parametrize(("older", "newer"), COMPATIBLE)
def test_statements_that_can_both_hold_stay(older, newer):
    assert not replaces(newer, older)


@pytest.mark.parametrize("rule", sorted({rule for pair in REPLACED + COMPATIBLE for rule in pair}))
def test_a_statement_does_not_contradict_itself(rule):
    assert not replaces(rule, rule) or "no longer" in rule
