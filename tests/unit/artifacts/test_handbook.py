from datetime import UTC, datetime

import pytest

from vademecum.artifacts import (
    Bullet,
    HandbookTask,
    Outcome,
    TaskFile,
    TaskGroup,
    check_handbook,
    group_project,
    parse_handbook,
    render_handbook,
)
from vademecum.memfs.pages.rules import MAX_FILE_BYTES
from vademecum.secrets import mask

ROLLOUT = "rollout_summaries/2026-11-02T10-00-00-ab12-fix.md"


def task(session_id="0199a000-0000-7000-8000-000000000001"):
    file = TaskFile(
        path=ROLLOUT, cwd="/srv/demo", updated_at=datetime(2026, 11, 2, 10, 4, tzinfo=UTC), session_id=session_id
    )
    return HandbookTask(
        title="fix the flaky test", outcome=Outcome.SUCCESS, files=(file,), keywords=("pytest", "flaky")
    )


def bullet(text, key="3fa91c07be", **fields):
    return Bullet(text=text, key=key, sources=("s#t1",), **fields)


GROUPS = [
    TaskGroup(project="", preferences=(bullet("answer in English", "aaaaaaaaaa"),)),
    TaskGroup(
        project="/srv/demo",
        tasks=(task(),),
        preferences=(bullet("use pnpm"), bullet("use npm", "bbbbbbbbbb", superseded="2026-11-02")),
        knowledge=(bullet("test with `make check`", "cccccccccc"),),
        failures=(bullet("`make` failed", "dddddddddd"),),
    ),
]


def test_what_is_rendered_keeps_the_grammar():
    assert check_handbook(render_handbook(GROUPS), known_paths=frozenset({ROLLOUT})) == []


def test_the_blocks_stand_in_the_order_of_the_grammar():
    """codex-18.5"""
    headings = [line for line in render_handbook(GROUPS).split("\n") if line.startswith("#")]
    assert headings == [
        "# Task Group: everywhere",
        "## User preferences",
        "# Task Group: /srv/demo",
        "## Task 1: fix the flaky test, success",
        "### rollout_summary_files",
        "### keywords",
        "## User preferences",
        "## Reusable knowledge",
        "## Failures and how to do differently",
    ]


def test_every_group_says_where_it_applies():
    text = render_handbook(GROUPS)
    assert text.count("scope: ") == text.count("applies_to: cwd=") == text.count("reuse_rule=") == 2


def test_nothing_to_say_is_an_empty_file():
    assert render_handbook([]) == ""


def test_a_task_points_to_a_rollout_summary_that_exists():
    (problem,) = check_handbook(render_handbook(GROUPS), known_paths=frozenset())
    assert ROLLOUT in problem


def test_a_heading_that_is_no_task_group_breaks_the_grammar():
    assert check_handbook("# Thoughts\ntext\n", known_paths=frozenset())


class TestReading:
    def test_the_groups_are_read_as_they_were_written(self):
        """The group of what holds everywhere has the empty project, as everywhere else in the code."""
        read = parse_handbook(render_handbook(GROUPS))
        assert [(group.project, tuple(group.preferences)) for group in read] == [
            (group.project, group.preferences) for group in GROUPS
        ]

    def test_all_bullets_of_a_group_can_be_read_back_in_file_order(self):
        (_, group) = parse_handbook(render_handbook(GROUPS))
        assert [found.text for found in group.bullets if found.key] == [
            "use pnpm",
            "use npm",
            "test with `make check`",
            "`make` failed",
        ]

    def test_the_sections_of_a_group_keep_their_headings_and_lines(self):
        (_, group) = parse_handbook(render_handbook(GROUPS))
        assert group.sections[0].lines[0] == "scope: what was learned in /srv/demo"
        assert {section.path[0] for section in group.sections} == {"# Task Group: /srv/demo"}

    def test_a_chapter_of_a_persons_own_is_in_no_group(self):
        text = "words before\n- mine\n\n# Thoughts\n## User preferences\n- mine too\n" + render_handbook(GROUPS)
        assert parse_handbook(text) == parse_handbook(render_handbook(GROUPS))

    def test_a_group_that_stands_twice_is_two_groups(self):
        text = "# Task Group: /srv/a\n## User preferences\n- one\n# Task Group: /srv/a\n## User preferences\n- two\n"
        assert [[b.text for b in group.preferences] for group in parse_handbook(text)] == [["one"], ["two"]]

    def test_a_heading_in_fenced_code_opens_no_group(self):
        text = "# Task Group: /srv/a\n```\n# Task Group: /srv/b\n```\n"
        assert [group.project for group in parse_handbook(text)] == ["/srv/a"]

    def test_the_headings_above_a_line_tell_its_group(self):
        assert group_project(("# Task Group: /srv/a", "## User preferences")) == "/srv/a"
        assert group_project(("# Task Group: everywhere",)) == ""
        assert group_project(("# Thoughts",)) is None
        assert group_project(()) is None


def test_session_ids_of_every_shape_pass_the_secret_scanner():
    """Else the landing check refuses our own artefact, or masking takes the way back to the session away."""
    for session_id in ("0199a000-0000-7000-8000-000000000001", "ses_e54d956ffffe1LYxbe9W0nH18G"):
        text = render_handbook([TaskGroup(project="/srv/demo", tasks=(task(session_id),))])
        assert mask(text) == text


class TestSize:
    """The file must pass the size check of a landing, whoever worked how much."""

    def large(self, groups, tasks, bullets):
        rules = tuple(bullet(f"rule {n} {'x' * 100}", f"{n:010x}") for n in range(bullets))
        return [TaskGroup(project=f"/srv/p{n}", tasks=(task(),) * tasks, preferences=rules) for n in range(groups)]

    @pytest.mark.slow
    @pytest.mark.timeout(20)
    @pytest.mark.parametrize("counts", [(1, 2_000, 0), (1, 0, 3_000), (300, 5, 20), (40, 100, 100)])
    def test_it_is_bounded(self, counts):
        text = render_handbook(self.large(*counts))
        assert 50_000 < len(text.encode()) < MAX_FILE_BYTES

    def test_tasks_give_way_before_bullets_and_the_last_of_each_first(self):
        text = render_handbook(self.large(1, 2_000, 200))
        (group,) = parse_handbook(text)
        assert len(group.preferences) == 200
        assert "## Task 1: " in text
        assert "## Task 2000: " not in text
