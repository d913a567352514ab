from datetime import UTC, datetime

import pytest

from support.learned import said, session, task
from support.memfs import create, draft
from vademecum.config import default_config
from vademecum.learners import ExtractionTask, Verdict, learner_named, stamp
from vademecum.sessions import Message, Role, Session

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


def conversation(*turns, cwd="/srv/shop"):
    messages = tuple(
        Message(id=str(n), index=n, role=role, text=text, at=AT) for n, (role, text) in enumerate(turns, 1)
    )
    return Session(
        id="s1", host="a-host", cwd=cwd, branch=None, started_at=AT, updated_at=AT, parent_id=None, messages=messages
    )


def extract(learner, session, project="/srv/shop"):
    return learner.extract(ExtractionTask(session=session, project=project))


@pytest.fixture
def learner():
    return learner_named("extractive", default_config({}))


RULED = conversation((Role.HUMAN, "please always run make check before you commit"), (Role.FINAL, "Will do."))


def test_a_session_with_a_rule_gives_memory_recap_and_slug(learner):
    found = extract(learner, RULED)
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
    found = extract(learner, conversation(*turns))
    assert found.is_empty
    assert (found.raw_memory, found.rollout_summary, found.rollout_slug) == ("", "", "")


def test_the_same_session_gives_the_same_answer(learner):
    assert extract(learner, RULED) == extract(learner, RULED)


def test_the_recap_names_the_project_that_it_was_told(learner):
    below = conversation((Role.HUMAN, "always use pnpm here"), cwd="/srv/shop/src")
    assert "/srv/shop/src (project /srv/shop)" in extract(learner, below, project="/srv/shop").rollout_summary


def test_records_and_runs_name_it_with_its_version(learner):
    assert stamp(learner) == f"extractive/{learner.version}"


def test_it_writes_both_artefacts_and_says_so(learner, tmp_path):
    memory = create(tmp_path)
    with draft(memory, tmp_path) as place:
        assert learner.consolidate(task(session("s1", said("use pnpm"))), place).verdict is Verdict.WROTE
        frozen = place.freeze()
    assert sorted(frozen.edits) == ["MEMORY.md", "memory_summary.md"]
