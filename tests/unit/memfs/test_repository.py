import errno
import os
import shutil
from datetime import UTC, datetime

import pytest

from support.memfs import FAKE_SECRET, TOOL, clock, create, git, learn, modes_below, page, put
from vademecum.errors import (
    BusyError,
    DirtyPath,
    FrontMatterInvalid,
    HeadMoved,
    NotFound,
    RefusedError,
    RepositoryMissing,
    SecretFound,
    StorageError,
    UnsafePath,
    UsageError,
)
from vademecum.locks import Domain, Locks
from vademecum.memfs import ChangeKind, Provenance, Repository, Writer
from vademecum.memfs.seeds import seed_files


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path, clock=clock())


class TestCreate:
    def test_a_new_memory_is_one_commit_with_the_seeds(self, tmp_path, memory):
        """core-5.4, core-23.1"""
        (start,) = memory.log()
        assert start.subject == "Start the memory repository"
        assert start.paths == tuple(memory.tree().paths()) == tuple(seed_files())
        assert git(memory.folder, "status", "--porcelain") == ""
        assert git(memory.folder, "branch", "--show-current") == "main\n"

    def test_creating_again_changes_nothing(self, tmp_path, memory):
        """core-R103"""
        commit = put(memory, a=page())
        memory.commit({"system/human.md": None}, subject="no human", provenance=TOOL)
        before = memory.head()
        again = create(tmp_path)
        assert again.head() == before
        assert commit.id in {entry.id for entry in again.log()}
        assert not again.tree().has("system/human.md")

    def test_creating_again_needs_no_lock(self, tmp_path, memory):
        with Locks(tmp_path / "locks").hold(Domain.MEMORY_WRITE, purpose="testing", wait_seconds=0):
            assert Repository.create(memory.folder, locks=Locks(tmp_path / "no-locks")).head() == memory.head()
        assert not (tmp_path / "no-locks").exists()

    def test_files_that_are_there_already_are_never_overwritten(self, tmp_path):
        """core-23.2"""
        mine = tmp_path / "memory" / "system" / "human.md"
        mine.parent.mkdir(parents=True)
        mine.write_text("mine")
        memory = create(tmp_path)
        assert mine.read_text() == "mine"
        assert not memory.tree().has("system/human.md")
        assert memory.tree().has("system/persona.md")
        assert git(memory.folder, "status", "--porcelain") == "?? system/human.md\n"

    def test_a_repository_that_was_begun_is_completed(self, tmp_path, memory):
        """core-W3"""
        shutil.rmtree(memory.folder)
        (memory.folder / ".vademecum-new" / ".git").mkdir(parents=True)
        assert create(tmp_path).tree().paths() == list(seed_files())
        assert not (memory.folder / ".vademecum-new").exists()

    def test_a_persons_empty_repository_is_used(self, tmp_path):
        (tmp_path / "memory").mkdir()
        git(tmp_path / "memory", "init", "-q", "-b", "main")
        assert len(create(tmp_path).log()) == 1

    @pytest.mark.parametrize("name", ["memory", "identity"])
    def test_a_root_or_parent_that_is_a_link_is_refused(self, tmp_path, name):
        """core-R8"""
        (tmp_path / "elsewhere").mkdir()
        folder = tmp_path / "identity" / "memory"
        if name == "memory":
            folder.parent.mkdir()
            folder.symlink_to(tmp_path / "elsewhere")
        else:
            folder.parent.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(UnsafePath, match="symbolic link"):
            Repository.create(folder, locks=Locks(tmp_path / "locks"))
        assert list((tmp_path / "elsewhere").iterdir()) == []

    def test_everything_is_for_its_owner_only(self, memory):
        put(memory, a=page())
        memory.move_baseline(memory.tree().tree_id)
        assert modes_below(memory.folder) == {0o700, 0o600, 0o400}
        assert memory.folder.stat().st_mode & 0o777 == 0o700


class TestOpen:
    def test_a_folder_without_a_repository_is_missing(self, tmp_path):
        """core-R37"""
        with pytest.raises(RepositoryMissing):
            Repository.open(tmp_path / "memory", locks=Locks(tmp_path / "locks"))
        (tmp_path / "memory").mkdir()
        with pytest.raises(RepositoryMissing):
            Repository.open(tmp_path / "memory", locks=Locks(tmp_path / "locks"))

    def test_a_repository_without_a_commit_on_main_is_missing(self, tmp_path):
        (tmp_path / "memory").mkdir()
        git(tmp_path / "memory", "init", "-q", "-b", "main")
        with pytest.raises(RepositoryMissing, match="no commit"):
            Repository.open(tmp_path / "memory", locks=Locks(tmp_path / "locks"))

    def test_opening_needs_no_lock(self, tmp_path, memory):
        with Locks(tmp_path / "locks").hold(Domain.MEMORY_WRITE, purpose="testing", wait_seconds=0):
            assert Repository.open(memory.folder, locks=Locks(tmp_path / "locks")).head() == memory.head()


class TestCommit:
    def test_a_commit_says_what_was_written_by_whom_and_when(self, memory):
        """core-R32"""
        provenance = Provenance(writer=Writer.LEARN, session="s-1", run="r-1", turn=3, origin="human")
        commit = put(memory, "Learn a", provenance, a=page(), b=page())
        assert (commit.subject, commit.provenance, commit.author) == ("Learn a", provenance, "vademecum")
        assert commit.paths == ("reference/a.md", "reference/b.md")
        assert commit.at == datetime(2026, 1, 1, 0, 1, tzinfo=UTC)
        assert memory.log(limit=1) == [commit]
        assert commit.id == memory.head()

    def test_texts_are_whole_and_none_deletes(self, memory):
        put(memory, a=page("one\n"), b=page())
        memory.commit({"reference/a.md": page("two\n"), "reference/b.md": None}, subject="x", provenance=TOOL)
        assert memory.tree().read("reference/a.md") == page("two\n")
        assert (memory.folder / "reference/a.md").read_text() == page("two\n")
        assert not (memory.folder / "reference/b.md").exists()
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_folders_that_become_empty_are_removed(self, memory):
        memory.commit({"people/ann/card.md": page()}, subject="x", provenance=TOOL)
        memory.commit({"people/ann/card.md": None}, subject="y", provenance=TOOL)
        assert not (memory.folder / "people").exists()

    def test_no_effective_change_is_no_commit(self, memory):
        """core-R21"""
        put(memory, a=page())
        before = memory.head()
        assert put(memory, a=page()) is None
        assert memory.commit({"reference/none.md": None}, subject="x", provenance=TOOL) is None
        assert memory.commit({}, subject="x", provenance=TOOL) is None
        assert memory.head() == before

    def test_every_commit_has_head_as_its_only_parent(self, memory):
        for number in range(3):
            put(memory, a=page(f"{number}\n"))
        assert git(memory.folder, "rev-list", "--min-parents=2", "HEAD") == ""
        assert git(memory.folder, "rev-list", "--count", "HEAD") == "4\n"
        assert git(memory.folder, "reflog", "--format=%gs", "-n1") == "commit: put\n"

    def test_a_name_may_change_its_case_or_kind_in_two_commits_but_not_in_one(self, memory):
        memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL)
        for other in ("log/A.md", "log/a.md/b.md"):
            with pytest.raises(UnsafePath, match="cannot stand beside"):
                memory.commit({"log/a.md": None, other: "y\n"}, subject="y", provenance=TOOL)
        memory.commit({"log/a.md": None}, subject="y", provenance=TOOL)
        memory.commit({"log/a.md/b.md": "y\n"}, subject="z", provenance=TOOL)
        assert (memory.folder / "log/a.md/b.md").read_text() == "y\n"
        assert git(memory.folder, "status", "--porcelain") == ""

    @pytest.mark.parametrize(
        ("edits", "error"),
        [
            ({"../x.md": "x"}, UnsafePath),
            ({".git/hooks/x.md": "x"}, UnsafePath),
            ({"System/x.md": page()}, UnsafePath),
            ({"system/human.md/x.md": page()}, UnsafePath),
            ({"reference/x.md": "no header\n"}, FrontMatterInvalid),
            ({"log/x.md": "a\r\nb"}, FrontMatterInvalid),
            ({"log/x.md": "a\ud800b"}, FrontMatterInvalid),
            ({"log/x.md": f"token {FAKE_SECRET}\n"}, SecretFound),
            ({f"log/{FAKE_SECRET}.md": "x\n"}, SecretFound),
        ],
    )
    def test_what_may_not_become_durable_is_refused_before_anything_is_written(self, memory, edits, error):
        """core-R46"""
        before, objects = memory.head(), modes_count(memory)
        with pytest.raises(error):
            memory.commit({"log/good.md": "good\n", **edits}, subject="x", provenance=TOOL)
        assert (memory.head(), modes_count(memory)) == (before, objects)
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_a_secret_in_the_reason_is_refused_and_not_repeated(self, memory):
        """core-W20"""
        with pytest.raises(SecretFound) as caught:
            put(memory, f"because {FAKE_SECRET}", a=page())
        assert FAKE_SECRET not in str(caught.value)

    def test_a_blank_subject_is_a_usage_error(self, memory):
        with pytest.raises(UsageError):
            put(memory, " ", a=page())

    def test_a_bad_header_that_was_there_already_may_stay_while_the_body_is_edited(self, memory):
        """core-R86"""
        old = "---\ndescription: >\n  wide\n---\nold\n"
        (memory.folder / "reference").mkdir()
        (memory.folder / "reference/a.md").write_text(old)
        git(memory.folder, "add", ".")
        git(memory.folder, "commit", "-qm", "by hand")
        put(memory, a=old.replace("old", "new"))
        with pytest.raises(FrontMatterInvalid):
            put(memory, a="---\ndescription: |\n  worse\n---\nnew\n")


def modes_count(memory):
    return sum(len(files) for _, _, files in os.walk(memory.folder / ".git" / "objects"))


class TestHandEdits:
    def test_unrelated_dirt_neither_blocks_nor_is_swept_in(self, memory):
        """core-R23, turned round by design: only affected paths matter."""
        put(memory, a=page(), b=page())
        (memory.folder / "reference/b.md").write_text("edited")
        (memory.folder / ".DS_Store").write_text("junk")
        (memory.folder / "staged.md").write_text("staged")
        git(memory.folder, "add", "staged.md")
        commit = put(memory, a=page("new\n"))
        assert commit.paths == ("reference/a.md",)
        assert (memory.folder / "reference/b.md").read_text() == "edited"
        assert git(memory.folder, "status", "--porcelain") == " M reference/b.md\nA  staged.md\n?? .DS_Store\n"

    def test_a_hand_edit_of_the_same_path_is_never_overwritten(self, memory):
        put(memory, a=page())
        (memory.folder / "reference/a.md").write_text("by hand")
        with pytest.raises(DirtyPath, match=r"reference/a\.md has a hand edit") as caught:
            put(memory, a=page("tool\n"))
        assert "vade adopt" in caught.value.next_step
        assert (memory.folder / "reference/a.md").read_text() == "by hand"

    def test_an_untracked_file_at_a_new_path_is_never_overwritten(self, memory):
        (memory.folder / "log").mkdir()
        (memory.folder / "log/a.md").write_text("mine")
        with pytest.raises(DirtyPath):
            memory.commit({"log/a.md": "tool\n"}, subject="x", provenance=TOOL)

    def test_a_file_deleted_by_hand_is_not_written_again(self, memory):
        put(memory, a=page())
        (memory.folder / "reference/a.md").unlink()
        with pytest.raises(DirtyPath):
            put(memory, a=page("tool\n"))

    def test_an_index_entry_that_a_git_command_wrote_back_is_brought_up_to_date(self, memory):
        """git 2.39 reads the index before it locks it; see `Changeset.stale_entries`."""
        put(memory, a=page("1\n"))
        old = (memory.folder / ".git/index").read_bytes()
        put(memory, a=page("2\n"))
        (memory.folder / ".git/index").write_bytes(old)
        put(memory, a=page("3\n"))
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_a_staged_edit_is_a_hand_edit(self, memory):
        put(memory, a=page())
        (memory.folder / "reference/a.md").write_text(page("staged\n"))
        git(memory.folder, "add", ".")
        (memory.folder / "reference/a.md").write_text(page())
        with pytest.raises(DirtyPath):
            put(memory, a=page("tool\n"))

    def test_a_hand_edit_that_says_the_same_is_no_obstacle(self, memory):
        put(memory, a=page())
        (memory.folder / "reference/a.md").write_text(page("same\n"))
        assert put(memory, a=page("same\n")) is not None
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_a_commit_by_hand_is_the_next_parent(self, memory):
        (memory.folder / "by-hand.md").write_text("x\n")
        git(memory.folder, "add", ".")
        git(memory.folder, "commit", "-qm", "My own")
        put(memory, a=page())
        mine = memory.log()[1]
        assert (mine.subject, mine.provenance.writer, mine.author) == ("My own", Writer.USER, "Person")

    def test_links_on_the_way_are_refused(self, tmp_path, memory):
        """core-R8"""
        (tmp_path / "outside").mkdir()
        (memory.folder / "log").symlink_to(tmp_path / "outside")
        with pytest.raises(UnsafePath, match="on the way"):
            memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL)
        (memory.folder / "people").mkdir()
        (memory.folder / "people/a.md").symlink_to(tmp_path / "outside/gone.md")
        with pytest.raises(UnsafePath, match="link"):
            memory.commit({"people/a.md": page()}, subject="x", provenance=TOOL)
        assert list((tmp_path / "outside").iterdir()) == []

    def test_a_file_with_a_second_name_is_refused(self, tmp_path, memory):
        put(memory, a=page())
        os.link(memory.folder / "reference/a.md", tmp_path / "second")
        with pytest.raises(UnsafePath, match="hard link"):
            put(memory, a=page("tool\n"))

    def test_another_branch_is_not_written(self, memory):
        git(memory.folder, "switch", "-qc", "experiment")
        with pytest.raises(RefusedError, match="experiment") as caught:
            put(memory, a=page())
        assert "git switch main" in caught.value.next_step

    def test_an_unfinished_merge_is_left_as_it_is(self, memory):
        """core-R80"""
        merge_head = memory.folder / ".git" / "MERGE_HEAD"
        merge_head.write_text(memory.head() + "\n")
        with pytest.raises(RefusedError, match="unfinished"):
            put(memory, a=page())
        assert merge_head.read_text() == memory.head() + "\n"

    @pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
    def test_a_running_git_command_makes_the_write_wait_and_then_say_busy(self, memory, lock):
        """core-R35"""
        before = memory.head()
        (memory.folder / ".git" / lock).write_text("somebody else's")
        with pytest.raises(BusyError, match="git command"):
            memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL, wait_seconds=0)
        assert memory.head() == before
        assert not (memory.folder / "log/a.md").exists()
        (memory.folder / ".git" / lock).unlink()
        assert memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL, wait_seconds=0)

    def test_a_lost_or_damaged_index_is_made_anew(self, memory):
        put(memory, a=page())
        (memory.folder / ".git/index").unlink()
        put(memory, a=page("2\n"))
        assert git(memory.folder, "status", "--porcelain") == ""
        (memory.folder / ".git/index").write_bytes(b"DIRCgarbage")
        put(memory, a=page("3\n"))
        assert git(memory.folder, "status", "--porcelain") == ""


class TestReading:
    def test_readers_see_committed_states_only(self, memory):
        """core-R89"""
        put(memory, a=page())
        (memory.folder / "reference/a.md").write_text("dirty")
        (memory.folder / "reference/new.md").write_text("dirty")
        tree = memory.tree()
        assert tree.read("reference/a.md") == page()
        assert not tree.has("reference/new.md")
        put(memory, b=page())
        assert not tree.has("reference/b.md")

    def test_paths_come_in_code_point_order(self, memory):
        """core-W34"""
        paths = ["B.md", "a-b.md", "a.md", "a/b.md", "é.md"]
        memory.commit(dict.fromkeys(reversed(paths), "x\n"), subject="x", provenance=TOOL)
        listed = memory.tree().paths()
        assert [path for path in listed if path in paths] == sorted(paths)
        assert listed == sorted(listed)

    def test_a_tree_tells_size_and_content_id(self, memory):
        put(memory, a=page("é\n"), b=page("é\n"))
        tree = memory.tree()
        assert tree.size("reference/a.md") == len(page("é\n").encode())
        assert tree.blob_id("reference/a.md") == tree.blob_id("reference/b.md")

    def test_what_is_not_there_is_not_found(self, memory):
        with pytest.raises(NotFound) as caught:
            memory.tree().read("no/such.md")
        assert caught.value.paths == ("no/such.md",)
        for revision in ("nonsense", "HEAD:system", "0" * 40, "HEAD~99", ""):
            with pytest.raises(NotFound):
                memory.tree(revision)

    def test_a_revision_may_be_short_or_relative(self, memory):
        first = memory.head()
        put(memory, a=page())
        assert memory.resolve("HEAD~1") == memory.resolve(first[:10]) == first
        assert not memory.tree("HEAD~1").has("reference/a.md")

    def test_files_that_are_no_text_are_named(self, memory):
        """core-R17"""
        (memory.folder / "u16.md").write_bytes("x".encode("utf-16"))
        (memory.folder / "latin.md").write_bytes(b"caf\xe9")
        git(memory.folder, "add", ".")
        git(memory.folder, "commit", "-qm", "by hand")
        with pytest.raises(FrontMatterInvalid, match="UTF-16"):
            memory.tree().read("u16.md")
        with pytest.raises(FrontMatterInvalid, match="byte 3 is 0xe9"):
            memory.tree().read("latin.md")
        assert memory.tree().read_bytes("latin.md") == b"caf\xe9"

    def test_links_that_somebody_committed_do_not_exist_for_readers(self, memory):
        """core-R47"""
        (memory.folder / "link.md").symlink_to("/etc/passwd")
        git(memory.folder, "add", ".")
        git(memory.folder, "commit", "-qm", "by hand")
        assert not memory.tree().has("link.md")
        assert "link.md" not in memory.tree().paths()
        put(memory, a=page())
        assert git(memory.folder, "ls-tree", "--name-only", "HEAD", "link.md") == "link.md\n"

    def test_two_trees_are_compared_path_by_path(self, memory):
        put(memory, a=page(), b=page())
        old = memory.tree()
        memory.commit(
            {"reference/a.md": page("new\n"), "reference/b.md": None, "log/c.md": "c\n"}, subject="x", provenance=TOOL
        )
        changes = {change.path: change.kind for change in old.diff(memory.tree())}
        assert changes == {
            "log/c.md": ChangeKind.ADDED,
            "reference/a.md": ChangeKind.MODIFIED,
            "reference/b.md": ChangeKind.DELETED,
        }

    def test_the_log_is_newest_first_and_can_be_paged(self, memory):
        for number in range(5):
            put(memory, f"change {number}", a=page(f"{number}\n"))
        assert [commit.subject for commit in memory.log(limit=2)] == ["change 4", "change 3"]
        assert [commit.subject for commit in memory.log(limit=2, offset=2)] == ["change 2", "change 1"]

    def test_the_log_of_a_path_names_only_its_commits(self, memory):
        put(memory, "both", a=page(), b=page())
        put(memory, "only b", b=page("2\n"))
        memory.commit({"reference/a.md": None}, subject="a goes", provenance=TOOL)
        assert [commit.subject for commit in memory.log("reference/a.md")] == ["a goes", "both"]
        assert memory.log("never/there.md") == []

    def test_below_a_folder_are_its_own_files_only(self, memory):
        near = ("log.md", "log-2/x.md", "log/a.md", "log/b/c.md", "log0/x.md", "logs/x.md")
        memory.commit(dict.fromkeys(near, "x\n"), subject="x", provenance=TOOL)
        assert memory.tree().below("log/") == ["log/a.md", "log/b/c.md"]
        assert memory.tree().below("nothing/") == []

    def test_what_one_writer_made_since_another_is_newest_first(self, memory):
        for number, writer in enumerate((Writer.UNDO, Writer.LEARN, Writer.UNDO, Writer.MEMORY_TOOL, Writer.UNDO)):
            put(memory, f"{number}", Provenance(writer=writer), a=page(f"{number}\n"))
        made = memory.since(Writer.LEARN, by=Writer.UNDO, most=9)
        assert [(commit.subject, commit.paths) for commit in made] == [
            ("4", ("reference/a.md",)),
            ("2", ("reference/a.md",)),
        ]
        assert [commit.subject for commit in memory.since(Writer.IMPORT, by=Writer.UNDO, most=3)] == ["4", "2"]

    def test_the_newest_state_of_a_writer_is_that_of_a_path_where_one_is_given(self, memory):
        learn = Provenance(writer=Writer.LEARN)
        put(memory, "first", learn, a=page("1\n"))
        put(memory, "second", learn, b=page("2\n"))
        put(memory, "tool", a=page("3\n"))
        newest = memory.newest_by(Writer.LEARN, most=9)
        assert memory.describe(newest.revision).subject == "second"
        assert memory.describe(memory.newest_by(Writer.LEARN, "reference/a.md", most=9).revision).subject == "first"
        assert memory.newest_by(Writer.LEARN, most=1) is None


class TestBaseline:
    def test_there_is_none_at_first(self, memory):
        assert memory.baseline() is None

    def test_it_keeps_a_tree_off_main(self, memory):
        put(memory, a=page())
        seen = memory.tree()
        memory.move_baseline(seen.tree_id)
        put(memory, b=page())
        baseline = memory.baseline()
        assert baseline.tree_id == seen.tree_id
        assert [change.path for change in baseline.diff(memory.tree())] == ["reference/b.md"]
        assert git(memory.folder, "rev-list", "--max-parents=0", "refs/vademecum/baseline") == baseline.revision + "\n"
        assert len(memory.log()) == 3

    def test_moving_it_to_where_it_is_writes_nothing(self, memory):
        memory.move_baseline(memory.tree().tree_id)
        before = memory.baseline().revision
        memory.move_baseline(memory.tree().tree_id)
        assert memory.baseline().revision == before

    @pytest.mark.parametrize("left", ["", "held by vade"])
    def test_a_lock_left_by_a_killed_writer_does_not_stop_it(self, memory, left):
        memory.move_baseline(memory.tree().tree_id)
        (memory.folder / ".git/refs/vademecum/baseline.lock").write_text(left)
        put(memory, a=page())
        memory.move_baseline(memory.tree().tree_id)
        assert memory.baseline().tree_id == memory.tree().tree_id


class TestFailures:
    def test_a_change_that_was_made_on_an_older_revision_is_refused_when_asked_to(self, memory):
        old = memory.head()
        put(memory, a=page())
        with pytest.raises(HeadMoved):
            memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL, on=old)
        assert memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL, on=memory.head())

    def test_a_full_disk_before_the_branch_moves_leaves_the_old_state(self, memory, monkeypatch):
        put(memory, a=page())
        before = memory.head()

        def full(*_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr("vademecum.memfs.writing.publication.write_new", full)
            with pytest.raises(StorageError, match="No space left") as caught:
                put(memory, a=page("new\n"))
        assert "Nothing that was stored has changed" in caught.value.intact
        assert memory.head() == before
        assert git(memory.folder, "status", "--porcelain") == ""
        assert put(memory, a=page("new\n"))

    def test_a_disk_that_fails_after_the_branch_moved_is_told_as_that_and_repaired(self, memory, monkeypatch):
        put(memory, a=page())

        def broken(*_):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        with monkeypatch.context() as patch:
            patch.setattr("vademecum.memfs.disk.worktree.WorkTree.take_over", broken)
            with pytest.raises(StorageError) as caught:
                put(memory, a=page("new\n"))
        assert "The change is committed as" in caught.value.intact
        assert memory.tree().read("reference/a.md") == page("new\n")
        put(memory, b=page())
        assert (memory.folder / "reference/a.md").read_text() == page("new\n")
        assert git(memory.folder, "status", "--porcelain") == ""

    def test_a_held_lock_is_busy(self, tmp_path, memory):
        answers = []
        with Locks(tmp_path / "locks").hold(Domain.MEMORY_WRITE, purpose="landing", wait_seconds=0):
            try:
                memory.commit({"log/a.md": "x\n"}, subject="x", provenance=TOOL, wait_seconds=0)
            except BusyError as error:
                answers.append(str(error))
        assert "landing" in answers[0]

    def test_a_lost_branch_is_a_missing_repository(self, memory):
        (memory.folder / ".git/refs/heads/main").unlink()
        with pytest.raises(RepositoryMissing, match="lost"):
            memory.head()

    def test_a_damaged_object_is_a_storage_error(self, memory):
        tree = memory.tree()
        shutil.rmtree(memory.folder / ".git/objects")
        (memory.folder / ".git/objects").mkdir()
        with pytest.raises(StorageError):
            Repository.open(memory.folder, locks=Locks(memory.folder.parent / "locks")).tree().paths()
        del tree

    def test_a_run_is_found_by_exact_trailers(self, memory):
        """core-R82"""
        start = memory.head()
        commit = put(memory, "Learn", learn("run-1"), a=page())
        put(memory, "about Vade-Run: run-2", b=page())
        assert memory.find_run(learn("run-1"), after=start) == commit
        assert memory.find_run(learn("run-2"), after=start) is None
        assert memory.find_run(learn("run-1"), after=commit.id) is None
