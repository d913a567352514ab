import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from support import memfs as support
from support.memfs import FAKE_SECRET, draft, git, modes_below, page, put
from vademecum.errors import FrontMatterInvalid, NotFound, ReadOnly, SecretFound, StorageError, UnsafePath
from vademecum.memfs import ChangeKind, delete_draft, runs_drafting
from vademecum.memfs.landing import drafts
from vademecum.memfs.operations import create, insert, rename, str_replace


@pytest.fixture
def memory(tmp_path):
    memory = support.create(tmp_path)
    put(memory, a=page("a\n"), b=page("b\n"))
    return memory


def test_a_draft_is_a_plain_folder_without_git(tmp_path, memory):
    """core-W19"""
    with draft(memory, tmp_path) as work:
        assert {path.name for path in work.folder.iterdir()} == {
            ".inputs", "extensions", "reference", "skills", "system",
        }  # fmt: skip
        assert (work.folder / "reference/a.md").read_text() == page("a\n")
        assert modes_below(work.folder) == {0o600, 0o700}
        assert work.folder.stat().st_mode & 0o777 == 0o700
    assert not work.folder.exists()


def test_a_draft_is_deleted_after_an_error_too(tmp_path, memory):
    with pytest.raises(ZeroDivisionError), draft(memory, tmp_path) as work:
        _ = 1 // 0
    assert not work.folder.exists()


def test_a_draft_shows_committed_state_only(tmp_path, memory):
    (memory.folder / "reference/a.md").write_text("dirty")
    first = memory.resolve("HEAD~1")
    with draft(memory, tmp_path) as work:
        assert (work.folder / "reference/a.md").read_text() == page("a\n")
    with draft(memory, tmp_path, first) as work:
        assert not (work.folder / "reference").exists()
        assert work.base.revision == first


def test_what_was_written_is_frozen_as_changes(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        work.write("reference/a.md", page("new\n"))
        work.write("log/deep/c.md", "c\n")
        (work.folder / "reference/b.md").unlink()
        frozen = work.freeze()
    assert [(change.path, change.kind) for change in frozen.changes] == [
        ("log/deep/c.md", ChangeKind.ADDED),
        ("reference/a.md", ChangeKind.MODIFIED),
        ("reference/b.md", ChangeKind.DELETED),
    ]
    assert frozen.read("reference/a.md") == page("new\n")
    assert frozen.read("system/human.md") == frozen.base.read("system/human.md")
    assert frozen.has("log/deep/c.md")
    assert not frozen.has("reference/b.md")
    with pytest.raises(NotFound):
        frozen.read("reference/b.md")
    expected = (set(frozen.base.paths()) | {"log/deep/c.md"}) - {"reference/b.md"}
    assert frozen.paths() == sorted(expected)


def test_an_untouched_draft_has_no_changes(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        (work.folder / "reference/a.md").write_text("other")
        (work.folder / "reference/a.md").write_text(page("a\n"))
        (work.folder / "empty").mkdir()
        assert work.freeze().changes == []


def test_inputs_are_no_part_of_the_draft(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        (work.inputs / "rollout.md").write_text("input")
        (work.inputs / "link.md").symlink_to("/etc/passwd")
        frozen = work.freeze()
    assert frozen.changes == []
    assert frozen.irregular == {}


def test_writing_after_the_freeze_has_no_effect(tmp_path, memory):
    """core-W19: exactly the frozen bytes are checked and landed."""
    with draft(memory, tmp_path) as work:
        work.write("reference/a.md", page("checked\n"))
        frozen = work.freeze()
        work.write("reference/a.md", page("swapped\n"))
    assert frozen.read("reference/a.md") == page("checked\n")


def test_a_refused_draft_leaves_nothing_in_the_object_store(tmp_path, memory):
    before = git(memory.folder, "count-objects")
    with draft(memory, tmp_path) as work:
        work.write("reference/a.md", page("never landed\n"))
        work.freeze()
    assert git(memory.folder, "count-objects") == before


def make_odd(folder, name):
    path = folder / "reference" / "odd.md"
    if name == "symlink":
        path.symlink_to("/etc/passwd")
    elif name == "linked":
        os.link(folder / "reference/a.md", path)
    elif name == "fifo":
        os.mkfifo(path)
    elif name == "executable":
        path.write_text(page())
        path.chmod(0o700)
    elif name == "huge":
        path.write_bytes(b"x" * (4 * 1024 * 1024 + 1))
    else:
        deep = folder.joinpath(*["d"] * 40)
        deep.mkdir(parents=True)
        (deep / "odd.md").write_text("x")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("symlink", "symbolic link"),
        ("linked", "hard link"),
        ("fifo", "not a regular file"),
        ("executable", "executable"),
        ("huge", "bytes"),
        ("deep", "too deep"),
    ],
)
def test_what_is_no_plain_file_is_named_and_never_read(tmp_path, memory, name, reason):
    """core-W18, core-R85"""
    with draft(memory, tmp_path) as work:
        make_odd(work.folder, name)
        irregular = work.freeze().irregular
    assert any(reason in found for found in irregular.values())


def test_a_folder_swapped_for_a_link_is_not_followed(tmp_path, memory):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.md").write_text("outside")
    with draft(memory, tmp_path) as work:
        for path in (work.folder / "reference").iterdir():
            path.unlink()
        (work.folder / "reference").rmdir()
        (work.folder / "reference").symlink_to(tmp_path / "outside")
        frozen = work.freeze()
        assert frozen.irregular == {"reference": "is a symbolic link"}
        assert not frozen.has("reference/a.md")
        with pytest.raises(UnsafePath):
            work.write("reference/a.md", "x")
    assert (tmp_path / "outside/a.md").read_text() == "outside"


def swapping(monkeypatch, name, swap):
    """Do something to a file or folder right after the walk has looked at it, and before it is opened."""
    stat = os.stat

    def stat_then_swap(path, **options):
        found = stat(path, **options)
        if path == name and "dir_fd" in options:
            monkeypatch.undo()
            swap()
        return found

    monkeypatch.setattr(os, "stat", stat_then_swap)


def test_a_file_swapped_while_it_is_frozen_is_named_and_never_read(tmp_path, memory, monkeypatch):
    """core-R85"""
    (tmp_path / "outside.md").write_text("outside")
    makers = (lambda file: file.symlink_to(tmp_path / "outside.md"), os.mkfifo, Path.mkdir, lambda _file: None)
    for make in makers:
        with draft(memory, tmp_path) as work:
            file = work.folder / "reference/a.md"
            swapping(monkeypatch, "a.md", lambda file=file, make=make: (file.unlink(), make(file)))
            frozen = work.freeze()
        assert frozen.irregular == {"reference/a.md": "was swapped for something else while it was read"}
        assert "reference/a.md" not in frozen.edits


def test_a_folder_swapped_while_it_is_frozen_is_named_and_not_followed(tmp_path, memory, monkeypatch):
    with draft(memory, tmp_path) as work:
        folder = work.folder / "reference"
        swapping(monkeypatch, "reference", lambda: (folder.rename(tmp_path / "away"), folder.symlink_to("/etc")))
        assert work.freeze().irregular == {"reference": "was swapped for something else while it was read"}


def as_another_user(action, folder):
    """Call `action` in a child that may not read everything, as root may, and that owns the folder; its answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", "65534:65534", folder], check=True)
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        try:
            os.write(writer, repr(action()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as answer:
        return answer.read()


def test_a_folder_or_file_without_permission_is_named_and_goes_with_the_draft(request):
    folder = Path(tempfile.mkdtemp())  # below `tmp_path`, folders of root stand in another user's way
    request.addfinalizer(lambda: shutil.rmtree(folder))
    work = draft(support.create(folder), folder)
    (work.folder / "system/human.md").chmod(0)
    (work.folder / "skills").chmod(0)

    def freeze_and_leave():
        with work:
            return work.freeze().irregular

    denied = "may not be read (its permissions)"
    assert as_another_user(freeze_and_leave, folder) == repr({"skills": denied, "system/human.md": denied})
    assert not work.folder.exists()


def test_names_that_are_not_utf8_are_escaped(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        Path(os.fsdecode(os.fsencode(work.folder) + b"/caf\xe9.md")).write_text("x")
        (change,) = work.freeze().changes
    assert change.path == "caf\\udce9.md"


def test_only_memory_paths_can_be_written(tmp_path, memory):
    with draft(memory, tmp_path) as work, pytest.raises(UnsafePath):
        work.write("../outside.md", "x")


def test_a_persons_other_files_stay_out_and_count_as_unchanged(tmp_path, memory):
    (memory.folder / "photo.png").write_bytes(b"\x89PNG")
    (memory.folder / ".gitignore").write_text("*.swp\n")
    git(memory.folder, "add", ".")
    git(memory.folder, "commit", "-qm", "mine")
    with draft(memory, tmp_path) as work:
        assert not (work.folder / "photo.png").exists()
        assert work.freeze().changes == []


def test_bytes_that_are_not_text_are_frozen_and_fail_when_read(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        (work.folder / "log.md").write_bytes(b"\xff\xfe")
        frozen = work.freeze()
    with pytest.raises(FrontMatterInvalid):
        frozen.read("log.md")


def test_a_folder_that_exists_is_refused_and_kept(tmp_path, memory):
    (tmp_path / "draft").mkdir()
    (tmp_path / "draft/precious").touch()
    with pytest.raises(StorageError):
        draft(memory, tmp_path)
    assert (tmp_path / "draft/precious").exists()


def test_a_draft_that_cannot_be_written_whole_is_deleted(tmp_path, memory, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(drafts.WorkTree, "populate", full)
    with pytest.raises(StorageError, match="No space left"):
        draft(memory, tmp_path)
    assert not (tmp_path / "draft").exists()


def test_an_operation_works_in_a_draft_as_it_does_on_the_memory(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        work.apply(lambda files, rules: create(files, rules, "log/c", description="c", text="c"))
        work.apply(lambda files, rules: str_replace(files, rules, f"{work.folder}/log/c.md", old="c", new="d"))
        moved = work.apply(lambda files, rules: rename(files, rules, "reference", "people"))
        frozen = work.freeze()
    assert moved.paths == ("people/a.md", "people/b.md", "reference/a.md", "reference/b.md")
    assert {change.path for change in frozen.changes} == {*moved.paths, "log/c.md"}
    assert frozen.read("log/c.md") == page("d\n", "c")
    assert frozen.size("people/a.md") == frozen.base.size("reference/a.md")


def test_an_operation_in_a_draft_has_no_more_rights_than_a_learner(tmp_path, memory):
    with draft(memory, tmp_path) as work:
        with pytest.raises(ReadOnly):
            work.apply(lambda files, rules: insert(files, rules, "system/boundaries", line=9, text="x"))
        with pytest.raises(SecretFound):
            work.apply(lambda files, rules: create(files, rules, "log/c", description="c", text=FAKE_SECRET))
        (work.folder / "log").symlink_to(tmp_path)
        with pytest.raises(UnsafePath):
            work.apply(lambda files, rules: create(files, rules, "log/c", description="c"))
        assert work.freeze().changes == []
    assert not (tmp_path / "c.md").exists()


def test_a_draft_that_cannot_be_deleted_does_not_fail_the_work(tmp_path, memory, monkeypatch):
    """core-R84: it is found again by its run, and goes when it can."""
    with draft(memory, tmp_path / "drafts") as work:
        monkeypatch.setattr(drafts.shutil, "rmtree", refusing)
    assert runs_drafting(tmp_path / "drafts") == [work.folder.name]
    with pytest.raises(StorageError, match="Device or resource busy"):
        delete_draft(tmp_path / "drafts", work.folder.name)
    monkeypatch.undo()
    (tmp_path / f"drafts/{work.folder.name}.finished").touch()
    delete_draft(tmp_path / "drafts", work.folder.name)
    delete_draft(tmp_path / "drafts", work.folder.name)
    assert runs_drafting(tmp_path / "drafts") == []


def refusing(folder, *_):
    raise OSError(16, "Device or resource busy", str(folder))
