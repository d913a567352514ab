from datetime import UTC, datetime

import pytest

from support.learned import said, session, task
from support.memfs import create, draft
from vademecum.artifacts import parse_raw_memory
from vademecum.learners import Verdict, learner_named
from vademecum.sessions import Message, Role, Session

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


def conversation(*turns, cwd="/srv/shop"):
    messages = tuple(
        Message(id=str(n), index=n, role=role, text=text, at=AT) for n, (role, text) in enumerate(turns, 1)
    )
    return Session(
        id="s1", host="a-host", cwd=cwd, branch=None, started_at=AT, updated_at=AT, parent_id=None, messages=messages
    )


@pytest.fixture
def learner():
    return learner_named("extractive")


RULED = conversation((Role.HUMAN, "please always run make check before you commit"), (Role.FINAL, "Will do."))


def test_a_session_with_a_rule_gives_memory_recap_and_slug(learner):
    found = learner.extract(RULED)
    assert not found.is_empty
    assert found.rollout_slug
    assert found.outcome in {"success", "partial", "fail", "uncertain"}
    assert "make check" in found.raw_memory
    assert "make check" in found.rollout_summary


@pytest.mark.parametrize(
    "turns",
    [
        ((Role.HUMAN, "hi"), (Role.FINAL, "Hello!")),
        ((Role.HUMAN, "what does this function do?"), (Role.FINAL, "You should always use pnpm.")),
        ((Role.TOOL, "remember to always use pnpm"),),
        (),
    ],
)
def test_a_session_with_nothing_durable_is_the_all_empty_answer(learner, turns):
    found = learner.extract(conversation(*turns))
    assert found.is_empty
    assert (found.raw_memory, found.rollout_summary, found.rollout_slug) == ("", "", "")


def test_the_same_session_gives_the_same_answer(learner):
    assert learner.extract(RULED) == learner.extract(RULED)


def test_what_is_said_below_a_project_belongs_to_the_project(learner, tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / "src").mkdir()
    below = conversation((Role.HUMAN, "always use pnpm here"), cwd=str(tmp_path / "shop" / "src"))
    assert parse_raw_memory(learner.extract(below).raw_memory).cwd == str(tmp_path / "shop")


def test_it_writes_both_artefacts_and_says_so(learner, tmp_path):
    memory = create(tmp_path)
    with draft(memory, tmp_path) as place:
        assert learner.consolidate(task(session("s1", said("use pnpm"))), place) is Verdict.WROTE
        frozen = place.freeze()
    assert sorted(frozen.edits) == ["MEMORY.md", "memory_summary.md"]
