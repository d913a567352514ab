import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import (
    HEADINGS,
    INDEX,
    PREFERENCES,
    Bullet,
    IndexTopic,
    ProjectPart,
    SummaryParts,
    check_summary,
    more_mark,
    parse_bullet,
    parse_summary,
    render_bullet,
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


@pytest.mark.slow
@pytest.mark.timeout(60)
@settings(max_examples=25, deadline=None)
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


def sections(text, heading=PREFERENCES):
    return {section.name: section for section in parse_summary(text).sections if section.heading == heading}


class TestReading:
    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.tuples(*[st.integers(0, 30)] * 3, st.integers(0, 200)), max_size=5))
    def test_nothing_is_lost_between_writing_and_reading(self, sizes):
        """What is shown and what is counted as left out is all that was given."""
        parts = [part(f"/srv/p{n}" if n else "", *counts) for n, counts in enumerate(sizes)]
        read = parse_summary(render(*parts))
        kept = parts[: len(parts) - read.hidden_projects]
        assert read.is_versioned
        for heading, given_of in ((PREFERENCES, "preferences"), ("## General Tips", "tips")):
            found = {section.name: section for section in read.sections if section.heading == heading}
            for one in kept:
                bullets_of = getattr(one, given_of)
                section = found.get(one.project)
                assert section or not bullets_of
                if bullets_of:
                    shown_lines = list(map(render_bullet, bullets_of))[: len(bullets_of) - section.more]
                    assert list(section.lines) == shown_lines
        indexed = {s.name: s.topics for s in read.sections if s.heading == INDEX and s.is_project}
        assert indexed == {one.project: len(one.topics) for one in kept if one.project and one.topics}

    def test_projects_that_found_no_room_are_counted_and_the_others_are_there(self):
        text = render(*(part(f"/srv/p{n}", preferences=3, length=200) for n in range(40)))
        read = parse_summary(text)
        assert read.hidden_projects > 0
        assert len(sections(text)) == 40 - read.hidden_projects

    def test_the_mark_of_what_found_no_room_is_counted_and_no_line(self):
        (section,) = sections(f"v1\n\n{PREFERENCES}\n### /srv/a\n- one\n{more_mark(7)}\n").values()
        assert (section.lines, section.more) == (("- one",), 7)

    def test_a_bullet_that_ends_like_the_mark_is_a_bullet(self):
        line = "- the list is long (3 more in MEMORY.md)"
        (section,) = sections(f"v1\n\n{PREFERENCES}\n{line}\n").values()
        assert (section.lines, section.more) == ((line,), 0)

    def test_a_number_without_end_is_text(self):
        (section,) = sections(f"v1\n\n{PREFERENCES}\n({'9' * 5_000} more in MEMORY.md)\n").values()
        assert section.more == 0

    def test_projects_are_told_from_a_persons_own_headings(self):
        text = f"v1\n\n{PREFERENCES}\n- a\n### /srv/a\n- b\n### C:\\src\\a\n- c\n### Style\n- d\n"
        found = {name: section.is_project for name, section in sections(text).items()}
        assert found == {"": False, "/srv/a": True, "C:\\src\\a": True, "Style": False}

    def test_the_days_of_the_index_are_lines_and_the_first_is_the_newest(self):
        (section,) = sections(render(part("/srv/a")), INDEX).values()
        assert section.lines[0] == "#### 2026-11-02"
        assert section.newest_day == "2026-11-02"

    def test_a_title_that_a_person_put_above_moves_nothing(self):
        """Else the rules of every project would count as lines of one heading, and hold everywhere."""
        text = render(part("/srv/a"), part(""))
        titled = text.replace("v1\n", "v1\n\n# My memory\n", 1)
        assert sections(titled) == sections(text)

    def test_a_section_that_stands_twice_is_one(self):
        text = f"v1\n{PREFERENCES}\n### /srv/a\n- one\n{PREFERENCES}\n### /srv/a\n- two\n"
        (section,) = sections(text).values()
        assert section.lines == ("- one", "- two")

    def test_without_the_first_line_everything_is_text(self):
        read = parse_summary(f"mine\n\n{PREFERENCES}\n- one\n")
        assert not read.is_versioned
        assert [(section.heading, section.lines) for section in read.sections] == [
            ("", ("mine",)),
            (PREFERENCES, ("- one",)),
        ]

    @settings(max_examples=60)
    @given(st.lists(st.sampled_from(["# a", "## a", "### a", "### /a", "#### a", "- a", "a", "", "```"]), max_size=20))
    def test_no_text_is_an_error_and_every_line_that_is_no_heading_is_kept(self, lines):
        text = "\n".join(["v1", *lines])
        kept = [line for section in parse_summary(text).sections for line in section.lines]
        plain = [line for line in lines if line and not line.startswith("#")]
        assert sorted(line for line in kept if not line.startswith("#")) == sorted(plain)


class TestCheck:
    def test_a_wrong_first_line_is_named(self):
        assert any("v1" in problem for problem in check_summary(render().replace("v1", "v2", 1)))

    def test_a_missing_heading_is_named(self):
        for heading in HEADINGS:
            assert any(heading in problem for problem in check_summary(render().replace(heading, "## Other")))

    def test_a_file_that_is_too_large_is_named(self):
        assert any("bytes" in problem for problem in check_summary(render() + "x" * 10_000))

    def test_line_ends_of_another_system_are_no_fault(self):
        """codex-B10"""
        assert check_summary(render().replace("\n", "\r\n")) == []
