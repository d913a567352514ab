"""codex-A26: what an agent that learns has written for itself is gone, and nothing of anybody else ever goes."""

import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from vademecum.learners.hosts.scratch import scratch_folder

LEFT = """
import time
from vademecum.learners.hosts.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "prompt").write_text("x")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def learner():
    """A learner at work, and its folder."""
    with subprocess.Popen([sys.executable, "-c", LEFT], stdout=subprocess.PIPE, text=True) as process:
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def run_an_errand():
    with scratch_folder() as folder:
        (folder / "home").mkdir()
    return folder


def test_the_folder_of_an_errand_goes_with_it(temporary):
    assert run_an_errand().parent == temporary
    assert list(temporary.iterdir()) == []


def test_only_the_user_may_look_into_it():
    with scratch_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_what_a_killed_learner_left_goes_with_the_next_errand_however_young(learner, temporary):
    process, folder = learner
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (folder / "prompt").exists()
    run_an_errand()
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_the_folder_of_a_living_learner_stays_however_old(learner):
    _, folder = learner
    subprocess.run(["touch", "-d", "2 years ago", str(folder)], check=True)
    run_an_errand()
    assert (folder / "prompt").exists()


@pytest.fixture
def gone():
    """What a learner's folder is called that has ended."""
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return f"vademecum-learner-{process.pid}@{socket.gethostname()}:1-abc"


OTHERS = {
    "a folder of the user's": "vademecum-learner-notes",
    "of another machine": "vademecum-learner-1@elsewhere:1-abc",
    "of another program": "other-{worker}-abc",
    "without the rest of its name": "vademecum-learner-{worker}",
}


@pytest.mark.parametrize("name", OTHERS.values(), ids=OTHERS)
def test_what_only_looks_alike_stays(temporary, gone, name):
    worker = gone.removeprefix("vademecum-learner-").rpartition("-")[0]
    other = temporary / name.format(worker=worker)
    other.mkdir()
    run_an_errand()
    assert other.is_dir()


def test_a_link_under_such_a_name_leads_to_nothing_that_goes(temporary, tmp_path, gone):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "file").touch()
    (temporary / gone).symlink_to(theirs)
    run_an_errand()
    assert (theirs / "file").exists()


def test_a_link_inside_of_what_is_left_is_taken_away_and_not_followed(temporary, tmp_path, gone):
    """As the login of an agent, which is lent by one."""
    login = tmp_path / "auth.json"
    login.write_text("mine")
    (temporary / gone).mkdir()
    (temporary / gone / "auth.json").symlink_to(login)
    run_an_errand()
    assert not (temporary / gone).exists()
    assert login.read_text() == "mine"


def test_what_cannot_be_deleted_keeps_no_errand_from_its_work(temporary, gone, monkeypatch):
    (temporary / gone).mkdir()

    def refuse(path, **_options):
        raise PermissionError(path)

    with monkeypatch.context() as refusing:
        refusing.setattr("os.rmdir", refuse)
        errand = scratch_folder()
        folder = errand.__enter__()
    assert folder.is_dir()
    assert (temporary / gone).is_dir()
    errand.__exit__(None, None, None)
    run_an_errand()
    assert list(temporary.iterdir()) == []
