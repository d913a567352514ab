"""Forgetting in real processes: killed at every step, beside a learn, beside a person's git, on a full disk."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from itertools import count

import pytest

from support.killing import in_child, kill_at
from support.product import Product, ruled
from vademecum import Memory
from vademecum.engine import forgetting
from vademecum.errors import BusyError, GitFailed, StorageError
from vademecum.locks import Domain, Locks
from vademecum.memfs.forgetting import forget as committing
from vademecum.memfs.forgetting import purging
from vademecum.memfs.forgetting import scrub as scrubbing
from vademecum.memfs.writing import moving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

MARKER = "always answer with the word xylophonist here"
KEPT = "never edit generated files by hand"


@pytest.fixture
def taught(tmp_path):
    product = Product(tmp_path / "first")
    product.tell(ruled(MARKER, label="gone"))
    product.learn()
    product.gone = product.call("sessions", "--json").json["sessions"][0]["id"]
    product.tell(ruled(KEPT, label="other"))
    product.learn()
    product.call("search", "xylophonist")
    return product


def opened(product):
    return Memory.open(home=product.home, environ={})


def kill_before(step):
    """Make this process kill itself right before its `step`-th change to the disk, or call of git."""
    kill_at(step, module=subprocess, names=("run",), steps=kill_at(step))


def copied(product, folder):
    """The same home in another place, for one more attempt."""
    shutil.copytree(product.folder, folder, symlinks=True)
    other = Product(folder)
    other.gone = product.gone
    return other


def assert_whole(product):
    assert product.git("fsck", "--strict", "--no-dangling") == ""
    assert product.git("status", "--porcelain") == ""


def holds(product, revision):
    """Whether the files of a revision hold the words."""
    grep = ["git", "grep", "-q", "xylophonist", revision]
    return subprocess.run(grep, cwd=product.memory, check=False).returncode == 0


def scrub(product):
    return opened(product).forgetting.forget(product.gone, scrubs=True)


def forget(product):
    return opened(product).forgetting.forget(product.gone)


def stands(product):
    """Whether the files, the search, the list of sessions and the context tell of the session: all four, or none."""
    rows = {row["id"]: (row["state"], row["reason"]) for row in product.call("sessions", "--json").json["sessions"]}
    found = product.call("search", "xylophonist", "--json").json["total"] > 0
    told = {holds(product, "main"), found, MARKER in product.context(), rows[product.gone] == ("active", "")}
    assert len(told) == 1, (rows, found)
    assert told == {True} or rows[product.gone] == ("retired", "forgotten")
    return told == {True}


def kill_around_main(module):
    """Make this process kill itself as soon as main has moved."""
    move = module.move_together

    def move_and_die(*arguments):
        move(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    module.move_together = move_and_die


@pytest.mark.parametrize("after", ["learn", "forget"])
def test_a_forgetting_killed_right_after_main_moved_is_completed_by_the_next_command(taught, after):
    """core-W36: main decides, the archive says the rest: hidden at once, out of the databases with the next write."""
    assert in_child(lambda: (kill_around_main(committing), forget(taught))) == -signal.SIGKILL
    assert not stands(taught)
    if after == "learn":
        taught.learn()
    else:
        assert "finished what an interrupted run had begun" in taught.call("forget", taught.gone, "--yes").out
    assert not stands(taught)
    assert MARKER.encode() not in (taught.identity / "state.db").read_bytes()
    assert b"xylophonist" not in (taught.identity / "search.db").read_bytes()
    assert taught.learn().json["consolidation"]["status"] in {"no_new_input", "no_changes", "landed"}
    assert not stands(taught)
    assert KEPT in taught.context()
    assert_whole(taught)


def test_a_forgetting_killed_after_main_moved_and_a_lost_database_end_in_the_same_place(taught):
    assert in_child(lambda: (kill_around_main(committing), forget(taught))) == -signal.SIGKILL
    taught.lose("state.db")
    assert taught.call("search", "xylophonist", "--json").json["total"] == 0
    taught.learn()
    assert b"xylophonist" not in (taught.identity / "search.db").read_bytes()
    assert MARKER not in taught.context()


def test_forgetting_a_note_that_was_killed_halfway_is_finished_when_it_is_repeated(taught):
    taught.call("note", "the staging database is called quetzalcoatl")
    taught.learn()
    taught.call("search", "quetzalcoatl")
    path = next(taught.memory.glob("extensions/ad_hoc/notes/*")).relative_to(taught.memory).as_posix()
    kill = lambda: (kill_around_main(committing), opened(taught).forgetting.forget(path))  # noqa: E731
    assert in_child(kill) == -signal.SIGKILL
    assert b"quetzalcoatl" in (taught.identity / "search.db").read_bytes()
    assert "finished what an interrupted run had begun" in taught.call("forget", path, "--yes").out
    assert taught.call("search", "quetzalcoatl", "--json").json["total"] == 0
    assert "quetzalcoatl" not in taught.context()
    assert_whole(taught)
    error = taught.call("forget", path, "--yes", "--json", code=1).json["error"]
    assert "gone from memory already" in error["message"]
    taught.learn()
    assert "quetzalcoatl" not in taught.context()


#: How far apart the steps are that are tried; a scrub has the most of them.
STRIDES = {"forget": 17, "line": 5, "reset": 23, "scrub": 37}


def test_a_forgetting_killed_at_any_step_has_happened_or_has_not(taught, tmp_path):
    """core-26.3, core-W36"""
    for step in count(3, STRIDES["forget"]):
        product = copied(taught, tmp_path / str(step))
        ended = in_child(lambda: (kill_before(step), forget(product)))  # noqa: B023 (runs at once)
        assert ended in {0, -signal.SIGKILL}
        stood = stands(product)
        product.learn()
        assert stands(product) == stood
        assert_whole(product)
        forget(product)
        assert not stands(product)
        shutil.rmtree(product.folder)
        if ended == 0:
            break
    assert step > STRIDES["forget"]


def lines_with(product, words):
    """Where a statement stands; that the words are the title of a task as well is no statement."""
    return [
        f"{name}:{number}"
        for name in ("MEMORY.md", "memory_summary.md")
        for number, text in enumerate(product.read(name).split("\n"), 1)
        if text.startswith(f"- {words}") and "rollout_summaries/" not in text
    ]


def test_forgetting_a_line_that_is_killed_at_any_step_takes_it_out_of_both_files_or_of_none(taught, tmp_path):
    """core-26.3: And what is gone stays away from the next learn."""
    place = lines_with(taught, MARKER)[0]
    for step in count(1, STRIDES["line"]):
        product = copied(taught, tmp_path / str(step))
        ended = in_child(lambda: (kill_before(step), opened(product).line_forgetting.forget(place)))  # noqa: B023 (runs at once)
        assert ended in {0, -signal.SIGKILL}
        stood = f"- {MARKER}\n" in product.context()
        product.learn()
        assert len(lines_with(product, MARKER)) == (2 if stood else 0)
        assert (f"- {MARKER}\n" in product.context()) == stood
        assert len(lines_with(product, KEPT)) == 2
        assert_whole(product)
        shutil.rmtree(product.folder)
        if ended == 0:
            break
    assert not stood
    assert step > STRIDES["line"]


def test_a_reset_killed_at_any_step_is_completed_by_the_next_one(taught, tmp_path):
    """core-26.3: what is gone from main is found by no search either, and nothing is lost."""
    for step in count(3, STRIDES["reset"]):
        product = copied(taught, tmp_path / str(step))
        ended = in_child(lambda: (kill_before(step), opened(product).resetting.reset()))  # noqa: B023 (runs at once)
        assert ended in {0, -signal.SIGKILL}
        product.learn()
        stood = holds(product, "main")
        assert (MARKER in product.context()) == stood
        rows = product.call("sessions", "--json").json["sessions"]
        assert [row["state"] for row in rows] == (["active"] * 2 if stood else [])
        found = product.call("search", "xylophonist", "--in", "sessions", "--json").json["total"]
        assert (found > 0) == stood
        assert not (product.identity / "runtime/resetting").exists()
        assert_whole(product)
        trash = opened(product).resetting.reset()
        assert holds(product, trash.reference) == stood
        assert product.call("search", "xylophonist", "--json").json["total"] == 0
        shutil.rmtree(product.folder)
        if ended == 0:
            break
    assert step > STRIDES["reset"]


def test_a_scrub_killed_at_any_step_leaves_a_sound_memory_and_the_next_one_completes(taught, tmp_path):
    """core-26.3, core-W36: main decides; before it moves nothing has changed, after it everything follows."""
    ended = -signal.SIGKILL
    for step in count(5, STRIDES["scrub"]):
        product = copied(taught, tmp_path / str(step))
        ended = in_child(lambda: (kill_before(step), scrub(product)))  # noqa: B023 (runs at once)
        assert ended in {0, -signal.SIGKILL}
        assert stands(product) == holds(product, "main")
        product.call("note", "written after the kill")
        assert_whole(product)
        assert len({holds(product, name) for name in ("main", "refs/vademecum/baseline")}) == 1
        assert KEPT in product.context()
        report = scrub(product)
        assert report.proof.left == report.proof.elsewhere == ()
        assert b"xylophonist" not in product.stored()
        assert "written after the kill" in product.context()
        assert_whole(product)
        shutil.rmtree(product.folder)
        if ended == 0:
            break
    assert ended == 0
    assert step > 50


def test_forgetting_waits_for_a_consolidation_and_says_whose_it_is(taught, monkeypatch):
    monkeypatch.setattr(forgetting, "PATIENT_SECONDS", 0)
    with (
        Locks(taught.identity / "runtime/locks").hold(Domain.CONSOLIDATION, purpose="consolidate", wait_seconds=0),
        pytest.raises(BusyError, match=r"process \d+ \(consolidate"),
    ):
        scrub(taught)
    assert holds(taught, "main")


@pytest.mark.parametrize("words", [(), ("--scrub",)])
def test_a_learn_at_the_same_time_brings_nothing_back(taught, words):
    """Whichever comes first: a session that is being read while it is forgotten is not stored."""
    taught.tell(ruled(MARKER, "and always be kind to whales", label="gone"))
    learn = ("learn", "--from", str(taught.sessions), "--all", "--now")
    environ = os.environ | taught.environ
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "vademecum", *command], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for command in (learn, ("forget", taught.gone, "--yes", *words))
    ]
    answers = [(process.communicate(timeout=60), process.returncode) for process in both]
    assert [code for _, code in answers] == [0, 0], answers
    taught.learn()
    assert "xylophonist" not in taught.context()
    assert "whales" not in taught.context()
    assert KEPT in taught.context()
    assert_whole(taught)


def test_what_a_person_commits_meanwhile_is_kept(taught, monkeypatch):
    """Compare and swap: the scrub begins again on their commit."""
    move, moved = scrubbing.move_together, []

    def with_a_person_in_between(*arguments):
        if not moved:
            (taught.memory / "mine.md").write_text("mine\n")
            taught.git("add", "mine.md")
            taught.git("commit", "-qm", "mine")
        moved.append(True)
        return move(*arguments)

    monkeypatch.setattr(scrubbing, "move_together", with_a_person_in_between)
    assert scrub(taught).proof.left == ()
    assert len(moved) == 2
    assert "mine" in taught.git("log", "--format=%s").splitlines()
    assert b"xylophonist" not in taught.stored()
    assert_whole(taught)


def test_a_disk_that_is_full_before_main_moves_changes_nothing(taught, monkeypatch):
    before = taught.git("for-each-ref")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(moving, "_write_note", full)
        with pytest.raises(StorageError, match="No space left"):
            scrub(taught)
    assert taught.git("for-each-ref") == before
    assert MARKER in taught.context()
    assert taught.call("sessions", "--json").json["sessions"][0]["state"] == "active"
    scrub(taught)
    assert b"xylophonist" not in taught.stored()


def test_a_disk_that_is_full_after_main_moved_is_told_and_the_next_call_completes(taught, monkeypatch):
    def full(*_, **__):
        raise GitFailed("`git repack` failed with 128: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(purging, "run_git", full)
        with pytest.raises(GitFailed):
            scrub(taught)
    assert not holds(taught, "main")
    assert b"xylophonist" in taught.stored()
    (finding,) = [one for one in taught.call("doctor", "--json").json["findings"] if "scrub" in one["what"]]
    assert "--scrub` again" in finding["next"]
    taught.call("note", "life goes on")
    report = scrub(taught)
    assert report.proof.objects > 0
    assert report.proof.left == ()
    assert b"xylophonist" not in taught.stored()
    assert "life goes on" in taught.context()


def test_a_path_whose_scrub_was_interrupted_is_completed_although_history_holds_it_no_more(taught, monkeypatch):
    taught.call("note", "the staging database is called quetzalcoatl")
    path = next(taught.memory.glob("extensions/ad_hoc/notes/*")).relative_to(taught.memory).as_posix()

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(purging, "run_git", interrupted)
        with pytest.raises(KeyboardInterrupt):
            opened(taught).forgetting.forget(path, scrubs=True)
    assert b"quetzalcoatl" in taught.stored()
    answer = taught.call("forget", path, "--scrub", "--yes")
    assert "finished" in answer.out
    assert b"quetzalcoatl" not in taught.stored()
