"""Scrubbing one repository: every reference, the present files, and what is refused."""

import pytest

from support.memfs import TOOL, create, git, page, put
from vademecum.errors import DirtyPath, RefusedError
from vademecum.memfs import Provenance, Writer
from vademecum.memfs.forgetting.remains import Finder, look_in_objects
from vademecum.memfs.forgetting.scrub import SCRUBBED, Scrub, finish_scrub, scrub_history, unfinished

GONE = "reference/gone.md"


def nothing(_data):
    return None


def wanted(**more):
    fields = {
        "changes": {GONE: nothing},
        "quotes": lambda _message: False,
        "edits": {GONE: None},
        "subject": "Forget a file",
        "provenance": Provenance(writer=Writer.USER, origin="human"),
    }
    return Scrub(**fields | more)


def scrub(memory, what=None):
    with memory.writing("scrubbing"):
        scrub_history(memory, what or wanted())


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, gone=page("basilisk\n"), kept=page("kept\n"))
    put(memory, gone=page("basilisk again\n"))
    memory.move_baseline(memory.tree().tree_id)
    edits = {GONE: b"basilisk\n", "reference/new.md": page("new\n").encode()}
    memory.keep_proposal(memory.tree(), edits, subject="x", provenance=Provenance(writer=Writer.LEARN, run="r"))
    return memory


def listed(memory):
    return memory.tree().read_own(SCRUBBED).decode().split()


def holds(memory, words):
    return look_in_objects(memory.folder, Finder([words])).finds != ()


def test_every_reference_of_ours_is_rewritten_and_the_files_follow(memory):
    scrub(memory)
    finish_scrub(memory)
    assert not holds(memory, "basilisk")
    assert not (memory.folder / GONE).exists()
    assert memory.tree().read("reference/kept.md") == page("kept\n")
    assert memory.proposals() == ["r"]
    assert memory.baseline() is not None
    assert git(memory.folder, "status", "--porcelain") == ""
    assert git(memory.folder, "fsck", "--strict") == ""


@pytest.mark.parametrize("edit", [b"basilisk\n", None])
def test_a_proposal_of_which_nothing_is_left_does_not_wait_any_more(memory, edit):
    memory.keep_proposal(
        memory.tree(), {GONE: edit}, subject="x", provenance=Provenance(writer=Writer.LEARN, run="only")
    )
    scrub(memory)
    finish_scrub(memory)
    assert memory.proposals() == ["r"]
    assert not holds(memory, "basilisk")


def test_the_ids_of_what_went_are_listed_and_the_list_grows(memory):
    ids = set(git(memory.folder, "log", "--format=", "--raw", "--no-abbrev", "--", GONE).split())
    blobs = {word for word in ids if len(word) == 40 and set(word) != {"0"}}
    scrub(memory)
    assert set(listed(memory)) >= blobs
    put(memory, other=page("other\n"))
    scrub(memory, wanted(changes={"reference/other.md": nothing}, edits={"reference/other.md": None}))
    assert set(listed(memory)) > blobs


def test_bytes_that_also_stand_elsewhere_are_neither_listed_nor_missed(memory):
    put(memory, twin=memory.tree().read(GONE))
    twin = git(memory.folder, "rev-parse", "HEAD:reference/twin.md").strip()
    scrub(memory)
    finish_scrub(memory)
    assert twin not in listed(memory)
    assert memory.tree().has("reference/twin.md")


def test_the_list_is_no_memory_file(memory):
    scrub(memory)
    assert memory.hand_edits().edits == {}
    assert memory.hand_edits().refused == {}


def test_a_commit_that_only_the_reflog_has_is_rewritten_too(memory):
    git(memory.folder, "commit", "-q", "--amend", "-m", "lost basilisk")
    git(memory.folder, "reset", "-q", "--hard", "HEAD~1")
    (memory.folder / ".git/ORIG_HEAD").unlink()
    scrub(memory, wanted(quotes=lambda message: "basilisk" in message))
    finish_scrub(memory)
    assert not holds(memory, "basilisk")
    assert "basilisk" not in (memory.folder / ".git/logs/HEAD").read_text()
    assert git(memory.folder, "fsck", "--strict") == ""


def test_hand_edits_staged_copies_and_files_of_that_name_are_refused(memory):
    (memory.folder / GONE).write_text("mine\n")
    with pytest.raises(DirtyPath):
        scrub(memory)
    git(memory.folder, "checkout", "-q", GONE)
    (memory.folder / "copy.md").write_text(memory.tree().read(GONE))
    git(memory.folder, "add", "copy.md")
    with pytest.raises(DirtyPath, match="git add"):
        scrub(memory)
    git(memory.folder, "rm", "-q", "--cached", "copy.md")
    memory.commit({GONE: None}, subject="x", provenance=TOOL)
    (memory.folder / GONE).write_text("mine\n")
    with pytest.raises(DirtyPath, match="never committed"):
        scrub(memory, wanted(edits={}))
    assert holds(memory, "basilisk")


def test_unrelated_hand_edits_stay(memory):
    (memory.folder / "reference/kept.md").write_text("my edit\n")
    (memory.folder / "new.md").write_text("new\n")
    scrub(memory)
    assert (memory.folder / "reference/kept.md").read_text() == "my edit\n"
    assert git(memory.folder, "status", "--porcelain").splitlines() == [" M reference/kept.md", "?? new.md"]


def test_a_person_on_another_branch_is_refused(memory):
    git(memory.folder, "switch", "-qc", "mine")
    with pytest.raises(RefusedError, match="not on branch main"):
        scrub(memory)


def test_a_scrub_that_is_repeated_makes_no_further_commit(memory):
    scrub(memory)
    head = memory.head()
    assert unfinished(memory)
    scrub(memory, wanted(edits={}))
    assert memory.head() == head
    finish_scrub(memory)
    assert unfinished(memory) is None
