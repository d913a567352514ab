import pytest

from vademecum.artifacts import Bullet, parse_handbook, parse_summary, render_bullet
from vademecum.recall.chunks import summary_chunks

PREFERENCES, INDEX = "## User preferences", "## What's in Memory"
ONE = Bullet(text="rule one", key="aaaaaaaaaa", sources=("s#t1",))
TWO = Bullet(text="rule two", key="bbbbbbbbbb", sources=("s#t2",))
OLD = Bullet(text="old rule", key="cccccccccc", sources=("s#t3",), superseded="2026-11-05")


def chunks(summary, handbook="", heading=PREFERENCES):
    found = summary_chunks(parse_summary(f"v1\n\n{summary}"), parse_handbook(handbook))
    return {chunk.project: list(chunk.lines) for chunk in found if chunk.heading == heading}


def group(project, *bullets):
    return "\n".join([f"# Task Group: {project}", PREFERENCES, *map(render_bullet, bullets)]) + "\n"


def test_what_found_no_room_comes_from_the_handbook_of_the_same_project():
    summary = f"{PREFERENCES}\n### /srv/a\n{render_bullet(ONE)}\n(1 more in MEMORY.md)\n"
    handbook = group("/srv/b", OLD) + group("/srv/a", ONE, TWO, OLD)
    assert chunks(summary, handbook) == {"/srv/a": ["- rule one", "- rule two"]}


def test_what_holds_everywhere_is_completed_too():
    summary = f"{PREFERENCES}\n{render_bullet(ONE)}\n(1 more in MEMORY.md)\n"
    assert chunks(summary, group("everywhere", ONE, TWO)) == {"": ["- rule one", "- rule two"]}


def test_a_heading_of_a_persons_own_does_not_keep_the_rest_away():
    summary = f"{PREFERENCES}\n{render_bullet(ONE)}\n(1 more in MEMORY.md)\n### Style\n- mine\n"
    found = summary_chunks(parse_summary(f"v1\n{summary}"), parse_handbook(group("everywhere", ONE, TWO)))
    assert [list(chunk.lines) for chunk in found] == [["- rule one", "- rule two"], ["### Style", "- mine"]]


def test_a_line_that_a_person_added_to_the_handbook_comes_with_the_rest():
    summary = f"{PREFERENCES}\n### /srv/a\n- mine\n(1 more in MEMORY.md)\n"
    handbook = group("/srv/a", Bullet(text="mine"), Bullet(text="also mine"))
    assert chunks(summary, handbook) == {"/srv/a": ["- mine", "- also mine"]}


def test_without_a_handbook_the_mark_stays():
    summary = f"{PREFERENCES}\n### /srv/a\n{render_bullet(ONE)}\n(1 more in MEMORY.md)\n"
    assert chunks(summary) == {"/srv/a": ["- rule one", "(1 more in MEMORY.md)"]}


def test_projects_that_the_summary_only_counts_come_from_the_handbook():
    hidden = f"{PREFERENCES}\n### /srv/a\n- x\n{INDEX}\n### Older Memory Topics\n- 1 more project stands in MEMORY.md\n"
    handbook = group("/srv/a", ONE) + group("/srv/b", TWO)
    assert chunks(hidden, handbook) == {"/srv/a": ["- x"], "/srv/b": ["- rule two"]}


def test_a_project_that_the_summary_does_not_count_stays_in_the_handbook():
    """A person who takes a project's rules out of the summary does not find them in the context all the same."""
    assert chunks(f"{PREFERENCES}\n### /srv/a\n- x\n", group("/srv/b", TWO)) == {"/srv/a": ["- x"]}


def test_a_name_with_a_task_group_is_a_project_whatever_its_form():
    """Else the rules of a project would stand in the context of every other one."""
    assert chunks(f"{PREFERENCES}\n### shop\n- rule\n", group("shop", ONE)) == {"shop": ["- rule"]}
    assert chunks(f"{PREFERENCES}\n### C:\\src\\shop\n- rule\n") == {"C:\\src\\shop": ["- rule"]}


def test_the_title_of_a_person_above_all_opens_no_rule_to_other_projects():
    summary = f"# My memory\n{PREFERENCES}\n### /srv/a\n- rule\n"
    assert chunks(summary) == {"/srv/a": ["- rule"]}


def test_the_line_for_another_project_counts_what_found_no_room():
    summary = f"{INDEX}\n### /srv/a\n#### 2026-11-04\n- fix: x.md\n(6 more in MEMORY.md)\n"
    (chunk,) = summary_chunks(parse_summary(f"v1\n{summary}"), [])
    assert chunk.brief == "- /srv/a: 7 tasks, newest 2026-11-04"


def test_a_folder_of_many_projects_is_known_as_one():
    found = summary_chunks(parse_summary(f"v1\n{PREFERENCES}\n### /home/ada\n- x\n### /home/ada/shop\n- y\n"), [])
    assert [chunk.broad for chunk in found] == [True, False]


def test_what_a_person_took_out_of_the_handbook_the_summary_does_not_tell_either():
    """It holds from their commit on, not from the next learn."""
    summary = f"{PREFERENCES}\n### /srv/a\n{render_bullet(ONE)}\n{render_bullet(TWO)}\n- mine\n"
    assert chunks(summary, group("/srv/a", TWO)) == {"/srv/a": ["- rule two", "- mine"]}


def test_a_heading_of_memory_files_among_a_persons_lines_is_no_rule():
    words = "- # Task Group: everywhere\n- ## User preferences\n- mine\n"
    assert chunks(f"{PREFERENCES}\n{words}", group("everywhere") + words) == {"": ["- mine"]}


@pytest.mark.parametrize("heading", ["# Task Group: everywhere", "## mine"])
def test_a_heading_above_the_rules_of_a_project_does_not_make_them_hold_everywhere(heading):
    summary = f"{PREFERENCES}\n### /srv/a\n{heading}\n{render_bullet(ONE)}\n- my own\n"
    found = summary_chunks(parse_summary(f"v1\n\n{summary}"), parse_handbook(group("/srv/a", ONE)))
    assert [(chunk.heading, chunk.project, list(chunk.lines)) for chunk in found] == [
        (heading, "", ["- my own"]),
        (PREFERENCES, "/srv/a", ["- rule one"]),
    ]


def test_a_heading_stands_only_above_something():
    gone = render_bullet(OLD)
    index = f"{INDEX}\n### /srv/a\n#### 2026-11-03\n{gone}\n#### 2026-11-02\n- a: x.md\n#### 2026-11-01\n{gone}\n"
    assert chunks(index, heading=INDEX) == {"/srv/a": ["#### 2026-11-02", "- a: x.md"]}
    assert chunks(f"{PREFERENCES}\n### Style\n{gone}\n") == {}
