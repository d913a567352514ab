"""Reset through the command line: a clean beginning, the way back, and the end of the trash."""

import os
import shutil
from datetime import UTC, datetime

import pytest

from support.product import Product, ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"
LATER = "never edit generated files by hand"


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, label="first"))
    product.learn()
    product.call("search", "xylophonist")
    return product


def said_now(*rules, label="second"):
    return ruled(*rules, label=label, started_at=datetime.now(UTC))


def only_id(product):
    (session,) = product.call("sessions", "--json").json["sessions"]
    return session["id"]


def reset(product):
    return product.call("reset", "--yes", "--json").json["trash"]["reference"]


def test_memory_begins_anew_with_its_first_files_and_one_commit(learned):
    reset(learned)
    (commit,) = learned.call("log", "--json").json["commits"]
    assert (commit["subject"], commit["provenance"]["writer"]) == ("Begin anew", "user")
    assert "xylophonist" not in learned.context()
    assert not (learned.memory / "MEMORY.md").exists()
    assert (learned.memory / "system/persona.md").exists()
    assert learned.git("status", "--porcelain") == ""
    assert learned.git("fsck", "--strict") == ""
    assert learned.call("sessions", "--json").json["sessions"] == []


def test_sessions_that_were_read_are_not_learned_again_and_newer_ones_are(learned):
    """codex-R68: nothing comes back right after a reset."""
    reset(learned)
    report = learned.learn().json
    assert (report["extracted"], report["skipped"]) == (0, {"before_reset": 1})
    assert learned.call("search", "xylophonist", "--json").json["total"] == 0
    learned.tell(said_now(LATER))
    assert learned.learn().json["extracted"] == 1
    assert LATER in learned.context()
    assert "xylophonist" not in learned.context()


def test_plain_git_brings_everything_back(learned):
    context = learned.context()
    reference = reset(learned)
    assert f"git reset --hard {reference}" not in learned.context()
    learned.git("reset", "-q", "--hard", reference)
    assert learned.context() == context
    learned.learn()
    assert learned.context() == context
    assert "not in the memory files yet" not in learned.call("status").out
    assert [session["state"] for session in learned.call("sessions", "--json").json["sessions"]] == ["active"]


def test_the_way_back_is_printed(learned):
    answer = learned.call("reset", "--yes")
    assert "git reset --hard refs/vademecum/trash/" in answer.out
    assert "vade reset --purge" in answer.out


def test_hand_edits_are_put_away_with_the_rest(learned):
    (learned.memory / "mine.md").write_text("my own words\n")
    reference = reset(learned)
    assert not (learned.memory / "mine.md").exists()
    assert learned.git("show", f"{reference}:mine.md") == "my own words\n"


def test_a_hand_edit_that_could_not_be_put_away_stops_it(learned):
    """codex-A22: nothing is committed then, not even another edit that could be."""
    (learned.memory / "system/human.md").write_text("no header\n")
    (learned.memory / "log.md").write_text("fine\n")
    head = learned.head()
    assert "system/human.md" in learned.call("reset", "--yes", code=4).err
    assert learned.head() == head


def test_proposals_and_the_baseline_go_along(learned):
    learned.git("update-ref", "refs/vademecum/proposals/run-1", "HEAD")
    reference = reset(learned)
    names = learned.git("for-each-ref", "--format=%(refname)", "refs/vademecum").split()
    place = reference.removesuffix("main")
    assert names == [f"{place}baseline", f"{place}main", f"{place}proposals/run-1"]
    assert learned.call("status", "--json").json["proposals"] == []


def test_what_was_forgotten_stays_forgotten_and_modes_stay(learned):
    """codex-A22, codex-R70"""
    session = learned.call("sessions", "--json").json["sessions"][0]["id"]
    learned.call("forget", session, "--yes")
    reset(learned)
    learned.lose("state.db")
    assert learned.learn().json["skipped"]["forgotten"] == 1
    assert "xylophonist" not in learned.context()


def test_the_trash_is_emptied_for_good_and_memory_stays(learned):
    reset(learned)
    learned.call("note", "a new life")
    assert b"xylophonist" in learned.stored()
    answer = learned.call("reset", "--purge", "--yes", "--json").json
    assert answer["objects"] > 5
    assert b"xylophonist" not in learned.stored()
    assert learned.git("for-each-ref", "refs/vademecum/trash") == ""
    assert learned.git("fsck", "--strict") == ""
    assert "a new life" in learned.context()
    assert "nothing in the trash" in learned.call("reset", "--purge", "--yes", code=1).err


def test_what_a_persons_branch_needs_of_the_trash_stays(learned):
    learned.git("branch", "mine")
    reset(learned)
    learned.call("reset", "--purge", "--yes")
    assert "xylophonist" in learned.git("show", "mine:MEMORY.md")
    assert learned.git("fsck", "--strict") == ""


def test_two_resets_are_two_in_the_trash(learned):
    first = reset(learned)
    learned.call("note", "a second life")
    second = reset(learned)
    assert first != second
    assert "a second life" in learned.git("log", "--format=%s", second)
    assert "xylophonist" in learned.git("show", f"{first}:MEMORY.md")


@pytest.mark.parametrize("words", [("reset",), ("reset", "--purge")])
def test_without_a_terminal_a_yes_must_be_given(learned, words):
    head = learned.head()
    assert "--yes" in learned.call(*words, code=2).err
    assert learned.head() == head


def test_a_learn_that_is_at_work_is_waited_for(learned, monkeypatch):
    """codex-A22, codex-R67: never during a consolidation."""
    from vademecum.engine import resetting
    from vademecum.locks import Domain, Locks

    monkeypatch.setattr(resetting, "PATIENT_SECONDS", 0)
    locks = Locks(learned.identity / "runtime/locks")
    with locks.hold(Domain.CONSOLIDATION, purpose="consolidate", wait_seconds=0):
        assert "consolidate" in learned.call("reset", "--yes", code=3).err
    assert "xylophonist" in learned.context()


def test_what_holds_after_a_reset_is_said_until_something_is_learned(learned):
    reset(learned)
    for command in ("sessions", "status"):
        out = learned.call(command).out
        assert "stay out of it" in out
        assert "`vade mode SESSION enabled`" in out
        assert "to learn from your sessions" not in out
    learned.tell(said_now(LATER))
    learned.learn()
    for command in ("sessions", "status"):
        assert "stay out of it" not in learned.call(command).out


def test_an_earlier_session_is_taken_in_again_where_a_person_enables_it(learned):
    (session,) = (row["id"] for row in learned.call("sessions", "--json").json["sessions"])
    reset(learned)
    learned.call("mode", session[:8], "enabled")
    assert learned.learn().json["extracted"] == 1
    assert RULE in learned.context()


class TestWithoutItsDatabase:
    """What was read before a reset stays out of a memory whose database knows nothing of it."""

    @pytest.fixture
    def lost(self, learned):
        self.reference = reset(learned)
        learned.lose("state.db")
        return learned

    def test_earlier_sessions_are_left_alone_in_words_of_their_own_and_newer_ones_are_learned(self, lost):
        for _ in range(2):
            report = lost.learn().json
            assert (report["extracted"], report["skipped"]) == (0, {"before_reset": 1})
            assert "ended before memory began anew" in lost.call("status").out
        assert lost.call("search", "xylophonist", "--json").json["total"] == 0
        lost.tell(said_now(LATER))
        assert lost.learn().json["extracted"] == 1
        assert LATER in lost.context()
        assert "xylophonist" not in lost.context()

    def test_a_rehearsal_leaves_them_alone_too(self, lost):
        assert lost.learn("--dry-run").json["skipped"] == {"before_reset": 1}

    def test_on_another_machine_they_are_left_alone_too(self, lost, tmp_path):
        other = Product(tmp_path / "other")
        other.folder.mkdir()
        other.sessions = lost.sessions
        other.identity.mkdir(parents=True, mode=0o700)
        shutil.copytree(lost.memory, other.memory)
        assert other.learn().json["skipped"] == {"before_reset": 1}
        assert "xylophonist" not in other.context()

    def test_consolidations_keep_the_moment(self, lost):
        lost.tell(said_now(LATER))
        lost.learn()
        archive = lost.read("ARCHIVE.md")
        assert "memory began anew at" in archive
        lost.tell(said_now("always call the shop a stall", label="third"))
        lost.learn()
        assert lost.read("ARCHIVE.md") == archive

    def test_undoing_the_reset_takes_the_moment_away_and_what_was_left_alone_is_learned(self, lost):
        lost.tell(ruled(LATER, label="second"))
        assert lost.learn().json["skipped"] == {"before_reset": 2}
        lost.git("reset", "-q", "--hard", self.reference)
        lost.learn()
        assert [words for words in (RULE, LATER) if words in lost.context()] == [RULE, LATER]

    def test_one_that_a_person_enables_is_taken_in_and_that_outlives_the_database_as_well(self, learned):
        name = only_id(learned)
        reset(learned)
        learned.call("mode", name, "enabled")
        learned.lose("state.db")
        assert learned.learn().json["extracted"] == 1
        assert RULE in learned.context()
        assert name not in learned.read("ARCHIVE.md")

    def test_one_that_was_left_alone_is_enabled_by_the_beginning_of_its_id(self, learned):
        name = only_id(learned)
        reset(learned)
        learned.lose("state.db")
        learned.learn()
        learned.call("mode", name[:8], "enabled")
        assert "already" in learned.call("mode", name[:8], "enabled").out
        assert learned.learn().json["extracted"] == 1

    def test_the_next_reset_puts_away_what_was_enabled_after_the_one_before(self, learned):
        name = only_id(learned)
        reset(learned)
        learned.call("mode", name, "enabled")
        learned.learn()
        reset(learned)
        learned.lose("state.db")
        assert learned.learn().json["skipped"] == {"before_reset": 1}
        assert learned.read("ARCHIVE.md").count("memory began anew at") == 1


def test_files_that_git_brought_back_are_private_after_the_next_write(learned):
    reference = reset(learned)
    before = os.umask(0o022)
    try:
        learned.git("reset", "-q", "--hard", reference)
    finally:
        os.umask(before)
    assert (learned.memory / "MEMORY.md").stat().st_mode & 0o077
    learned.call("note", "the till is green")
    files = [path for path in learned.memory.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert [path for path in files if path.stat().st_mode & 0o077] == []
