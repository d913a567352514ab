import pytest

from support.memfs import FAKE_SECRET, before_the_next_commit, by_hand, clock, create, git, learn, page, put
from vademecum.errors import MergeConflict, NotFound, RefusedError, UsageError
from vademecum.memfs import (
    Provenance,
    Writer,
    accept_proposal,
    accepted_before,
    accepted_runs,
    find_proposal,
    preview_proposal,
    take_from_proposal,
    waiting_proposals,
)

LINES = "one\ntwo\nthree\nfour\nfive\n"
RUN = "20261102T100000-3fa9"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path, clock=clock())
    put(memory, a=page(LINES), b=page(LINES))
    return memory


def propose(memory, run=RUN, provenance=None, **texts):
    edits = {f"reference/{name}.md": None if text is None else text.encode() for name, text in texts.items()}
    memory.keep_proposal(memory.tree(), edits, subject="Learn from 2 sessions", provenance=provenance or learn(run))
    return find_proposal(memory, run)


def changed(old, new):
    return page(LINES.replace(old, new))


def accept(memory, proposal, *names):
    """Accept as callers do: commit, then leave in the proposal what is not decided."""
    accepted = accept_proposal(memory, proposal, names or proposal.commit.paths)
    return accepted, take_from_proposal(memory, proposal, accepted.taken)


class TestWaiting:
    def test_a_proposal_tells_who_wrote_what_on_which_state(self, memory):
        base = memory.head()
        proposal = propose(memory, a=changed("one", "ONE"), c=page(), b=None)
        assert (proposal.id, proposal.base.revision) == (RUN, base)
        assert (proposal.commit.subject, proposal.commit.provenance) == ("Learn from 2 sessions", learn(RUN))
        assert proposal.commit.paths == ("reference/a.md", "reference/b.md", "reference/c.md")
        assert proposal.edits["reference/b.md"] is None
        assert proposal.edits["reference/a.md"] == changed("one", "ONE").encode()

    def test_all_of_them_are_listed_oldest_first(self, memory):
        for run in ("run-b", "run-a", "run-c"):
            propose(memory, run, c=page())
        assert [proposal.id for proposal in waiting_proposals(memory)] == ["run-b", "run-a", "run-c"]

    @pytest.mark.parametrize("name", [RUN, "20261102", "3fa9", "3f"])
    def test_the_beginning_of_an_id_or_of_its_last_part_will_do(self, memory, name):
        propose(memory, c=page())
        propose(memory, "20261103T100000-77aa", c=page())
        assert find_proposal(memory, name).id == RUN

    def test_an_id_that_means_several_or_none_is_told(self, memory):
        propose(memory, c=page())
        propose(memory, "20261103T100000-77aa", c=page())
        with pytest.raises(UsageError, match="2 proposals begin with '2026'"):
            find_proposal(memory, "2026")
        for name in ("", "zz", "a/../b"):
            with pytest.raises(NotFound):
                find_proposal(memory, name)

    def test_an_exact_id_is_never_ambiguous(self, memory):
        propose(memory, "run-1", c=page())
        propose(memory, "run-10", c=page())
        assert find_proposal(memory, "run-1").id == "run-1"

    def test_git_may_pack_the_references(self, memory):
        propose(memory, c=page())
        git(memory.folder, "pack-refs", "--all")
        accept(memory, find_proposal(memory, RUN))
        assert waiting_proposals(memory) == []
        assert "proposals" not in git(memory.folder, "for-each-ref")

    def test_one_that_was_made_before_the_repository_had_a_format_stays_readable(self, memory):
        """What the program itself adds to the tree meanwhile is no part of it, and stays when it is accepted."""
        git(memory.folder, "rm", "-q", ".vademecum/format")
        git(memory.folder, "commit", "-qm", "as the first version left it")
        proposal = propose(memory, a=changed("one", "ONE"))
        assert proposal.commit.paths == ("reference/a.md",)
        accept(memory, proposal)
        assert git(memory.folder, "show", "main:.vademecum/format") == "1\n"


class TestAccepting:
    def test_one_commit_keeps_who_wrote_it_and_says_that_a_person_took_it_in(self, memory):
        written = Provenance(writer=Writer.MEMORY_TOOL, session="s1", run=RUN, turn=4, origin="model")
        accepted, left = accept(memory, propose(memory, provenance=written, a=changed("one", "ONE"), b=None))
        (commit, *_) = memory.log()
        assert accepted.commit == commit
        assert (commit.subject, commit.paths) == ("Learn from 2 sessions", ("reference/a.md", "reference/b.md"))
        assert git(memory.folder, "log", "-1", "--format=%(trailers)").split("\n")[:6] == [
            "Vade-Writer: memory-tool",
            "Vade-Session: s1",
            f"Vade-Run: {RUN}",
            "Vade-Turn: 4",
            "Vade-Origin: model",
            "Vade-Accepted: human",
        ]
        assert (left, waiting_proposals(memory)) == ((), [])
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_it_is_merged_with_what_main_has_become(self, memory):
        proposal = propose(memory, a=changed("one", "ONE"))
        put(memory, a=changed("five", "FIVE"), c=page())
        accept(memory, proposal)
        assert memory.tree().read("reference/a.md") == changed("one", "ONE").replace("five", "FIVE")
        assert memory.tree().has("reference/c.md")

    def test_some_paths_may_be_taken_and_the_rest_waits(self, memory):
        proposal = propose(memory, a=changed("one", "ONE"), b=changed("two", "TWO"))
        accepted, left = accept(memory, proposal, "reference/b.md")
        assert (accepted.taken, left) == (("reference/b.md",), ("reference/a.md",))
        (rest,) = waiting_proposals(memory)
        assert rest.commit.paths == ("reference/a.md",)
        assert rest.base.revision == proposal.base.revision
        assert accept(memory, rest)[1] == ()

    def test_what_is_in_conflict_stays_a_proposal(self, memory):
        """core-W42"""
        proposal = propose(memory, a=changed("one", "learned"), b=changed("two", "learned"))
        put(memory, a=changed("one", "by hand"))
        preview = preview_proposal(memory, proposal)
        assert (list(preview.clean), list(preview.conflicts)) == (["reference/b.md"], ["reference/a.md"])
        accepted, left = accept(memory, proposal)
        assert (accepted.taken, accepted.conflicts, left) == (
            ("reference/b.md",),
            ("reference/a.md",),
            ("reference/a.md",),
        )
        assert memory.tree().read("reference/a.md") == changed("one", "by hand")
        (rest,) = waiting_proposals(memory)
        with pytest.raises(MergeConflict, match=r"reference/a\.md"):
            accept(memory, rest)
        assert [waiting.id for waiting in waiting_proposals(memory)] == [RUN]

    def test_a_hand_edit_that_nobody_committed_is_never_overwritten(self, memory):
        """core-W43"""
        proposal = propose(memory, a=changed("one", "ONE"), b=changed("two", "TWO"))
        (memory.folder / "reference/a.md").write_text("by hand")
        accepted, _left = accept(memory, proposal)
        assert accepted.conflicts == ("reference/a.md",)
        assert (memory.folder / "reference/a.md").read_text() == "by hand"

    def test_accepting_again_before_the_proposal_is_gone_finds_it_done(self, memory):
        """core-R83: what a killed process had begun is brought to its end by the same call."""
        proposal = propose(memory, a=changed("one", "ONE"))
        put(memory, a=changed("five", "FIVE"))
        first = accept_proposal(memory, proposal, proposal.commit.paths)
        head = memory.head()
        again, left = accept(memory, proposal)
        assert (again.commit, again.taken, left) == (None, first.taken, ())
        assert memory.head() == head
        assert accepted_before(memory, RUN) == first.commit
        assert accepted_before(memory, "20261102T100000-77aa") is None
        assert accepted_runs(memory) == [RUN]

    def test_one_that_would_change_nothing_is_done_with(self, memory):
        accepted, left = accept(memory, propose(memory, a=page(LINES)))
        assert (accepted.commit, accepted.taken, left) == (None, (), ())
        assert waiting_proposals(memory) == []

    def test_a_secret_is_refused_and_the_proposal_stays(self, memory):
        proposal = propose(memory, a=page(FAKE_SECRET))
        before = memory.head()
        with pytest.raises(RefusedError):
            accept(memory, proposal)
        assert (memory.head(), len(waiting_proposals(memory))) == (before, 1)

    def test_a_commit_by_hand_in_the_middle_is_merged_with(self, memory, monkeypatch):
        proposal = propose(memory, a=changed("one", "ONE"))
        before_the_next_commit(monkeypatch, lambda: by_hand(memory, "reference/a.md", changed("five", "FIVE")))
        accept(memory, proposal)
        assert memory.tree().read("reference/a.md") == changed("one", "ONE").replace("five", "FIVE")

    def test_showing_what_would_become_of_it_changes_no_file_and_no_reference(self, memory):
        proposal = propose(memory, a=changed("one", "ONE"))
        put(memory, a=changed("five", "FIVE"))
        before = git(memory.folder, "for-each-ref"), git(memory.folder, "status", "--porcelain")
        assert preview_proposal(memory, proposal).conflicts == {}
        assert before == (git(memory.folder, "for-each-ref"), git(memory.folder, "status", "--porcelain"))
