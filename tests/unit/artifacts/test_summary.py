from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import (
    HEADINGS,
    Bullet,
    IndexTopic,
    ProjectPart,
    SummaryParts,
    check_summary,
    parse_bullet,
    render_summary,
)

CONTRACT_BYTES = 9_000


def bullets(count, length=40, letter="a"):
    return tuple(
        Bullet(text=f"{letter}{number} " + "x" * length, key=f"{number:010x}", sources=("s#t1",))
        for number in range(count)
    )


def part(project, preferences=2, tips=2, topics=2, length=40):
    return ProjectPart(
        project=project,
        preferences=bullets(preferences, length, "rule"),
        tips=bullets(tips, length, "tip"),
        topics=tuple(
            IndexTopic(day="2026-11-02", title=f"task {n}", keywords=("k",), path=f"rollout_summaries/{n}.md")
            for n in range(topics)
        ),
    )


def render(*parts):
    return render_summary(SummaryParts(profile=("Works with: a host.",), parts=parts))


def shown(text, letter):
    return [b.text for b in map(parse_bullet, text.split("\n")) if b and b.text.startswith(letter)]


def test_the_first_line_is_v1_and_the_four_headings_stand_in_order():
    lines = render(part("/srv/a")).split("\n")
    assert lines[0] == "v1"
    assert [line for line in lines if line.startswith("## ")] == list(HEADINGS)


def test_nothing_to_say_still_keeps_the_grammar():
    assert check_summary(render()) == []


def test_what_holds_everywhere_stands_before_any_project():
    text = render(part("/srv/a"), part(""))
    assert text.index("- rule0") < text.index("### /srv/a")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 60)] * 3, st.integers(0, 300)), max_size=8))
def test_the_file_stays_below_its_size_and_keeps_the_grammar(sizes):
    text = render(*(part(f"/srv/p{n}", *counts) for n, counts in enumerate(sizes)))
    assert len(text.encode()) < CONTRACT_BYTES
    assert check_summary(text) == []


def test_topics_give_way_before_tips_and_tips_before_preferences():
    text = render(part("/srv/a", preferences=40, tips=40, topics=200, length=80))
    assert len(shown(text, "rule")) == 40
    assert len(shown(text, "tip")) < 40


def test_the_most_useful_come_first_and_the_last_give_way_first():
    text = render(part("/srv/a", preferences=300, length=80))
    kept = shown(text, "rule")
    assert kept == [bullet.text for bullet in bullets(300, 80, "rule")][: len(kept)]


def test_a_section_that_did_not_fit_says_where_the_rest_is():
    text = render(part("/srv/a", preferences=300, length=80))
    hidden = 300 - len(shown(text, "rule"))
    assert f"({hidden} more in MEMORY.md)" in text


def test_projects_that_did_not_fit_are_counted():
    text = render(*(part(f"/srv/p{n}", preferences=3, length=200) for n in range(60)))
    assert "more projects stand in MEMORY.md" in text
    assert check_summary(text) == []


class TestCheck:
    def test_a_wrong_first_line_is_named(self):
        assert any("v1" in problem for problem in check_summary(render().replace("v1", "v2", 1)))

    def test_a_missing_heading_is_named(self):
        for heading in HEADINGS:
            assert any(heading in problem for problem in check_summary(render().replace(heading, "## Other")))

    def test_a_file_that_is_too_large_is_named(self):
        assert any("bytes" in problem for problem in check_summary(render() + "x" * 10_000))
