import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import Bullet, bullet_key, keyed_bullets, render_bullet, take_back

PREFERENCES = "## User preferences"


def bullet(words, source=None, **options):
    sources = (f"{source or words}#t1",)
    return Bullet(text=words, key=bullet_key("/srv/shop", sources[0]), sources=sources, **options)


def handbook(*bullets, tasks=(), group="/srv/shop"):
    lines = [f"# Task Group: {group}", "scope: what was learned"]
    for number, (title, stem) in enumerate(tasks, 1):
        lines += ["", f"## Task {number}: {title}", "", "### rollout_summary_files", f"- rollout_summaries/{stem}.md"]
    lines += ["", PREFERENCES, *map(render_bullet, bullets)]
    return "\n".join(lines) + "\n"


ONE, TWO, THREE = bullet("use pnpm"), bullet("use tabs"), bullet("no force push")


def words(text):
    return [found.text for found in keyed_bullets(text).values()]


class TestTakingBack:
    def test_bullets_and_tasks_of_the_run_go_and_later_ones_stay(self):
        taken = handbook(ONE, tasks=[("first", "s1")])
        present = handbook(TWO, ONE, tasks=[("second", "s2"), ("first", "s1")])
        result = take_back(taken, present, "")
        assert words(result) == ["use tabs"]
        assert "s2" in result
        assert "first" not in result
        assert "s1" not in result

    def test_a_task_that_was_counted_anew_is_the_same_task(self):
        former = handbook(ONE, tasks=[("first", "s1")])
        taken = handbook(ONE, TWO, tasks=[("second", "s2"), ("first", "s1")])
        present = handbook(ONE, TWO, THREE, tasks=[("third", "s3"), ("second", "s2"), ("first", "s1")])
        result = take_back(taken, present, former)
        assert words(result) == ["use pnpm", "no force push"]
        assert result.count("## Task ") == 2
        assert "second" not in result

    def test_what_the_run_took_out_comes_back(self):
        result = take_back(handbook(TWO), handbook(TWO, THREE), handbook(ONE, TWO))
        assert sorted(words(result)) == ["no force push", "use pnpm", "use tabs"]

    def test_a_group_that_the_run_took_out_comes_back_with_its_headings(self):
        former = handbook(ONE) + "\n" + handbook(TWO, group="/srv/blog")
        result = take_back(handbook(ONE), handbook(ONE, THREE), former)
        assert result == handbook(ONE, THREE) + "\n" + handbook(TWO, group="/srv/blog")

    def test_a_bullet_that_the_run_changed_is_again_what_it_was(self):
        old, new = bullet("use npm", "s"), bullet("use npm", "s", superseded="2026-11-05")
        assert render_bullet(old) in take_back(handbook(new), handbook(new, THREE), handbook(old))

    def test_a_bullet_that_was_said_again_goes_as_well(self):
        again = Bullet(text=ONE.text, key=ONE.key, sources=(*ONE.sources, "later#t2"))
        assert words(take_back(handbook(ONE), handbook(again, TWO), "")) == ["use tabs"]

    def test_one_with_other_words_by_now_is_nobodys_to_take_back(self):
        reworded = Bullet(text="pnpm only", key=ONE.key, sources=ONE.sources, edited=True)
        assert take_back(handbook(ONE), handbook(reworded), "") is None

    def test_a_persons_lines_and_headings_stay(self):
        present = handbook(ONE).replace(PREFERENCES, f"{PREFERENCES}\n- mine") + "\n# My own\n\nBe kind.\n"
        result = take_back(handbook(ONE), present, "")
        assert "- mine" in result
        assert "Be kind." in result
        assert words(result) == []

    def test_a_heading_that_was_empty_before_stays(self):
        taken = handbook(ONE) + "\n## General Tips\n"
        assert "## General Tips" in take_back(taken, taken.replace("## General Tips", "## General Tips\n\n- tip"), "")

    def test_nothing_else_left_is_nothing(self):
        assert take_back(handbook(ONE), handbook(ONE), "").strip() == ""


SETS = st.sets(st.integers(0, 7)).map(lambda numbers: tuple(bullet(f"rule {number}") for number in sorted(numbers)))


@given(SETS, SETS, SETS)
@settings(max_examples=100)
def test_each_statement_stands_as_if_the_run_had_not_been(former, taken, present):
    """Whatever the run added is gone, whatever it took out is there, and the rest is as it was."""
    result = take_back(handbook(*taken), handbook(*present), handbook(*former))
    was, had, now = (set(words(handbook(*side))) for side in (former, taken, present))
    assert set(words(result)) == (now - (had - was)) | (was - had)


@pytest.mark.parametrize("text", ["", "v1\n", handbook(ONE, TWO, tasks=[("first", "s1")])])
def test_a_run_that_changed_nothing_takes_nothing_with_it(text):
    assert take_back(text, handbook(ONE, THREE), text) == handbook(ONE, THREE)
