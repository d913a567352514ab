"""The number of the content format: written with the first commit, seen by nobody, and never passed over."""

import pytest

from support.memfs import TOOL, create, draft, git, learn, page, put
from vademecum.errors import DirtyPath, FormatTooNew, LandingRefused, StorageError, UnsafePath
from vademecum.locks import Locks
from vademecum.memfs import Repository, check, is_valid
from vademecum.memfs.writing import format as content_format
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, STEPS, Step, format_file


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def format_at(memory, revision=None):
    return memory.tree(revision).read_own(FORMAT_PATH)


def commit_format(memory, content):
    """What another version, or a person, committed as the format."""
    if content is None:
        git(memory.folder, "rm", "-q", FORMAT_PATH)
    else:
        (memory.folder / FORMAT_PATH).write_bytes(content)
        git(memory.folder, "add", "-f", FORMAT_PATH)
    git(memory.folder, "commit", "-qm", "by hand")


def subjects(memory):
    return [commit.subject for commit in memory.log()]


def test_a_new_memory_has_the_present_format(memory):
    """core-W45"""
    assert format_at(memory) == format_file(PRESENT) == (memory.folder / FORMAT_PATH).read_bytes()
    assert git(memory.folder, "status", "--porcelain") == ""


def test_a_clone_carries_it(tmp_path, memory):
    """core-W45"""
    git(tmp_path, "clone", "-q", str(memory.folder), "clone")
    clone = Repository.open(tmp_path / "clone", locks=Locks(tmp_path / "other-locks"))
    assert format_at(clone) == format_file(PRESENT)
    put(clone, a=page())
    assert subjects(clone)[1:] == subjects(memory)


class TestNobodySeesIt:
    def test_no_memory_path_names_it(self, memory):
        assert not is_valid(FORMAT_PATH)
        with pytest.raises(UnsafePath):
            memory.commit({FORMAT_PATH: "2\n"}, subject="x", provenance=TOOL)

    def test_readers_do_not_list_or_read_it(self, memory):
        tree = memory.tree()
        assert FORMAT_PATH not in tree.paths()
        assert not tree.has(FORMAT_PATH)
        assert not memory.tree().has(FORMAT_PATH), "nor before the list of files is read"
        assert memory.log()[0].paths == tuple(tree.paths())

    def test_its_change_is_no_new_input_for_learning(self, memory):
        before = memory.tree()
        commit_format(memory, None)
        assert before.diff(memory.tree()) == []

    def test_a_draft_does_not_hold_it_and_may_not_bring_it(self, tmp_path, memory):
        with draft(memory, tmp_path) as work:
            assert not (work.folder / FORMAT_PATH).exists()
            assert work.freeze().edits == {}
            (work.folder / ".vademecum").mkdir()
            (work.folder / FORMAT_PATH).write_text("7\n")
            with pytest.raises(LandingRefused, match="hidden"):
                check(work.freeze())

    def test_a_hand_edit_of_it_is_not_adopted_and_stops_nothing(self, memory):
        (memory.folder / FORMAT_PATH).write_text("7\n")
        assert memory.adopt().commit is None
        assert put(memory, a=page()).paths == ("reference/a.md",)
        (memory.folder / FORMAT_PATH).unlink()
        assert memory.adopt().commit is None
        assert format_at(memory) == format_file(PRESENT)


class TestNewerFormats:
    @pytest.fixture
    def newer(self, memory):
        commit_format(memory, format_file(PRESENT + 1))
        return memory

    def test_a_newer_format_is_read_and_not_written(self, newer):
        """core-W45"""
        head = newer.head()
        for write in (
            lambda: put(newer, a=page()),
            newer.adopt,
            lambda: newer.move_baseline(newer.tree().tree_id),
            lambda: newer.keep_proposal(newer.tree(), {}, subject="x", provenance=learn()),
        ):
            with pytest.raises(FormatTooNew, match=f"format {PRESENT + 1}"):
                write()
        assert newer.head() == head
        assert newer.tree().read("system/persona.md")
        assert len(newer.log()) == 2

    def test_it_is_refused_when_a_memory_is_made_from_a_copy_without_git(self, tmp_path):
        folder = tmp_path / "memory" / ".vademecum"
        folder.mkdir(parents=True)
        (folder / "format").write_bytes(format_file(PRESENT + 1))
        with pytest.raises(FormatTooNew):
            create(tmp_path)

    @pytest.mark.parametrize("content", [b"", b"one\n", b"-1\n", b"1\n<<<<<<< HEAD\n", "²\n".encode(), b"9" * 5000])
    def test_what_is_no_number_is_told_and_not_written_over(self, memory, content):
        commit_format(memory, content)
        with pytest.raises(StorageError, match="holds no number"):
            put(memory, a=page())
        assert format_at(memory) == content
        assert memory.tree().read("system/persona.md")


class TestSteps:
    def test_a_repository_without_the_file_gets_it_in_a_commit_of_its_own(self, memory):
        commit_format(memory, None)
        put(memory, "mine", a=page())
        assert subjects(memory)[:2] == ["mine", STEPS[0].subject]
        assert format_at(memory) == format_file(PRESENT)
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_opening_it_for_writing_is_enough(self, tmp_path, memory):
        commit_format(memory, None)
        assert subjects(create(tmp_path))[0] == STEPS[0].subject

    def test_reading_changes_nothing(self, tmp_path, memory):
        commit_format(memory, None)
        head = memory.head()
        Repository.open(memory.folder, locks=Locks(tmp_path / "locks")).tree().paths()
        assert memory.head() == head

    def test_not_while_the_person_is_in_the_middle_of_something(self, memory):
        """A proposal can be kept; the step waits for a write that may move main."""
        commit_format(memory, None)
        git(memory.folder, "switch", "-qc", "other")
        head = memory.head()
        memory.move_baseline(memory.tree().tree_id)
        assert memory.head() == head

    @pytest.fixture
    def later(self, monkeypatch):
        """A next format, in which a page has another name."""
        move = Step(
            subject="Move the page",
            edits=lambda tree: {
                "reference/old.md": None,
                "reference/new.md": tree.read_bytes("reference/old.md"),
            },
        )
        monkeypatch.setattr(content_format, "STEPS", (*STEPS, move))
        monkeypatch.setattr(content_format, "PRESENT", PRESENT + 1)

    def test_every_step_is_one_commit_in_its_turn(self, memory, request):
        put(memory, old=page("kept\n"))
        commit_format(memory, None)
        request.getfixturevalue("later")
        memory.adopt()
        assert subjects(memory)[:2] == ["Move the page", STEPS[0].subject]
        assert memory.tree().read("reference/new.md") == page("kept\n")
        assert (memory.folder / "reference/new.md").exists()
        assert not (memory.folder / "reference/old.md").exists()
        head = memory.head()
        memory.adopt()
        assert memory.head() == head

    def test_a_step_does_not_write_over_a_hand_edit(self, memory, request):
        put(memory, old=page())
        (memory.folder / "reference/old.md").write_text(page("mine\n"))
        request.getfixturevalue("later")
        with pytest.raises(DirtyPath):
            put(memory, a=page())
        assert format_at(memory) == format_file(PRESENT)
        assert (memory.folder / "reference/old.md").read_text() == page("mine\n")
