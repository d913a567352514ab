"""What is taken out of main is taken out of all that waits beside it."""

import pytest

from support.memfs import create, git, learn, page, put
from vademecum.errors import DirtyPath
from vademecum.memfs import Provenance, Writer
from vademecum.memfs.forgetting.forget import commit_forgetting

GONE = "reference/gone.md"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, gone=page("gone\n"), kept=page("kept\n"))
    memory.move_baseline(memory.tree().tree_id)
    memory.keep_proposal(
        memory.tree(), {"reference/new.md": page("new\n").encode()}, subject="Propose", provenance=learn("r")
    )
    return memory


def take_out(memory, edits=None):
    def clean(tree):
        return {GONE: None} if tree.has(GONE) else {}

    with memory.writing("forgetting"):
        provenance = Provenance(writer=Writer.USER, origin="human")
        return commit_forgetting(
            memory, {GONE: None} if edits is None else edits, clean, subject="Forget a file", provenance=provenance
        )


def test_baseline_and_proposals_lose_it_and_keep_the_rest(memory):
    before = memory.head()
    done = take_out(memory)
    assert (done.subject, done.paths) == ("Forget a file", (GONE,))
    assert git(memory.folder, "rev-parse", "HEAD~1").strip() == before
    assert not memory.baseline().has(GONE)
    proposal = memory.proposal("r")
    assert not proposal.has(GONE)
    assert proposal.has("reference/new.md")
    assert git(memory.folder, "log", "-1", "--format=%s %P", proposal.revision).strip() == f"Propose {before}"


@pytest.mark.parametrize("edit", [page("other\n").encode(), None])
def test_a_proposal_of_which_nothing_is_left_does_not_wait_any_more(memory, edit):
    memory.keep_proposal(memory.tree(), {GONE: edit}, subject="Propose", provenance=learn("only"))
    take_out(memory)
    assert memory.proposals() == ["r"]


def test_what_does_not_hold_it_keeps_its_commit(memory):
    revisions = memory.baseline().revision, memory.proposal("r").revision
    with memory.writing("forgetting"):
        provenance = Provenance(writer=Writer.USER)
        commit_forgetting(memory, {"reference/kept.md": None}, lambda _tree: {}, subject="x", provenance=provenance)
    assert (memory.baseline().revision, memory.proposal("r").revision) == revisions


def test_nothing_to_do_is_no_commit(memory):
    head = memory.head()
    assert take_out(memory, edits={}) is None
    assert memory.head() == head


def test_a_hand_edit_is_refused_before_anything_changes(memory):
    (memory.folder / GONE).write_text("mine\n")
    baseline = memory.baseline().revision
    with pytest.raises(DirtyPath):
        take_out(memory)
    assert memory.baseline().revision == baseline
    assert (memory.folder / GONE).read_text() == "mine\n"
