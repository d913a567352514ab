import pytest

from vademecum.learners.extractive.contradictions import supersedes
from vademecum.learners.extractive.similarity import has_reversal, meaning

#: (older, newer): the newer takes the place of the older.
REPLACED = [
    ("use npm here", "use pnpm here"),
    ("use tabs for indentation", "use spaces for indentation"),
    ("keep lines under 80 characters", "keep lines under 120 characters"),
    ("never commit the lock file", "commit the lock file"),
    ("use redis for the cache", "don't use redis for the cache"),
    ("write commit messages in German", "write commit messages in English"),
    ("indent with tabs", "from now on 2 spaces for indentation"),
    ("please reply in one sentence", "from now on explain in depth"),
    ("the admin console listens on 4100 because grafana has 3000", "we had to change the admin console port, use 4200"),
    ("run the e2e suite before every push", "no longer run the e2e suite before a push"),
    ("use python 3.11", "use python 3.12"),
    ("use node 18", "we are on node 20 now"),
    ("keep functions under 40 lines", "functions should be at most 60 lines"),
    ("never exceed 80 columns", "never exceed 100 columns"),
    ("run the tests with 4 workers", "run the tests with 8 workers"),
    ("from now on the dev server runs on port 5442, 3000 is taken", "the dev server moved, its port 6001 from now on"),
    ("Zeilen höchstens 80 Zeichen", "Zeilen höchstens 100 Zeichen"),
    ("每行不超过80个字符", "每行不超过100个字符"),
]
#: Both hold.
COMPATIBLE = [
    ("use pnpm here", "use tabs for indentation"),
    ("never commit the lock file", "commit small changes"),
    ("keep lines under 80 characters", "keep functions under 40 lines"),
    ("use English in commit messages", "use German in the user interface"),
    ("run the linter before every commit", "run the tests before every commit"),
    ("answer in one sentence", "write changelog entries in detail"),
    ("keep the build folder out of git", "keep the cache directory out of the image"),
    ("never edit migrations by hand", "write a migration for every schema change"),
    ("never touch migration 0012", "never touch migration 0013"),
    ("never touch 0012_users.sql", "never touch 0013_orders.sql"),
    ("keep lines below 100 in Python", "keep lines below 80 in docs"),
    ("use port 3000 for web", "use port 4000 for api"),
    ("never use port 3000", "never use port 4000"),
    ("always run check number 1 before you commit", "always run check number 2 before you commit"),
    ("never run the server on port 3000", "never run the server on port 4000"),
    ("wait 5 seconds before a retry", "wait 10 seconds before a retry in CI"),
    ("read ADR 7 before you change the cart", "read ADR 9 before you change the cart"),
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
    assert not replaces(rule, rule) or has_reversal(rule)


def test_numbers_that_tell_things_apart_are_no_values_that_change():
    assert not replaces("always run lint step 3 before you push", "always run lint step 2 before you push")
    assert replaces("the dev server listens on port 6001", "the dev server listens on port 5442")


def test_a_bare_choice_leaves_rules_that_only_name_an_alternative():
    assert not replaces("we use pnpm, not npm", "always run the tests with bun run test:unit")
    assert replaces("we use pnpm", "we use bun")
