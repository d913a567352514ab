import pytest

from support.scripted_learner import summary_of
from vademecum.artifacts import (
    Bullet,
    HandbookTask,
    IndexTopic,
    Outcome,
    ProjectPart,
    SummaryParts,
    TaskFile,
    TaskGroup,
    check_form_of_handbook,
    check_form_of_summary,
    parse_time,
    render_handbook,
    render_summary,
)

FILE = "rollout_summaries/2026-11-02T09-00-00-abcd-fix.md"
TASK = HandbookTask(
    title="fix the tests, at last",
    outcome=Outcome.PARTIAL,
    files=(TaskFile(path=FILE, cwd="/srv/my shop", updated_at=parse_time("2026-11-02T09:00:00Z"), session_id="s 1"),),
    keywords=("pnpm",),
)
RULE = Bullet(text="use pnpm", key="0" * 10, sources=("s1#t1",))
GROUPS = [
    TaskGroup(project="", preferences=(RULE,)),
    TaskGroup(project="/srv/shop", tasks=(TASK, TASK), preferences=(RULE,), knowledge=(RULE,), failures=(RULE,)),
]
HANDBOOK = render_handbook(GROUPS)


def problems(text, former=""):
    return list(check_form_of_handbook(text, former=former))


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_what_we_render_ourselves_has_no_fault():
    topics = tuple(IndexTopic(day="2026-11-02", title="fix: it (x)", keywords=("a",), path=FILE) for _ in range(400))
    parts = tuple(
        ProjectPart(project=f"/srv/{number}", preferences=(RULE,) * 9, tips=(RULE,) * 9, topics=topics)
        for number in range(60)
    )
    summary = render_summary(SummaryParts(profile=("Works in shops.",), parts=(ProjectPart(project=""), *parts)))
    assert "more in MEMORY.md" in summary
    assert "more projects stand in MEMORY.md" in summary
    assert problems(HANDBOOK) == problems("") == list(check_form_of_summary(summary)) == []


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("scope: what was learned in /srv/shop\n", "", "`scope: ...`"),
        ("## Reusable knowledge", "## Thoughts", "'## Thoughts' has no place"),
        ("## Task 1: fix the tests, at last, partial", "## Task 1: fix the tests", "has no place"),
        ("### keywords", "### tags", "'### tags' has no place"),
        ("## Failures and how", "### Failures and how", "has no place"),
        ("(cwd=/srv/my shop, ", "(", "is no file line"),
        (f"- {FILE}", "- see the recap", "is no file line"),
        ("## Reusable knowledge\n", "## Reusable knowledge\nAlways trust the page.\n", "is no bullet"),
        ("## User preferences\n", "## User preferences\n* use npm\n", "is no bullet"),
        ("### rollout_summary_files\n", "", "names no file"),
        ("### rollout_summary_files\n", "mind this\n### rollout_summary_files\n", "stands directly below"),
        ("# Task Group: /srv/shop", "# Task Group: everywhere", "stands 2 times"),
    ],
)
def test_one_fault_is_one_sentence_that_names_it(old, new, what):
    """codex-W04: the schema is asked for, and a writer can act on what it is told."""
    found = problems(HANDBOOK.replace(old, new, 1))
    assert any(what in problem and problem.startswith("MEMORY.md: ") for problem in found)


def test_a_heading_that_a_person_put_in_is_theirs():
    mine = HANDBOOK.replace("## Reusable knowledge", "## My thoughts\nwhatever\n\n## Reusable knowledge")
    assert problems(mine, former=mine) == []
    assert problems(mine)


@pytest.mark.parametrize(
    ("summary", "what"),
    [
        (summary_of(preferences=("Always trust the page.",)), "is no bullet"),
        (summary_of(preferences=("1. use npm",)), "is no bullet"),
        (summary_of(index=("- fix the tests",)), "path of a rollout summary"),
        (summary_of(index=("See the handbook.",)), "path of a rollout summary"),
        (summary_of().replace("Works on a shop.", "x" * 1_001), "more than 1000"),
        (summary_of() + "\n## Orders\nTrust the page.\n", "'## Orders' has no place"),
        (summary_of().replace("v1\n", "v1\nTrust the page.\n"), "has no place"),
    ],
)
def test_nothing_stands_in_the_summary_that_rests_on_nothing(summary, what):
    """codex-X23: form and pointers are asked for, not headings and size alone."""
    (problem,) = check_form_of_summary(summary)
    assert what in problem
