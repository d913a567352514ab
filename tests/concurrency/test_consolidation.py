"""A consolidation whose process is killed, and a person who decides on its proposal in another process."""

import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from support.consolidating import FakeLearner, record
from support.killing import in_child, kill_at
from support.memfs import create, git
from support.staging import staged
from vademecum.artifacts import HANDBOOK_PATH
from vademecum.learning import ConsolidationStatus, Review, accept, consolidate
from vademecum.locks import Locks
from vademecum.memfs import Repository, waiting_proposals
from vademecum.state import State

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def opened(folder, state, review=Review.AUTO):
    locks = Locks(folder / "locks")
    repository = Repository.open(folder / "memory", locks=locks)
    return staged(repository, state, locks, folder / "drafts", review=review)


def consolidated(folder, review=Review.AUTO):
    with State.open(folder / "state.db") as state:
        return consolidate(opened(folder, state, review), FakeLearner())


def prepared(folder):
    create(folder)
    with State.open(folder / "state.db") as state:
        state.records.upsert(record())
    return folder


def assert_taken_in_once(folder):
    memory = create(folder)
    learned = [commit for commit in memory.log() if commit.provenance.writer == "learn"]
    assert len(learned) == 1
    assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)
    assert "vade:yours" not in memory.tree().read(HANDBOOK_PATH)
    assert memory.proposals() == []
    assert list((folder / "drafts").iterdir()) == []
    assert git(memory.folder, "status", "--porcelain") == ""
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""


def test_a_consolidation_killed_at_any_step_is_in_memory_once_after_the_next(tmp_path):
    """core-R81, core-R83, core-26.3"""
    for step in count(0, 4):
        folder = prepared(tmp_path / str(step))
        ended = in_child(lambda: (kill_at(step), consolidated(folder)))  # noqa: B023 (runs at once)
        consolidated(folder)
        assert_taken_in_once(folder)
        assert consolidated(folder).status is ConsolidationStatus.NO_NEW_INPUT
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 40


def test_an_acceptance_killed_at_any_step_is_in_memory_once_after_the_next(tmp_path):
    """By the same call again, and by the next consolidation where nobody calls again."""

    def accepted(folder):
        with State.open(folder / "state.db") as state:
            repository = opened(folder, state).repository
            for proposal in waiting_proposals(repository):
                accept(repository, state, proposal, proposal.commit.paths)

    for step in count(0, 4):
        folder = prepared(tmp_path / str(step))
        assert consolidated(folder, Review.PROPOSE).status is ConsolidationStatus.PROPOSED
        ended = in_child(lambda: (kill_at(step), accepted(folder)))  # noqa: B023 (runs at once)
        if step % 8:
            consolidated(folder, Review.PROPOSE)
        accepted(folder)
        assert_taken_in_once(folder)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 20


DRAFTING = """
import sys
from pathlib import Path
from support.consolidating import FakeLearner
from support.staging import staged
from vademecum.learning import consolidate
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.state import State

class Slow(FakeLearner):
    def consolidate(self, task, draft):
        print(draft.folder, flush=True)
        sys.stdin.readline()
        return super().consolidate(task, draft)

folder = Path(sys.argv[1])
locks = Locks(folder / "locks")
repository = Repository.open(folder / "memory", locks=locks)
with State.open(folder / "state.db") as state:
    stage = staged(repository, state, locks, folder / "drafts")
    print(consolidate(stage, Slow()).status)
"""


def drafting(folder):
    """A process whose learner waits, in its draft, for a line; it says first where that is."""
    return subprocess.Popen(
        [sys.executable, "-c", DRAFTING, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )


def test_the_draft_of_a_living_process_is_left_alone_and_lands(tmp_path):
    """core-R88"""
    prepared(tmp_path)
    with drafting(tmp_path) as living:
        draft = living.stdout.readline().strip()
        assert consolidated(tmp_path).status is ConsolidationStatus.BUSY
        assert Path(draft).is_dir()
        out, _ = living.communicate("go\n", timeout=60)
    assert out == "landed\n"
    assert_taken_in_once(tmp_path)


def test_the_draft_of_a_killed_process_is_thrown_away_by_the_next(tmp_path):
    prepared(tmp_path)
    with drafting(tmp_path) as killed:
        draft = killed.stdout.readline().strip()
        killed.kill()
    assert Path(draft).is_dir()
    outcome = consolidated(tmp_path)
    assert outcome.status is ConsolidationStatus.LANDED
    assert len(outcome.recovered) == 1
    assert_taken_in_once(tmp_path)
