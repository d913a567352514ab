"""core-W26: one command takes back a commit or a run, and changes nothing where it cannot."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, clock, create, git, learn, page, put
from vademecum.errors import (
    DirtyPath,
    FrontMatterInvalid,
    MergeConflict,
    NoChange,
    NotFound,
    RefusedError,
    SecretFound,
    UnsafePath,
)
from vademecum.memfs import Writer, find_undoable, plan_undo, undo

A, B = "reference/a.md", "reference/b.md"
BODY = "".join(f"line {number}\n" for number in range(1, 31))


@pytest.fixture
def repository(tmp_path):
    return create(tmp_path, clock=clock())


def take_back(repository, target=None, **options):
    return undo(repository, target, **options)[1]


def commit_by_hand(repository, message="by hand", **files):
    for name, text in files.items():
        file = repository.folder / "reference" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    git(repository.folder, "add", "--all")
    git(repository.folder, "commit", "--quiet", "--message", message)
    return repository.head()


class TestOneCommit:
    def test_what_it_did_goes_and_what_came_later_stays(self, repository):
        put(repository, a=page(BODY))
        wrong = put(repository, a=page(BODY.replace("line 3\n", "wrong\n")), b=page())
        put(repository, a=page(BODY.replace("line 3\n", "wrong\n").replace("line 27\n", "later\n")))
        take_back(repository, wrong.id)
        assert repository.tree().read(A) == page(BODY.replace("line 27\n", "later\n"))
        assert not repository.tree().has(B)

    def test_it_is_a_commit_of_the_persons_that_names_what_it_undoes(self, repository):
        wrong = put(repository, "Write a page", a=page())
        done = take_back(repository)
        assert done.subject == "Undo: Write a page"
        assert done.paths == (A,)
        provenance = done.provenance
        assert (provenance.writer, provenance.origin, provenance.undoes) == (Writer.UNDO, "human", (wrong.id,))

    def test_a_deleted_file_comes_back_as_it_was(self, repository):
        put(repository, a=page(BODY))
        put(repository, a=None)
        take_back(repository)
        assert repository.tree().read(A) == page(BODY)
        assert (repository.folder / A).read_text() == page(BODY)

    def test_only_named_paths_are_taken_back(self, repository):
        before = repository.head()
        wrong = put(repository, a=page(), b=page())
        done = take_back(repository, wrong.id, paths=["reference/b.md"])
        assert [change.path for change in repository.tree(before).diff(repository.tree())] == [A]
        assert done.subject.endswith("(in part)")

    def test_a_folder_names_all_that_lies_in_it(self, repository):
        wrong = put(repository, a=page(), b=page())
        assert take_back(repository, wrong.id, paths=["reference"]).paths == (A, B)

    def test_a_path_that_it_did_not_change_is_an_error(self, repository):
        wrong = put(repository, a=page())
        with pytest.raises(NotFound, match=r"did not change reference/b\.md"):
            take_back(repository, wrong.id, paths=[A, B])


class TestWhichCommit:
    def test_without_a_name_it_goes_back_step_by_step_and_never_forward(self, repository):
        made = [put(repository, a=page("1\n")), put(repository, a=page("2\n")), put(repository, b=page())]
        undone = [take_back(repository).provenance.undoes for _ in made]
        assert undone == [(commit.id,) for commit in reversed(made)]
        with pytest.raises(NotFound):
            take_back(repository)

    def test_a_commit_that_changed_nothing_is_passed_over(self, repository):
        made = put(repository, a=page())
        git(repository.folder, "commit", "--quiet", "--allow-empty", "--message", "nothing")
        assert find_undoable(repository, None)[0].id == made.id

    def test_what_was_brought_back_can_be_undone_again(self, repository):
        made = put(repository, a=page())
        take_back(repository, take_back(repository).id)
        assert find_undoable(repository, None)[0].id == made.id

    def test_a_run_is_all_of_its_commits(self, repository):
        start = repository.tree().tree_id
        put(repository, provenance=learn("r"), a=page("1\n"))
        put(repository, b=page())
        put(repository, provenance=learn("r"), a=page("2\n"))
        done = take_back(repository, "r")
        assert len(done.provenance.undoes) == 2
        assert done.subject == "Undo: 2 commits of run r"
        assert [change.path for change in repository.tree(done.id).diff(repository.tree())] == []
        take_back(repository)
        assert repository.tree().tree_id == start

    @pytest.mark.parametrize("target", ["nothing", "deadbeef", "", "--help", "HEAD~99"])
    def test_a_name_that_means_nothing_is_an_error(self, repository, target):
        with pytest.raises(NotFound):
            take_back(repository, target)

    @pytest.mark.parametrize("target", ["HEAD", None])
    def test_the_first_commit_stays(self, repository, target):
        with pytest.raises((RefusedError, NotFound)):
            take_back(repository, target)
        assert len(repository.log()) == 1

    def test_what_is_no_part_of_main_cannot_be_taken_back(self, repository):
        put(repository, a=page())
        repository.move_baseline(repository.tree().tree_id)
        with pytest.raises(RefusedError, match="no part of main"):
            take_back(repository, "refs/vademecum/baseline")

    def test_of_a_merge_it_is_what_came_with_it(self, repository):
        put(repository, a=page(BODY))
        git(repository.folder, "switch", "--quiet", "--create", "side")
        commit_by_hand(repository, a=page(BODY.replace("line 2\n", "side\n")))
        git(repository.folder, "switch", "--quiet", "main")
        put(repository, b=page())
        git(repository.folder, "merge", "--quiet", "--no-ff", "side", "--message", "merge")
        take_back(repository, "HEAD")
        assert repository.tree().read(A) == page(BODY)
        assert repository.tree().has(B)


class TestConflicts:
    @pytest.fixture
    def changed(self, repository):
        put(repository, a=page(BODY), b=page("b\n"))
        wrong = put(repository, a=page(BODY.replace("line 3\n", "wrong\n")), b=page("wrong\n"))
        later = put(repository, "Say it better", a=page(BODY.replace("line 3\n", "better\n")))
        put(repository, a=page(BODY.replace("line 3\n", "better\n").replace("line 27\n", "far away\n")))
        return repository, wrong, later

    def test_it_names_path_line_and_the_commit_that_changed_it(self, changed):
        repository, wrong, later = changed
        with pytest.raises(MergeConflict) as caught:
            take_back(repository, wrong.id)
        assert str(caught.value) == f"{A} line 6 changed since, by {later.id[:10]} (Say it better)"
        assert caught.value.paths == (A,)
        assert later.id[:10] in caught.value.next_step

    def test_nothing_changes_then(self, changed):
        """core-R79"""
        repository, wrong, _ = changed
        before = repository.head()
        with pytest.raises(MergeConflict):
            take_back(repository, wrong.id)
        assert repository.head() == before
        assert git(repository.folder, "status", "--porcelain") == ""

    def test_a_file_that_is_gone_since_is_one(self, repository):
        put(repository, a=page(BODY))
        wrong = put(repository, a=page())
        gone = put(repository, a=None)
        with pytest.raises(MergeConflict, match=rf"a\.md changed since, by {gone.id[:10]}"):
            take_back(repository, wrong.id)

    def test_who_can_merge_it_is_asked(self, changed):
        repository, wrong, _ = changed
        asked = []

        def merge(path, taken, present, former):
            asked.append((path, b"wrong" in taken, b"better" in present, b"line 3" in former))
            return b"---\ndescription: merged\n---\n"

        take_back(repository, wrong.id, merge=merge)
        assert asked == [(A, True, True, True)]
        assert repository.tree().read(A) == "---\ndescription: merged\n---\n"


class TestWhatMayNotBe:
    def test_a_hand_edit_in_the_way_stays_and_is_named(self, repository):
        put(repository, a=page())
        (repository.folder / A).write_text(page("mine\n"))
        with pytest.raises(DirtyPath):
            take_back(repository)
        assert (repository.folder / A).read_text() == page("mine\n")

    def test_what_is_gone_already_is_no_change(self, repository):
        wrong = put(repository, a=page())
        take_back(repository)
        with pytest.raises(NoChange):
            take_back(repository, wrong.id)

    def test_a_secret_that_was_taken_out_does_not_come_back(self, repository):
        commit_by_hand(repository, a=page(f"{FAKE_SECRET}\n"))
        commit_by_hand(repository, a=page("clean\n"))
        with pytest.raises(SecretFound):
            take_back(repository)

    def test_the_subject_of_a_commit_by_hand_is_masked(self, repository):
        commit_by_hand(repository, message=f"use {FAKE_SECRET}", a=page())
        assert FAKE_SECRET not in take_back(repository).subject

    def test_what_is_no_memory_file_is_left_to_the_person(self, repository):
        (repository.folder / "script.sh").write_text("true\n")
        commit_by_hand(repository)
        with pytest.raises(UnsafePath):
            take_back(repository)
        assert (repository.folder / "script.sh").exists()

    def test_what_is_no_text_does_not_come_back(self, repository):
        file = repository.folder / A
        file.parent.mkdir()
        file.write_bytes(b"caf\xe9\n")
        commit_by_hand(repository)
        commit_by_hand(repository, a=page())
        with pytest.raises(FrontMatterInvalid):
            take_back(repository)

    def test_a_file_with_a_name_of_any_language_is_undone(self, repository):
        """core-R38"""
        put(repository, **{"naïve 日本": page()})
        assert take_back(repository).paths == ("reference/naïve 日本.md",)


NAMES = st.sampled_from(["a", "b", "c"])
TEXTS = st.one_of(st.none(), st.lists(st.sampled_from("xyz"), max_size=4).map(lambda ls: page("\n".join(ls) + "\n")))
WRITES = st.lists(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=2), min_size=1, max_size=5)


@pytest.mark.slow
@pytest.mark.timeout(60)
@given(WRITES, st.data())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_undo_is_the_exact_inverse_and_its_own_undo(tmp_path_factory, writes, data):
    """Where later commits touch other paths only; and undoing the undo gives the tree that was there before."""
    repository = create(tmp_path_factory.mktemp("undo"), clock=clock())
    made = [commit for write in writes if (commit := put(repository, **write))]
    if not made:
        return
    chosen = data.draw(st.sampled_from(made))
    others = {f"other{number}": page(f"{number}\n") for number in data.draw(st.sets(st.integers(0, 3), min_size=1))}
    put(repository, **others)
    before = repository.tree()
    try:
        done = take_back(repository, chosen.id)
    except (MergeConflict, NoChange):
        assert repository.head() == before.revision
        return
    touched_later = {path for commit in made[made.index(chosen) + 1 :] for path in commit.paths}
    former = repository.tree(f"{chosen.id}^")
    for path in set(chosen.paths) - touched_later:
        assert repository.tree().has(path) == former.has(path)
        assert not former.has(path) or repository.tree().read_bytes(path) == former.read_bytes(path)
    assert all(repository.tree().read(f"reference/{name}.md") == text for name, text in others.items())
    take_back(repository, done.id)
    assert repository.tree().tree_id == before.tree_id


def test_a_plan_writes_nothing(repository):
    put(repository, a=page())
    before = repository.head()
    plan = plan_undo(repository, find_undoable(repository, None))
    assert plan.edits == {A: None}
    assert repository.head() == before


def test_an_undo_that_is_undone_is_done_again(repository):
    put(repository, "Write a page", a=page())
    subjects = [take_back(repository, repository.head()).subject for _ in range(3)]
    assert subjects == ["Undo: Write a page", "Redo: Write a page", "Undo: Write a page"]


def test_a_commit_that_changes_no_file_of_memory_is_passed_over_and_says_so(repository):
    wrong = put(repository, "Write a page", a=page())
    git(repository.folder, "commit", "--quiet", "--allow-empty", "--message", "nothing")
    with pytest.raises(RefusedError, match="no way back: it changes no file"):
        take_back(repository, repository.head())
    assert take_back(repository).provenance.undoes == (wrong.id,)
