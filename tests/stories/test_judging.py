from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from stories.judging import View, judge, stands_on
from stories.model import ByHand, Sitting, Story, answer, say
from stories.running import STRANGER, Outcome
from stories.telling import Told, tell

CONTEXT = """\
<vademecum-memory nonce="0">
## User Profile
- works on the shop
## User preferences
- everywhere rule
### /home/dana/shop
- use pnpm here, never npm
## General Tips
- test with `make test`
## What's in Memory
### /home/dana/shop
- fix the marlin form
## Other files
- reference/x.md
</vademecum-memory nonce="0">
"""


def outcome(told: Told, *bullets: str, place: str = "a", home: Path = Path("nowhere")) -> Outcome:
    contexts = dict.fromkeys((*{sitting.project for sitting in told.story.sittings}, STRANGER), "## User preferences\n")
    contexts[place] += "\n".join(f"- {bullet}" for bullet in bullets)
    return Outcome(
        contexts=contexts,
        tokens=9,
        records=0,
        handbook=[],
        second_is_quiet=True,
        second_detail="",
        home=home,
    )


def misses(told: Told, result: Outcome) -> list[str]:
    return [verdict.measure for verdict in judge(told, result) if not verdict.met]


def told_of(*phrases: str, **fields) -> Told:
    sittings = tuple(Sitting("a", (say(phrase, take=0), answer("reply.ok"))) for phrase in phrases)
    return tell(Story(name="s", sittings=sittings, **fields), 0, date(2026, 11, 30))


def test_preferences_end_at_the_next_heading_of_their_level():
    assert View(CONTEXT).preferences == ["- everywhere rule", "- use pnpm here, never npm"]


def test_the_index_is_history_and_nothing_else_is():
    outside = View(CONTEXT).outside_index
    assert "- fix the marlin form" not in outside
    assert "- reference/x.md" in outside


@pytest.mark.parametrize(
    ("words", "line", "stands"),
    [
        (("pnpm", "npm"), "use pnpm, never npm", True),
        (("npm",), "use pnpm", False),
        (("quer",), "for new Queries", True),
        (("提交",), "不要自己提交代码", True),
    ],
)
def test_words_stand_on_a_line_from_their_left_edge(words, line, stands):
    assert stands_on(words, line) is stands


def test_a_rule_that_stands_where_it_was_said_is_no_miss():
    told = told_of("rule.pnpm")
    assert misses(told, outcome(told, "use pnpm here, never npm")) == []


def test_a_rule_that_is_nowhere_is_missed():
    told = told_of("rule.pnpm")
    assert misses(told, outcome(told)) == ["recall rule"]


def test_a_project_rule_in_another_place_is_a_leak_and_a_wrong_bullet():
    told = told_of("rule.pnpm")
    found = misses(told, outcome(told, "use pnpm here, never npm", place=STRANGER))
    assert found == ["recall rule", "leak to other projects", "precision", "at most twice the planted"]


def test_an_excerpt_of_what_was_said_counts_as_planted():
    told = told_of("rule.generated")
    assert "precision" not in misses(told, outcome(told, "dont touch them by hand", "its overwritten by make gen"))


def test_a_one_off_in_the_preferences_is_a_leak():
    told = told_of("ask.form")
    (forbidden,) = told.forbidden
    assert "leak one-off" in misses(told, outcome(told, f"fix the {forbidden.words[0]} form"))


def test_a_replaced_rule_may_not_stand_beside_the_new_one():
    told = told_of("rule.tabs", "rule.spaces", reversals=(("rule.tabs", "rule.spaces"),))
    new = "indent with 4 spaces from now on"
    assert "reversals" not in misses(told, outcome(told, new))
    assert "reversals" in misses(told, outcome(told, new, "indent with tabs in this project"))


@pytest.mark.parametrize(
    ("becomes", "bullets", "missed"),
    [
        ("", (), []),
        ("", ("use pnpm here, never npm",), ["deleted lines stay away"]),
        ("ask ada first", ("ask ada first",), []),
        ("ask ada first", (), ["reworded lines stay"]),
        ("ask ada first", ("ask ada first", "use pnpm here, never npm"), ["reworded lines stay"]),
    ],
)
def test_what_a_person_did_by_hand_has_to_last(becomes, bullets, missed):
    told = told_of("rule.pnpm", by_hand=(ByHand(0, "rule.pnpm", becomes),))
    result = replace(outcome(told, *bullets), edited=frozenset(told.edited))
    assert [measure for measure in misses(told, result) if measure.endswith(("stay", "away"))] == missed


def test_a_hand_edit_that_found_no_line_is_not_judged():
    told = told_of("rule.pnpm", by_hand=(ByHand(0, "rule.pnpm"),))
    assert misses(told, outcome(told)) == []


def test_a_secret_below_the_home_is_found_wherever_it_lies(tmp_path: Path):
    told = told_of("leak.human_github")
    ((value,),) = told.hidden.values()
    (tmp_path / "state.db").write_bytes(b"\x00\x01" + value.encode())
    assert "leak secret" in misses(told, outcome(told, home=tmp_path))
