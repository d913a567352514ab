from datetime import UTC, datetime

from support.learned import said
from vademecum.artifacts import Kind, Outcome, RawMemory, TaskMemory
from vademecum.learners import ExtractionTask
from vademecum.learners.extractive.recap import render_recap
from vademecum.sessions import Session

SESSION = Session(
    id="s1",
    host="a-host",
    cwd="/srv/shop",
    branch="main",
    started_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
    updated_at=datetime(2026, 11, 2, 10, tzinfo=UTC),
    parent_id=None,
    messages=(),
)
TASK = ExtractionTask(session=SESSION, project="/srv/shop")
MEMORY = RawMemory(
    description="fix the build (success)",
    outcome=Outcome.SUCCESS,
    cwd="/srv/shop",
    keywords=(),
    tasks=(
        TaskMemory(
            title="fix the build",
            outcome=Outcome.SUCCESS,
            evidence=(said("use pnpm", turn=4), said("build with `make`", kind=Kind.COMMAND, turn=9)),
        ),
        TaskMemory(title="say thanks", outcome=Outcome.UNCERTAIN, evidence=()),
    ),
)


def test_the_first_line_says_what_the_session_was_about():
    assert render_recap(MEMORY, TASK).split("\n")[0] == "# fix the build (success)"


def test_it_says_whose_session_it_was_and_where_and_when():
    text = render_recap(MEMORY, TASK)
    assert all(word in text for word in ("a-host", "/srv/shop", "main", "2026-11-02T09:00:00Z", "2026-11-02T10:00:00Z"))


def test_every_task_stands_with_its_outcome_and_its_quotes_with_their_turns():
    text = render_recap(MEMORY, TASK)
    assert text.index("fix the build\nOutcome: success") < text.index('"use pnpm" [t4]') < text.index("say thanks")
    assert "- build with `make` [t9]" in text


def test_a_persons_words_are_told_apart_from_what_was_seen():
    text = render_recap(MEMORY, TASK)
    assert text.index("The user said") < text.index('"use pnpm"') < text.index("What proved right")
