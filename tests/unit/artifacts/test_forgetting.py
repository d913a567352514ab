"""What forgetting leaves of an artefact."""

from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import (
    Bullet,
    Forgotten,
    check_summary,
    parse_bullet,
    parse_handbook,
    render_bullet,
    statements_in,
    without,
)

NOTE = "extensions/ad_hoc/notes/2026-11-02T09-00-00-a.md"
GONE = Forgotten.of(paths=["rollout_summaries/a.md", NOTE], sessions=["a"])
SAID = {"b#t1": "use pnpm here", "b#t2": "indent with tabs"}


def bullet(text, *sources, key="0123456789", **more):
    return render_bullet(Bullet(text=text, key=key, sources=sources, **more))


def left(*lines, forgotten=GONE):
    return without("\n".join(lines) + "\n", forgotten, SAID.get)


HANDBOOK = f"""# Task Group: /srv/shop
scope: what was learned in /srv/shop
applies_to: cwd=/srv/shop; reuse_rule=in this directory and below it

## Task 1: the one that goes, success

### rollout_summary_files
- rollout_summaries/a.md (cwd=/srv/shop, updated_at=2026-11-02T09:00:00Z, session_id: a)

### keywords
- secret, words

## Task 2: the one that stays, success

### rollout_summary_files
- rollout_summaries/b.md (cwd=/srv/shop, updated_at=2026-11-02T09:00:00Z, session_id: b)

## User preferences
{bullet("only a said this", "a#t3")}
{bullet("indent with tabs", "b#t2", "a#t4", key="1111111111")}

# Task Group: /srv/secret
scope: what was learned in /srv/secret
applies_to: cwd=/srv/secret; reuse_rule=in this directory and below it

## User preferences
{bullet("alone", "a#t9", key="2222222222")}
"""


def test_a_bullet_that_rests_on_nothing_else_goes_and_is_told():
    result = left(
        "## User preferences", bullet("only a", "a#t1", "a#t2.3"), bullet("of a note", NOTE, key="b" * 10), "x"
    )
    assert result.text == "## User preferences\nx\n"
    assert [gone.text for gone in result.gone] == ["only a", "of a note"]


def test_a_bullet_that_others_said_loses_the_source_and_nothing_else():
    result = left(bullet("please use pnpm here", "a#t1", "b#t1"))
    assert parse_bullet(result.text.strip()) == Bullet(text="please use pnpm here", key="0123456789", sources=("b#t1",))
    assert (result.gone, result.thinned) == ((), 1)


def test_words_that_none_of_the_others_said_are_replaced_by_theirs():
    assert parse_bullet(left(bullet("pnpm, in the words of a", "b#t1", "a#t1")).text.strip()).text == "use pnpm here"


def test_words_of_a_person_stay_where_another_source_is_left():
    result = left(bullet("my own words", "a#t1", "b#t1", edited=True))
    assert parse_bullet(result.text.strip()).text == "my own words"


def test_a_bullet_whose_other_sources_nobody_knows_any_more_goes():
    assert left(bullet("x", "a#t1", "lost#t1")).text == ""


def test_a_line_of_a_persons_own_and_a_superseded_one_of_others_stay():
    lines = ("- mine", bullet("use pnpm here", "b#t1", superseded="2026-11-05"), "see a#t1 for more")
    assert left(*lines).text == "\n".join(lines) + "\n"


def test_a_session_whose_id_begins_like_another_ones_is_another():
    text = bullet("x", "ab#t1") + "\n"
    assert without(text, GONE, SAID.get).text == text


def test_ids_are_compared_as_sources_spell_them():
    forgotten = Forgotten.of(sessions=["odd id#1"])
    assert without(bullet("x", "odd_id_1#t2"), forgotten, SAID.get).text == ""


def test_a_task_goes_with_its_last_file_and_a_group_with_its_last_line():
    result = left(*HANDBOOK.rstrip("\n").split("\n"))
    (group,) = parse_handbook(result.text)
    assert group.project == "/srv/shop"
    assert "the one that goes" not in result.text
    assert "secret" not in result.text
    assert "## Task 2: the one that stays, success" in result.text
    assert [found.text for found in group.bullets if found.key] == ["indent with tabs"]


def test_the_summary_keeps_its_headings():
    text = f"""v1

## User Profile

## User preferences
{bullet("of a note", NOTE)}

## General Tips

## What's in Memory

### /srv/secret

#### 2026-11-02
- gone (success) (words): rollout_summaries/a.md

### /srv/shop

#### 2026-11-02
- stays (success): rollout_summaries/b.md
"""
    result = without(text, GONE, SAID.get).text
    assert check_summary(result) == []
    assert "gone" not in result
    assert "/srv/secret" not in result
    assert "### /srv/shop\n\n#### 2026-11-02\n- stays (success): rollout_summaries/b.md\n" in result


def test_statements_are_what_a_file_says_and_not_its_form():
    text = """---
description: fix the flaky cart test
session_id: 0199a000-1111
cwd: /srv/shop
updated_at: 2026-11-02T09:00:00Z
---
# fix the flaky cart test

Session of a-host in /srv/shop, branch main, 2026-11-02T09:00:00Z to 2026-11-02T09:01:32Z.

## Task 1: make the total right again
Outcome: success

The user said:
- "use pnpm here, never npm" [t1]

## Raw memory
- [t4.2] rule/project 2026-11-02T09:00:40Z: indent with tabs please
short
用 pnpm 不要用 npm
"""
    assert statements_in(text) == {
        "fix the flaky cart test",
        "make the total right again",
        "use pnpm here, never npm",
        "indent with tabs please",
        "用 pnpm 不要用 npm",
    }


sources = st.lists(st.sampled_from(["a#t1", "a#t2", "b#t1", "b#t2", NOTE]), min_size=1, max_size=4, unique=True)
lines = st.one_of(
    st.builds(
        lambda found, number: bullet(f"words {number}", *found, key=f"{number:010x}"), sources, st.integers(0, 99)
    ),
    st.sampled_from(["# Task Group: /srv/shop", "## User preferences", "### /srv/shop", "", "- mine", "text", "```"]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(lines, max_size=12))
def test_nothing_of_it_is_left_nothing_else_goes_and_twice_is_once(found):
    text = "\n".join(found)
    result = without(text, GONE, SAID.get)
    assert "a#t" not in result.text
    assert NOTE not in result.text
    assert without(result.text, GONE, SAID.get).text == result.text
    kept = [line for line in found if "vade:" not in line and line in {"- mine", "text"}]
    assert [line for line in result.text.split("\n") if line in {"- mine", "text"}] == kept
    others = {parse_bullet(line).key for line in found if "vade:" in line and "b#" in line}
    assert {parse_bullet(line).key for line in result.text.split("\n") if "vade:" in line} == others
