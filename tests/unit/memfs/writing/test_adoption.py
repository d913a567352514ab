import pytest

from support.memfs import FAKE_SECRET, create, git, page, put
from vademecum.memfs import Writer, repository
from vademecum.memfs.writing import committing


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("a\n"), b=page("b\n"))
    return memory


def test_hand_edits_become_one_commit_of_the_persons_own(memory):
    (memory.folder / "reference/a.md").write_text(page("by hand\n"))
    (memory.folder / "reference/b.md").unlink()
    (memory.folder / "log").mkdir()
    (memory.folder / "log/new.md").write_text("new\n")
    adoption = memory.adopt()
    assert adoption.refused == {}
    assert adoption.commit.paths == ("log/new.md", "reference/a.md", "reference/b.md")
    assert (adoption.commit.author, adoption.commit.provenance.writer) == ("user", Writer.USER)
    assert git(memory.folder, "status", "--porcelain") == ""


def test_staged_edits_are_adopted_as_well(memory):
    (memory.folder / "reference/a.md").write_text(page("staged\n"))
    git(memory.folder, "add", ".")
    assert memory.adopt().commit.paths == ("reference/a.md",)
    assert git(memory.folder, "status", "--porcelain") == ""


def test_nothing_edited_is_nothing_adopted(memory):
    before = memory.head()
    assert memory.adopt().commit is None
    assert memory.head() == before


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (page(FAKE_SECRET).encode(), "looks like a secret"),
        (b"---\ndescription: a: b\n---\n", "must be quoted"),
        (page("<<<<<<< ours\n").encode(), "conflict marker"),
        ("x".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_may_not_become_memory_is_left_and_the_others_are_taken(memory, data, reason):
    (memory.folder / "reference/a.md").write_bytes(data)
    (memory.folder / "reference/b.md").write_text(page("by hand\n"))
    adoption = memory.adopt()
    assert reason in adoption.refused["reference/a.md"]
    assert adoption.commit.paths == ("reference/b.md",)
    assert (memory.folder / "reference/a.md").read_bytes() == data


def test_a_person_may_set_and_clear_read_only(memory):
    """core-R43, turned round by design."""
    locked = "---\ndescription: x\nread_only: true\n---\n"
    (memory.folder / "reference/a.md").write_text(locked)
    assert memory.adopt().commit
    (memory.folder / "reference/a.md").write_text(page())
    assert memory.adopt().commit


def test_files_that_are_no_memory_are_not_looked_at(memory):
    for name in (".DS_Store", "photo.png", ".a.md.swp", "a.md~"):
        (memory.folder / name).write_bytes(b"\xff")
    adoption = memory.adopt()
    assert (adoption.commit, adoption.refused) == (None, {})


def test_links_are_refused_and_left(memory):
    (memory.folder / "link.md").symlink_to("/etc/passwd")
    assert "symbolic link" in memory.adopt().refused["link.md"]


def test_a_work_tree_that_is_lost_is_not_a_mass_deletion(memory):
    put(memory, **{f"page-{number}": page() for number in range(20)})
    for path in (memory.folder / "reference").iterdir():
        path.unlink()
    adoption = memory.adopt()
    assert adoption.commit is None
    assert "lost" in adoption.refused["reference/a.md"]


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
def test_adopting_waits_for_a_running_git_command_as_a_write_does(memory, lock, monkeypatch):
    """A person's own git command holds git's locks for moments; that is no reason to give up."""
    (memory.folder / "reference/a.md").write_text(page("by hand\n"))
    held = memory.folder / ".git" / lock
    held.write_text("somebody else's")
    monkeypatch.setattr(repository.time, "sleep", lambda _seconds: held.unlink())
    assert memory.adopt().commit.paths == ("reference/a.md",)
    assert git(memory.folder, "status", "--porcelain") == ""


def test_a_commit_of_the_persons_own_while_adopting_is_built_upon(memory, monkeypatch):
    """The branch moved after the tree was read: what the person committed stays, the rest is adopted onto it."""
    (memory.folder / "reference/a.md").write_text(page("by hand\n"))
    (memory.folder / "reference/b.md").write_text(page("committed\n"))
    look = committing.find_hand_edits

    def commit_after_looking(folder, base, **options):
        found = look(folder, base, **options)
        if "committed" not in memory.tree().read("reference/b.md"):
            git(folder, "commit", "-m", "mine", "--", "reference/b.md")
        return found

    monkeypatch.setattr(committing, "find_hand_edits", commit_after_looking)
    assert memory.adopt().commit.paths == ("reference/a.md",)
    assert [commit.subject for commit in memory.log(limit=2)][1] == "mine"


def test_where_nothing_was_edited_nobody_waits_for_a_running_git_command(memory):
    (memory.folder / ".git/index.lock").write_bytes(b"")
    assert memory.adopt().commit is None
