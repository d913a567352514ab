"""The scripts in `.git/hooks`: put in their place by every write of ours, and never over a person's own."""

import os
import subprocess

import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.hand_commits.hook import HOOKS, HookState, beside, hook_states, hooks_folder


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


@pytest.fixture
def hooks(memory):
    return hooks_folder(memory.folder)


def identity_of(file):
    status = file.stat()
    return status.st_ino, status.st_mtime_ns


def test_a_new_memory_has_them_for_the_owner_alone(memory, hooks):
    assert set(hook_states(memory.folder).values()) == {HookState.OURS}
    assert {(hooks / name).stat().st_mode & 0o777 for name in HOOKS} == {0o700}


def test_what_is_right_is_not_written_again(memory, hooks):
    """core-W4: git may be running it."""
    before = {name: identity_of(hooks / name) for name in HOOKS}
    put(memory, a=page())
    assert {name: identity_of(hooks / name) for name in HOOKS} == before


@pytest.mark.parametrize("harm", ["changed", "deleted", "not executable", "folder gone"])
@pytest.mark.parametrize("name", HOOKS)
def test_the_next_write_restores_it_by_rename(memory, hooks, name, harm):
    """core-R42, core-W4"""
    script = (hooks / name).read_bytes()
    with (hooks / name).open("rb") as running:
        if harm == "changed":
            (hooks / name).rename(hooks / "kept")
            (hooks / name).write_bytes(script + b"exit 0\n")
        elif harm == "deleted":
            (hooks / name).unlink()
        elif harm == "not executable":
            (hooks / name).chmod(0o600)
        else:
            hooks.rename(memory.folder / ".git/moved")
        assert hook_states(memory.folder)[name] is HookState.STALE
        put(memory, a=page())
        assert running.read() == script, "whoever runs the old one reads it to its end"
    assert (hooks / name).read_bytes() == script
    assert (hooks / name).stat().st_mode & 0o777 == 0o700
    assert sorted(file.name for file in hooks.iterdir() if file.name.endswith(".new")) == []


def test_what_was_put_right_once_is_put_right_again(memory, hooks):
    for number in range(3):
        (hooks / "pre-commit").unlink()
        put(memory, a=page(f"{number}\n"))
        assert hook_states(memory.folder)["pre-commit"] is HookState.OURS


def test_a_change_that_hides_behind_its_size_and_time_is_put_right(memory, hooks):
    hook = hooks / "pre-commit"
    before, script = hook.stat(), hook.read_bytes()
    put(memory, a=page())
    hook.write_bytes(script.replace(b"exit 1", b"exit 0"))
    os.utime(hook, ns=(before.st_atime_ns, before.st_mtime_ns))
    put(memory, a=page("2\n"))
    assert hook.read_bytes() == script


def test_a_killed_writers_half_file_is_no_obstacle(memory, hooks):
    (hooks / "pre-commit.new").write_text("#!/bi")
    (hooks / "pre-commit").unlink()
    put(memory, a=page())
    assert hook_states(memory.folder)["pre-commit"] is HookState.OURS


class TestAPersonsOwn:
    @pytest.fixture
    def own(self, hooks):
        (hooks / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
        return hooks / "pre-commit"

    def test_it_is_left_and_ours_lies_beside_it(self, memory, hooks, own):
        put(memory, a=page())
        assert own.read_text() == "#!/bin/sh\nexit 0\n"
        assert hook_states(memory.folder) == {"pre-commit": HookState.FOREIGN, "post-commit": HookState.OURS}
        assert os.access(hooks / beside("pre-commit"), os.X_OK)

    def test_it_may_call_ours(self, memory, hooks, own):
        put(memory, a=page())
        own.write_text('#!/bin/sh\n"$(dirname "$0")/pre-commit.vademecum" || exit 1\n')
        own.chmod(0o755)
        assert hook_states(memory.folder)["pre-commit"] is HookState.OURS
        (memory.folder / "reference/a.md").write_text("no header\n")
        git(memory.folder, "commit", "-qam", "x", check=False, hooks=True)
        assert memory.log()[0].subject == "put"
        put(memory, b=page())
        assert own.read_text().startswith('#!/bin/sh\n"$(dirname')

    @pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
    def test_a_link_or_device_in_its_place_is_theirs_and_stops_no_write(self, tmp_path, memory, hooks, kind):
        hook = hooks / "pre-commit"
        hook.unlink()
        if kind == "link":
            (tmp_path / "theirs").write_text("theirs")
            hook.symlink_to(tmp_path / "theirs")
        elif kind == "fifo":
            os.mkfifo(hook)
        else:
            hook.mkdir()
        assert put(memory, a=page())
        assert hook_states(memory.folder)["pre-commit"] is HookState.FOREIGN
        assert kind != "link" or (tmp_path / "theirs").read_text() == "theirs"

    def test_a_folder_of_hooks_that_leads_elsewhere_is_not_written_to(self, tmp_path, memory, hooks):
        hooks.rename(tmp_path / "shared")
        (tmp_path / "shared/pre-commit").unlink()
        hooks.symlink_to(tmp_path / "shared")
        assert put(memory, a=page())
        assert not (tmp_path / "shared/pre-commit").exists()


@pytest.mark.parametrize("name", HOOKS)
@pytest.mark.parametrize("shell", ["dash", "sh"])
def test_they_are_plain_posix_shell(memory, hooks, shell, name):
    """core-R42"""
    done = subprocess.run([shell, "-n", hooks / name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("python", ["/nowhere/python3", "/bin/false"])
def test_a_broken_installation_keeps_nobody_from_committing(memory, hooks, python):
    for name in HOOKS:
        first, mark, call, *rest = (hooks / name).read_text().splitlines()
        call = f"{python} {call.partition(' ')[2]}"
        (hooks / name).write_text("\n".join([first, mark, call, *rest, ""]))
    (memory.folder / "mine.md").write_text("x\n")
    git(memory.folder, "add", "mine.md")
    git(memory.folder, "commit", "-qm", "mine", hooks=True)
    assert memory.log()[0].subject == "mine"


def test_an_interpreter_in_a_folder_with_blanks_is_found(tmp_path, memory, monkeypatch):
    odd = tmp_path / "a folder; touch x $(touch y)" / "it's python"
    odd.parent.mkdir()
    odd.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\n')
    odd.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(odd))
    put(memory, a=page())
    git(memory.folder, "commit", "-qm", "x", "--allow-empty", hooks=True)
    assert (tmp_path / "called").read_text() == "-I -m vademecum.cli.commit_hook post-commit\n"
