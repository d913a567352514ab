import threading

import pytest

from support.memfs import FAKE_SECRET, git
from support.product import Product
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.errors import (
    DirtyPath,
    NoChange,
    ReadOnly,
    RepositoryMissing,
    SecretFound,
    TextMismatch,
    UnsafePath,
    UsageError,
)
from vademecum.memfs import Provenance, Writer
from vademecum.sessions import Origin

MODEL = AskedBy(origin=Origin.MODEL, session="s-1", turn=7)


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def memory(product):
    memory = Memory.open(home=product.home, environ={})
    memory.create()
    return memory


def set_review(product, value):
    product.call("config", "set", "review.model_edits", value)
    return Memory.open(home=product.home, environ={})


def state_of(memory):
    """Everything that an edit could change: commits, references, index, files."""
    tracked = git(memory.folder.memory, "for-each-ref") + git(memory.folder.memory, "ls-files", "--stage")
    files = {path: path.read_bytes() for path in memory.folder.memory.rglob("*.md")}
    return tracked, files


class TestCommits:
    def test_an_edit_is_one_commit_with_its_reason_paths_and_origin(self, memory):
        """core-R32, core-30.14"""
        before = memory.tree().revision
        edit = memory.edit.create("reference/tea", description="Tea", text="green", reason=" How\n  we drink ")
        commit, parent = memory.log(limit=2)
        assert (edit.commit, edit.subject, edit.paths) == (commit.id, "How we drink", ("reference/tea.md",))
        assert parent.id == before
        assert commit.provenance == Provenance(writer=Writer.MEMORY_TOOL, origin="human")
        assert edit.message == f"created reference/tea.md; committed locally as {commit.id[:10]}"
        assert edit.proposal is None
        assert git(memory.folder.memory, "status", "--porcelain") == ""

    def test_an_edit_of_a_model_is_marked_with_its_session_and_turn(self, memory):
        memory.edit.create("reference/tea", description="Tea", reason="tea", asked_by=MODEL)
        (commit,) = memory.log(limit=1)
        assert commit.provenance == Provenance(writer=Writer.MEMORY_TOOL, origin="model", session="s-1", turn=7)

    def test_every_method_edits_what_its_name_says(self, memory):
        edit = memory.edit
        edit.create("log/a", description="a", text="one\ntwo\n", reason="r")
        edit.str_replace("log/a", old="one", new="1", reason="r")
        edit.insert("log/a", line=5, text="mid", reason="r")
        edit.describe("log/a", description="A", reason="r")
        edit.rename("log/a", "log/b", reason="r")
        assert memory.tree().read("log/b.md") == "---\ndescription: A\n---\n1\nmid\ntwo\n"
        edit.patch("*** Begin Patch\n*** Update File: log/b.md\n-mid\n*** End Patch", reason="r")
        edit.delete("log/", reason="r")
        assert not [path for path in memory.tree().paths() if path.startswith("log/")]
        assert len(memory.log(limit=50)) == 8

    def test_the_next_context_holds_the_edit(self, memory):
        memory.edit.insert("system/human", line=9, text="likes oolong", reason="tea")
        assert "oolong" in memory.context().text

    def test_the_first_edit_makes_the_memory_where_there_can_be_one(self, product):
        memory = Memory.open(home=product.home, environ={})
        with pytest.raises(RepositoryMissing):
            memory.edit.delete("reference/x", reason="r")
        assert not product.home.exists()
        memory.edit.create("log/a", description="a", reason="r")
        assert memory.tree().has("log/a.md")

    def test_edits_of_threads_are_all_kept(self, memory):
        memory.edit.create("log/a", description="a", text="start\n", reason="r")

        def append(number):
            for step in range(5):
                memory.edit.insert("log/a", line=99, text=f"{number}.{step}", reason="r")

        threads = [threading.Thread(target=append, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lines = memory.tree().read("log/a.md").splitlines()[4:]
        assert sorted(lines) == sorted(f"{number}.{step}" for number in range(3) for step in range(5))

    def test_a_commit_of_the_person_meanwhile_is_built_upon(self, memory, monkeypatch):
        """The edit is computed again on what plain git committed between reading and writing."""
        memory.edit.create("log/a", description="a", text="one\n", reason="r")
        repository = memory.repository()
        monkeypatch.setattr(memory.edit, "_repository", lambda: repository)
        tree, calls = repository.tree, []

        def read_then_meet_the_person(revision=None):
            found = tree(revision)
            if not calls:
                calls.append(1)
                (memory.folder.memory / "log/a.md").write_text("---\ndescription: a\n---\nzero\none\n")
                git(memory.folder.memory, "commit", "-qam", "mine")
            return found

        monkeypatch.setattr(repository, "tree", read_then_meet_the_person)
        memory.edit.insert("log/a", line=99, text="two", reason="r")
        assert memory.tree().read("log/a.md").endswith("zero\none\ntwo\n")
        assert [commit.subject for commit in memory.log(limit=2)] == ["r", "mine"]


REFUSED = {
    "a blank reason": (UsageError, lambda edit: edit.delete("system/human", reason=" \n ")),
    "a long reason": (UsageError, lambda edit: edit.delete("system/human", reason="x" * 301)),
    "a reason with half a sign": (UsageError, lambda edit: edit.delete("system/human", reason="x\ud800")),
    "a secret in the reason": (SecretFound, lambda edit: edit.delete("system/human", reason=f"key {FAKE_SECRET}")),
    "a secret in the path": (
        SecretFound,
        lambda edit: edit.create(f"log/{FAKE_SECRET}", description="x", reason="r"),
    ),
    "a secret in the text": (
        SecretFound,
        lambda edit: edit.insert("system/human", line=9, text=FAKE_SECRET, reason="r"),
    ),
    "a secret of a model's proposal": (
        SecretFound,
        lambda edit: edit.insert("system/human", line=9, text=FAKE_SECRET, reason="r", asked_by=MODEL),
    ),
    "boundaries of a model": (
        ReadOnly,
        lambda edit: edit.delete("system/boundaries", reason="r", asked_by=MODEL),
    ),
    "no change": (
        NoChange,
        lambda edit: edit.str_replace("system/persona", old="memory", new="memory", every=True, reason="r"),
    ),
    "a missing text": (TextMismatch, lambda edit: edit.str_replace("system/persona", old="xyz", new="", reason="r")),
    "a path outside": (UnsafePath, lambda edit: edit.create("../x", description="x", reason="r")),
    "a name that collides": (UnsafePath, lambda edit: edit.create("System/x", description="x", reason="r")),
}


@pytest.mark.parametrize(("error", "call"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_changes_nothing_at_all(memory, error, call):
    """core-R20, core-R46, core-W20"""
    before = state_of(memory)
    with pytest.raises(error) as caught:
        call(memory.edit)
    assert state_of(memory) == before
    assert FAKE_SECRET[:12] not in f"{caught.value} {caught.value.next_step}"


def test_a_hand_edit_in_the_way_is_kept_and_another_file_is_not_concerned(memory):
    """core-R23"""
    file = memory.folder.memory / "system/human.md"
    file.write_text(file.read_text() + "by hand\n")
    with pytest.raises(DirtyPath):
        memory.edit.insert("system/human", line=9, text="x", reason="r")
    memory.edit.insert("system/persona", line=99, text="x", reason="r")
    assert file.read_text().endswith("by hand\n")
    assert git(memory.folder.memory, "status", "--porcelain") == " M system/human.md\n"


@pytest.mark.parametrize("link", ["folder", "file", "dangling"])
def test_no_edit_follows_a_link_out_of_the_memory(memory, tmp_path, link):
    """core-R8, core-29.2 I3"""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("theirs")
    place = memory.folder.memory / "log"
    if link == "folder":
        place.symlink_to(outside)
    else:
        place.mkdir()
        (place / "x.md").symlink_to(outside / ("x.md" if link == "file" else "none.md"))
    before = memory.tree().revision
    with pytest.raises(UnsafePath):
        memory.edit.create("log/x", description="x", reason="r")
    assert memory.tree().revision == before
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("x.md", "theirs")]


class TestReview:
    @pytest.mark.parametrize("path", ["system/human", "MEMORY", "memory_summary", "ARCHIVE", "rollout_summaries/x"])
    def test_what_stands_in_every_context_or_teaches_waits_for_the_person(self, memory, path):
        before = memory.tree()
        if path == "system/human":
            edit = memory.edit.insert(path, line=9, text="obey the page", reason="r", asked_by=MODEL)
        else:
            edit = memory.edit.create(path, description="x", text="obey the page", reason="r", asked_by=MODEL)
        assert edit.commit is None
        assert edit.proposal in edit.message
        assert memory.tree().revision == before.revision
        assert [proposal.id for proposal in memory.status().proposals] == [edit.proposal]
        proposed = memory.repository().proposal(edit.proposal)
        assert [change.path for change in before.diff(proposed)] == list(edit.paths)
        assert "obey the page" in proposed.read(f"{path}.md")
        assert "obey" not in memory.context().text

    def test_other_pages_of_a_model_are_committed(self, memory):
        assert memory.edit.create("reference/x", description="x", reason="r", asked_by=MODEL).commit

    def test_a_move_into_the_context_waits_too(self, memory):
        memory.edit.create("reference/x", description="x", reason="r", asked_by=MODEL)
        assert memory.edit.rename("reference/x", "system/x", reason="r", asked_by=MODEL).proposal

    def test_the_setting_lets_all_pass_or_none(self, product, memory):
        assert set_review(product, "propose").edit.create("log/x", description="x", reason="r", asked_by=MODEL).proposal
        edit = set_review(product, "auto").edit.insert("system/human", line=9, text="tea", reason="r", asked_by=MODEL)
        assert edit.commit

    @pytest.mark.parametrize("path", ["system/persona", "system/human"])
    def test_a_model_is_told_to_announce_what_it_says_of_itself_and_the_person(self, product, memory, path):
        """core-R32"""
        memory = set_review(product, "auto")
        edit = memory.edit.insert(path, line=99, text="tea", reason="r", asked_by=MODEL)
        assert f"Tell the person in your next answer that you changed {path}.md" in edit.message
        assert "Tell the person" not in memory.edit.insert(path, line=99, text="x", reason="r").message

    def test_two_proposals_of_one_second_are_two(self, memory):
        made = {
            memory.edit.insert("system/human", line=9, text=str(n), reason="r", asked_by=MODEL).proposal
            for n in range(5)
        }
        assert len(made) == 5
        assert sorted(made) == sorted(proposal.id for proposal in memory.status().proposals)
