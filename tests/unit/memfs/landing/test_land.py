import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, TOOL, before_the_next_commit, by_hand, create, draft, git, learn, page, put
from vademecum.errors import SecretFound, UsageError
from vademecum.memfs import LandingStatus, land, propose

LINES = "one\ntwo\nthree\nfour\nfive\n"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page(LINES), b=page(LINES))
    return memory


def frozen_with(memory, tmp_path, **texts):
    with draft(memory, tmp_path) as work:
        for name, text in texts.items():
            if text is None:
                (work.folder / f"reference/{name}.md").unlink()
            else:
                work.write(f"reference/{name}.md", text)
        return work.freeze()


def landed(memory, frozen, run="run-1", **options):
    return land(memory, frozen, subject="Learn", provenance=learn(run), **options)


def changed(old, new):
    return page(LINES.replace(old, new))


def test_a_draft_lands_as_one_commit_with_its_provenance(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"), c=page(), b=None)
    landing = landed(memory, frozen)
    assert landing.status is LandingStatus.LANDED
    assert landing.commit == memory.log(limit=1)[0]
    assert landing.commit.provenance == learn("run-1")
    assert landing.commit.paths == ("reference/a.md", "reference/b.md", "reference/c.md")
    assert (landing.proposal_ref, landing.conflicts) == (None, ())
    assert git(memory.folder, "status", "--porcelain") == ""


def test_files_of_the_engine_land_in_the_same_commit(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    summary = {"rollout_summaries/x.md": "recap\n"}
    assert landed(memory, frozen, extra_edits=summary).commit.paths == ("reference/a.md", "rollout_summaries/x.md")


def test_no_changes_make_no_commit(tmp_path, memory):
    before = memory.head()
    landing = landed(memory, frozen_with(memory, tmp_path))
    assert landing.status is LandingStatus.NO_CHANGES
    assert landing.seen == memory.tree().tree_id
    assert memory.head() == before


def test_landing_a_run_again_finds_its_commit(tmp_path, memory):
    """core-R83"""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    first = landed(memory, frozen)
    put(memory, c=page())
    assert landed(memory, frozen) == first
    assert len(memory.log()) == 4


def test_another_runs_receipt_is_no_proof(tmp_path, memory):
    """core-R82"""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    put(memory, "Vade-Run: run-1", learn("run-10"), c=page())
    assert landed(memory, frozen).commit.paths == ("reference/a.md",)


def test_what_main_gained_meanwhile_stays(tmp_path, memory):
    """core-15.6"""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    put(memory, b=changed("five", "FIVE"), c=page())
    landed(memory, frozen)
    tree = memory.tree()
    assert tree.read("reference/a.md") == changed("one", "ONE")
    assert tree.read("reference/b.md") == changed("five", "FIVE")
    assert tree.has("reference/c.md")


def test_different_lines_of_one_file_are_merged(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    put(memory, a=changed("five", "FIVE"))
    landing = landed(memory, frozen)
    assert memory.tree().read("reference/a.md") == changed("one", "ONE").replace("five", "FIVE")
    assert landing.conflicts == ()


def test_the_same_change_on_both_sides_is_no_conflict(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    put(memory, a=changed("one", "ONE"))
    assert landed(memory, frozen).status is LandingStatus.NO_CHANGES


def test_the_clean_part_lands_and_a_conflict_is_kept_for_review(tmp_path, memory):
    """core-W42"""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"), b=changed("two", "learned"))
    put(memory, a=changed("one", "by hand"))
    landing = landed(memory, frozen)
    assert landing.status is LandingStatus.LANDED
    assert landing.commit.paths == ("reference/b.md",)
    assert landing.conflicts == ("reference/a.md",)
    assert landing.proposal_ref == "refs/vademecum/proposals/run-1"
    assert memory.tree().read("reference/a.md") == changed("one", "by hand")
    proposal = memory.proposal("run-1")
    assert proposal.read("reference/a.md") == changed("one", "learned")
    assert [change.path for change in frozen.base.diff(proposal)] == ["reference/a.md"]
    assert landed(memory, frozen) == landing


CONFLICTS = {
    "deleted by hand": ({"a": None}, {"a": changed("one", "learned")}),
    "deleted by the learner": ({"a": changed("one", "by hand")}, {"a": None}),
    "made on both sides": ({"n": page("by hand\n")}, {"n": page("learned\n")}),
    "locked by hand": (
        {"a": f"---\ndescription: a page\nread_only: true\n---\n{LINES}"},
        {"a": changed("five", "learned")},
    ),
    "two headers that do not fit": (
        {"a": f"---\ndescription: a page\nkind: x\n---\n{LINES}"},
        {"a": f"---\nkind: y\ndescription: a page\n---\n{LINES}"},
    ),
}


@pytest.mark.parametrize(("by_hand", "learned"), CONFLICTS.values(), ids=CONFLICTS.keys())
def test_when_everything_conflicts_all_of_it_is_proposed(tmp_path, memory, by_hand, learned):
    frozen = frozen_with(memory, tmp_path, **learned)
    put(memory, **by_hand)
    before = memory.head()
    landing = landed(memory, frozen)
    assert landing.status is LandingStatus.PROPOSED
    assert landing.commit is None
    assert landing.proposal_ref
    assert memory.head() == before
    assert landing.seen == frozen.base.tree_id


def test_a_hand_edit_that_nobody_committed_makes_its_path_a_proposal(tmp_path, memory):
    """core-W43: paid work is kept, and so is the hand edit."""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"), b=changed("one", "learned"))
    (memory.folder / "reference/a.md").write_text("by hand")
    landing = landed(memory, frozen)
    assert landing.conflicts == ("reference/a.md",)
    assert landing.commit.paths == ("reference/b.md",)
    assert (memory.folder / "reference/a.md").read_text() == "by hand"


def test_while_the_person_is_on_another_branch_all_of_it_is_proposed(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"))
    git(memory.folder, "switch", "-qc", "experiment")
    assert landed(memory, frozen).status is LandingStatus.PROPOSED


def test_a_name_that_collides_with_a_new_one_of_the_persons_is_proposed(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, c=page())
    memory.commit({"reference/C.md": page("by hand\n")}, subject="x", provenance=learn("other"))
    assert landed(memory, frozen).conflicts == ("reference/c.md",)


def test_the_baseline_takes_the_runs_own_work_and_nothing_that_came_meanwhile(tmp_path, memory):
    """codex-A13: what arrives while a run works is new next time; the run's own output is not."""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"), n=page())
    put(memory, a=changed("five", "FIVE"), b=changed("two", "TWO"))
    memory.move_baseline(landed(memory, frozen).seen)
    new = {change.path for change in memory.baseline().diff(memory.tree())}
    assert new == {"reference/a.md", "reference/b.md"}
    assert memory.baseline().read("reference/a.md") == changed("one", "ONE")


def test_a_commit_by_hand_in_the_middle_of_a_landing_is_merged_with(tmp_path, memory, monkeypatch):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    before_the_next_commit(monkeypatch, lambda: by_hand(memory, "reference/a.md", changed("five", "FIVE")))
    landed(memory, frozen)
    assert memory.tree().read("reference/a.md") == changed("one", "ONE").replace("five", "FIVE")


@pytest.mark.parametrize("run", [None, "", "a/b", "a..b", "a b", "x.lock"])
def test_a_run_needs_an_id_that_can_name_a_reference(tmp_path, memory, run):
    with pytest.raises(UsageError):
        landed(memory, frozen_with(memory, tmp_path, a=page()), run=run)


def test_a_secret_in_an_extra_edit_is_refused_and_nothing_lands(tmp_path, memory):
    before = memory.head()
    frozen = frozen_with(memory, tmp_path, a=page())
    with pytest.raises(SecretFound):
        landed(memory, frozen, extra_edits={"log/x.md": FAKE_SECRET})
    assert memory.head() == before


def test_a_secret_in_an_extra_edit_is_not_kept_as_a_proposal_either(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path)
    put(memory, c=page("by hand\n"))
    with pytest.raises(SecretFound):
        landed(memory, frozen, extra_edits={"reference/c.md": page(FAKE_SECRET)})
    assert memory.proposal("run-1") is None


def test_a_merge_with_a_file_that_is_no_text_is_a_conflict(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
    for data in (b"caf\xe9\n", page(LINES + "\0").encode()):
        (memory.folder / "reference/a.md").write_bytes(data)
        git(memory.folder, "commit", "-qam", "by hand")
        assert landed(memory, frozen, run=f"run-{len(data)}").conflicts == ("reference/a.md",)


def test_after_a_conflict_the_repository_is_as_if_nobody_had_merged(tmp_path, memory):
    """core-R79: no unfinished merge, no dirty file, no draft."""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"))
    put(memory, a=changed("one", "by hand"))
    landed(memory, frozen)
    assert git(memory.folder, "status", "--porcelain") == ""
    assert not list((memory.folder / ".git").glob("MERGE*"))
    assert not (tmp_path / "draft").exists()


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_file_that_a_person_renamed_meanwhile_is_kept_in_both_forms(tmp_path, memory):
    """The page under its new name stays as it is; what was learned about the old one waits."""
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"))
    put(memory, a=None, renamed=page(LINES))
    assert landed(memory, frozen).conflicts == ("reference/a.md",)
    assert memory.tree().read("reference/renamed.md") == page(LINES)
    assert memory.proposal("run-1").read("reference/a.md") == changed("one", "learned")


def test_line_ends_that_a_person_committed_are_never_mixed_with_others(tmp_path, memory):
    frozen = frozen_with(memory, tmp_path, a=changed("one", "learned"))
    (memory.folder / "reference/a.md").write_bytes(changed("five", "by hand").replace("\n", "\r\n").encode())
    git(memory.folder, "commit", "-qam", "another editor")
    assert landed(memory, frozen).conflicts == ("reference/a.md",)


class TestProposing:
    """With `review.learn = "propose"`, everything waits."""

    def test_all_of_it_waits_and_main_stays_as_it_is(self, tmp_path, memory):
        """core-W26"""
        frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"), b=None)
        before = memory.head()
        landing = propose(
            memory, frozen, subject="Learn", provenance=learn("run-1"), extra_edits={"rollout_summaries/x.md": "x\n"}
        )
        assert (landing.status, landing.commit, landing.seen) == (LandingStatus.PROPOSED, None, frozen.base.tree_id)
        assert landing.conflicts == ("reference/a.md", "reference/b.md", "rollout_summaries/x.md")
        assert memory.head() == before
        assert memory.proposal("run-1").read("rollout_summaries/x.md") == "x\n"

    def test_what_changes_nothing_is_no_proposal(self, tmp_path, memory):
        frozen = frozen_with(memory, tmp_path)
        same = {"reference/a.md": page(LINES)}
        landing = propose(memory, frozen, subject="Learn", provenance=learn("run-1"), extra_edits=same)
        assert landing.status is LandingStatus.NO_CHANGES
        assert memory.proposals() == []

    def test_a_run_that_a_person_decided_on_is_not_proposed_again(self, tmp_path, memory):
        frozen = frozen_with(memory, tmp_path, a=changed("one", "ONE"))
        put(memory, "accepted or rejected", learn("run-1"), c=page())
        assert propose(memory, frozen, subject="Learn", provenance=learn("run-1")).status is LandingStatus.NO_CHANGES

    def test_a_secret_is_refused_before_anything_is_kept(self, tmp_path, memory):
        with pytest.raises(SecretFound):
            propose(
                memory,
                frozen_with(memory, tmp_path),
                subject="Learn",
                provenance=learn("run-1"),
                extra_edits={"log/x.md": FAKE_SECRET},
            )
        assert memory.proposals() == []


_VERSIONS = st.one_of(st.none(), st.lists(st.sampled_from(["one", "two", "three", "four"]), max_size=4).map("\n".join))
_STATES = st.dictionaries(st.sampled_from(["a", "b", "c"]), _VERSIONS, max_size=3)


def pages(state):
    return {name: None if text is None else page(text) for name, text in state.items()}


@pytest.mark.slow
@pytest.mark.timeout(60)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(learned=_STATES, by_hand=_STATES)
def test_landing_twice_is_landing_once(tmp_path_factory, learned, by_hand):
    """core-29.2: whatever the learner wrote and the person committed meanwhile."""
    folder = tmp_path_factory.mktemp("twice")
    memory = create(folder)
    put(memory, a=page(LINES), b=page(LINES))
    base = memory.tree()
    edits = {name: text for name, text in learned.items() if text is not None or base.has(f"reference/{name}.md")}
    frozen = frozen_with(memory, folder, **pages(edits))
    put(memory, "by hand", learn("other"), **pages(by_hand))
    first = landed(memory, frozen)
    state = git(memory.folder, "for-each-ref"), memory.tree().tree_id
    again = landed(memory, frozen)
    if first.status is not LandingStatus.PROPOSED:  # a proposal is made anew: the same tree, another commit
        assert git(memory.folder, "for-each-ref") == state[0]
    assert memory.tree().tree_id == state[1]
    assert (again.status, again.conflicts, again.seen) == (first.status, first.conflicts, first.seen)


class TestBlocks:
    """What stands in every prompt waits for a person, whoever wrote the draft; the rest of the draft lands."""

    @pytest.fixture
    def frozen(self, tmp_path, memory):
        with draft(memory, tmp_path) as work:
            work.write("system/human.md", page("likes tea\n"))
            work.write("system/obey.md", page("obey\n"))
            work.write("reference/a.md", changed("one", "ONE"))
            return work.freeze()

    def test_it_waits_and_the_rest_lands(self, memory, frozen):
        before = memory.tree().read("system/human.md")
        landing = landed(memory, frozen)
        assert (landing.status, landing.commit.paths) == (LandingStatus.LANDED, ("reference/a.md",))
        assert landing.conflicts == ("system/human.md", "system/obey.md")
        assert memory.proposal("run-1").read("system/obey.md") == page("obey\n")
        assert memory.tree().read("system/human.md") == before
        assert landed(memory, frozen) == landing

    def test_a_draft_of_nothing_else_is_a_proposal(self, memory, frozen):
        edits = {path: data for path, data in frozen.edits.items() if path.startswith("system/")}
        landing = landed(memory, msgspec.structs.replace(frozen, edits=edits))
        assert (landing.status, landing.commit) == (LandingStatus.PROPOSED, None)

    def test_what_stands_there_already_waits_for_nobody(self, memory, frozen):
        memory.commit(
            {"system/human.md": page("likes tea\n"), "system/obey.md": page("obey\n")}, subject="mine", provenance=TOOL
        )
        assert landed(memory, frozen).conflicts == ()
