"""The evaluation stories end to end: what a person said is remembered, and nothing else is.

`make eval` prints the same verdicts as a table, for any seed. The tests of language say how many expectations were
missed and not which: whoever works on the rules stays blind to the phrases.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from stories.judging import Verdict, judge
from stories.running import run_story
from stories.tales import STORIES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SEED = 0
#: Measures in which a single miss is a defect, whatever the words.
NEVER_MISSED = (
    "deleted lines stay away",
    "junk gives no record",
    "leak compaction summary",
    "leak host order",
    "leak other agent",
    "leak private words",
    "leak proposal",
    "leak secret",
    "leak taken back or off",
    "leak to other projects",
    "leak tool order",
    "reworded lines stay",
    "second learn changes nothing",
)
#: Measures of language, in which rules can only be good: the least share of expectations that must be met. A
#: ratchet: raise one when the rules become better, never lower it.
LEAST_SHARE = {
    "at most twice the planted": 0.97,
    "recall rule": 0.9,
    "recall habit": 0.7,
    "recall correction": 0.9,
    "recall repeat": 0.8,
    "recall in other languages": 0.8,
    "general rules in other projects": 0.9,
    "reversals": 0.9,
    "know-how in the handbook": 0.75,
    "precision": 0.9,
    "leak one-off": 0.98,
}
#: What only sounds like a rule; few of each, so they are counted together.
NOISE = ("bug", "joke", "maybe", "past", "paste", "question", "quote", "zh_noise")
LEAST_SHARE_OF_NOISE = 0.95

_by_measure: dict[str, list[Verdict]] = {}


@pytest.fixture
def verdicts(tmp_path_factory) -> dict[str, list[Verdict]]:
    """All verdicts by measure; the stories run once, inside the first test that asks (where the home is closed)."""
    if not _by_measure:
        today = datetime.now(UTC).date()
        for number, story in enumerate(STORIES):
            told, outcome = run_story(number, story, SEED, tmp_path_factory.mktemp("story"), today)
            for verdict in judge(told, outcome):
                _by_measure.setdefault(verdict.measure, []).append(verdict)
    return _by_measure


def share_of(verdicts: Iterable[Verdict]) -> float:
    met = [verdict.met for verdict in verdicts]
    return sum(met) / len(met)


@pytest.mark.parametrize("measure", NEVER_MISSED)
def test_no_story_misses(measure: str, verdicts):
    """Leaks, secrets, junk and a restless second run are defects wherever they occur."""
    assert [verdict.detail for verdict in verdicts[measure] if not verdict.met] == []


@pytest.mark.parametrize("measure", LEAST_SHARE)
def test_most_of_what_people_say_is_understood(measure: str, verdicts):
    """Rules, habits, corrections, repeated requests and reversals are kept, in the places where they hold."""
    assert share_of(verdicts[measure]) >= LEAST_SHARE[measure]


def test_what_only_sounds_like_a_rule_is_not_kept(verdicts):
    """Questions, hypotheticals, quotes, bug reports, irony and pasted text are no preferences."""
    noise = (verdict for name in NOISE for verdict in verdicts[f"leak {name}"])
    assert share_of(noise) >= LEAST_SHARE_OF_NOISE
