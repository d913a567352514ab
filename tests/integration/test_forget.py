"""Forgetting through the command line: what goes, what stays, what never comes back, and the proof that it is gone."""

import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from support.compose.script import DEFAULT_START
from support.memfs import FAKE_SECRET
from support.product import Product, ruled, snapshot

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARKER = "always answer with the word xylophonist here"
KEPT = "never edit generated files by hand"
BOTH = "from now on always use pnpm here, never npm"
NOTE = "the staging database is called quetzalcoatl"
LATER = datetime(2026, 11, 20, 9, tzinfo=UTC)
LATEST = datetime(2026, 11, 25, 9, tzinfo=UTC)
#: What a person keeps with plain git: how it is named, and the command that makes it.
FOREIGN = {
    "the branch trial": ("branch", "trial"),
    "the tag kept": ("tag", "-a", "-m", "x", "kept"),
    "the reference refs/notes/mine": ("update-ref", "refs/notes/mine", "HEAD"),
    "the remote branch origin/main": ("update-ref", "refs/remotes/origin/main", "HEAD"),
    "git's note ORIG_HEAD": ("update-ref", "ORIG_HEAD", "HEAD"),
}


def teach(product, *rules, label, **options):
    product.tell(ruled(*rules, label=label, **options))
    product.learn()
    return product.call("sessions", "--json").json["sessions"][0]["id"]


@pytest.fixture
def taught(product):
    """Two sessions; `product.gone` is the one to forget, `product.other` the one that stays."""
    product.gone = teach(product, MARKER, BOTH, label="gone")
    product.other = teach(product, KEPT, BOTH, label="other", started_at=LATER)
    return product


def forget(product, what, *words, code=0):
    return product.call("forget", what, "--yes", *words, code=code)


def clone(product, folder):
    """The same memory on another machine, with the same agents' sessions."""
    other = Product(folder)
    other.memory.parent.mkdir(parents=True)
    subprocess.run(["git", "clone", "-q", product.memory, other.memory], check=True)
    shutil.copytree(product.sessions, other.sessions)
    return other


def test_what_a_newer_session_had_taken_the_place_of_holds_again_when_that_one_is_forgotten(product):
    """Superseded is a mark of a line: the session behind it stays input, or nothing could bring the line back."""
    former = "from now on always use npm here, never pnpm"
    teach(product, former, label="former")
    assert f"- {former}" in product.context().splitlines()
    newer = teach(product, BOTH, label="newer", started_at=LATER)
    states = {row["state"] for row in product.call("sessions", "--json").json["sessions"]}
    assert ("[superseded" in product.read("MEMORY.md"), states) == (True, {"active"})
    assert f"- {former}" not in product.context().splitlines()
    forget(product, newer)
    product.learn()
    assert "[superseded" not in product.read("MEMORY.md")
    assert f"- {former}" in product.context().splitlines()


class TestASession:
    def test_what_it_alone_taught_goes_and_what_others_taught_stays(self, taught):
        """core-W36"""
        forget(taught, taught.gone)
        for path in ("MEMORY.md", "memory_summary.md"):
            assert MARKER not in taught.read(path)
            assert KEPT in taught.read(path)
            assert BOTH in taught.read(path)
            assert taught.gone not in taught.read(path)
        assert MARKER not in taught.context()
        assert not list(taught.memory.glob("rollout_summaries/*xylophonist*"))

    def test_it_is_one_commit_of_the_persons_whose_subject_says_nothing_of_it(self, taught):
        before = len(taught.call("log", "--json").json["commits"])
        forget(taught, taught.gone)
        newest, *older = taught.call("log", "--json").json["commits"]
        assert len(older) == before
        assert newest["subject"] == "Forget a session"
        assert (newest["provenance"]["writer"], newest["provenance"]["origin"]) == ("user", "human")

    def test_learning_again_does_not_bring_it_back(self, taught):
        forget(taught, taught.gone)
        report = taught.learn().json
        assert report["extracted"] == 0
        assert MARKER not in taught.context()
        assert KEPT in taught.context()
        assert taught.learn().json["consolidation"]["status"] == "no_new_input"

    def test_it_stays_away_when_something_is_added_to_it(self, taught):
        forget(taught, taught.gone)
        taught.tell(ruled(MARKER, BOTH, "and never force push", label="gone"))
        report = taught.learn().json
        assert report["skipped"]["forgotten"] == 1
        assert "force push" not in taught.context()

    def test_it_stays_away_where_the_database_is_lost(self, taught):
        forget(taught, taught.gone)
        taught.lose("state.db")
        report = taught.learn().json
        assert report["skipped"]["forgotten"] == 1
        assert MARKER not in taught.context()
        assert KEPT in taught.context()

    def test_it_stays_away_on_another_machine(self, taught, tmp_path):
        forget(taught, taught.gone)
        other = clone(taught, tmp_path / "other")
        assert other.learn("--dry-run").json["skipped"]["forgotten"] == 1
        assert other.learn().json["skipped"]["forgotten"] == 1
        assert MARKER not in other.context()
        assert KEPT in other.context()
        assert other.call("search", "xylophonist", "--rebuild", "--json").json["total"] == 0

    def test_it_is_found_by_no_search(self, taught):
        assert taught.call("search", "xylophonist", "--json").json["total"] > 0
        forget(taught, taught.gone)
        assert taught.call("search", "xylophonist", "--json").json["total"] == 0
        assert taught.call("search", "xylophonist", "--rebuild", "--json").json["total"] == 0

    def test_what_others_said_as_well_stands_in_their_words_and_is_nobodys_hand_edit(self, taught):
        """core-W36: the words of the session that goes are not kept under another one's name."""
        third = teach(taught, "always use pnpm here and never npm", label="third", started_at=LATEST)
        forget(taught, third)
        taught.learn()
        assert "always use pnpm here and never npm" not in taught.context()
        assert BOTH in taught.context()
        assert " edited " not in taught.read("MEMORY.md")

    def test_a_beginning_of_its_id_will_do_and_one_of_several_will_not(self, taught):
        forget(taught, taught.gone[:8])
        assert MARKER not in taught.context()
        assert "no file, folder or session" in taught.fail("forget", "zz", "--yes").err

    def test_the_rollout_summary_stands_for_its_session(self, taught):
        (path,) = taught.memory.glob("rollout_summaries/*xylophonist*")
        forget(taught, f"rollout_summaries/{path.name}")
        assert taught.learn("--all").json["extracted"] == 0
        assert MARKER not in taught.context()

    def test_forgetting_it_twice_is_harmless(self, taught):
        forget(taught, taught.gone)
        head = taught.head()
        assert "already" in forget(taught, taught.gone).out
        assert taught.head() == head

    def test_a_second_scrub_that_finds_nothing_makes_no_commit(self, taught):
        product = taught
        forget(product, product.gone, "--scrub")  # the other session says some of it by itself
        head = product.head()
        assert "this was forgotten already" in forget(product, product.gone, "--scrub").out
        assert product.head() == head

    def test_what_an_older_session_says_as_well_is_its_own_evidence(self, product):
        product.gone = teach(product, MARKER, label="gone")
        forget(product, product.gone)
        product.learn()
        assert MARKER not in product.context()
        teach(product, MARKER, label="older", started_at=DEFAULT_START - timedelta(days=3))
        assert MARKER in product.context()

    @pytest.mark.parametrize("words", [(), ("--scrub",)])
    def test_the_work_that_a_killed_learner_left_does_not_bring_it_back(self, product, words):
        product.gone = teach(product, MARKER, label="gone")
        draft = product.identity / "runtime/drafts/20261102T100000-abcd"
        draft.mkdir(parents=True)
        (draft / "MEMORY.md").write_text(product.read("MEMORY.md"))
        forget(product, product.gone, *words)
        assert not draft.exists()

    def test_an_undo_of_the_forgetting_brings_it_back(self, taught):
        forget(taught, taught.gone)
        taught.call("undo")
        taught.learn()
        assert MARKER in taught.context()
        assert KEPT in taught.context()
        modes = {row["id"]: (row["mode"], row["state"]) for row in taught.call("sessions", "--json").json["sessions"]}
        assert modes[taught.gone] == ("enabled", "active")

    def test_its_way_of_being_told_is_in_no_list_of_what_was_forgotten(self, taught):
        forget(taught, taught.gone)
        archive = taught.read("ARCHIVE.md")
        assert taught.gone not in archive
        assert "xylophonist" not in archive
        taught.learn()
        assert taught.read("ARCHIVE.md") == archive

    def test_what_was_removed_by_hand_before_loses_its_words_too(self, taught):
        line = next(line for line in taught.read("MEMORY.md").split("\n") if MARKER in line and "<!-- vade:" in line)
        taught.edit("MEMORY.md", line + "\n", "")
        taught.commit_by_hand()
        teach(taught, "write tests first, always", label="more", started_at=LATEST)
        assert "xylophonist" in taught.read("ARCHIVE.md")
        forget(taught, taught.gone)
        assert "xylophonist" not in taught.read("ARCHIVE.md")
        taught.learn()
        assert "xylophonist" not in taught.read("ARCHIVE.md")


class TestAPath:
    @pytest.fixture
    def noted(self, taught):
        taught.call("note", NOTE)
        taught.learn()
        taught.note = next(taught.memory.glob("extensions/ad_hoc/notes/*")).relative_to(taught.memory).as_posix()
        return taught

    def test_a_note_goes_with_the_bullets_that_rest_on_it(self, noted):
        assert NOTE in noted.read("MEMORY.md")
        forget(noted, noted.note)
        noted.learn()
        for path in ("MEMORY.md", "memory_summary.md", "ARCHIVE.md"):
            assert "quetzalcoatl" not in noted.read(path)
        assert "quetzalcoatl" not in noted.context()
        assert KEPT in noted.context()

    def test_a_scrubbed_note_leaves_nothing_in_names_messages_and_logs(self, noted):
        assert b"quetzalcoatl" in noted.stored()
        forget(noted, noted.note, "--scrub")
        assert b"quetzalcoatl" not in noted.stored()
        assert noted.git("fsck", "--strict") == ""
        assert noted.git("status", "--porcelain") == ""

    def test_a_folder_goes_as_a_whole(self, noted):
        forget(noted, "extensions/ad_hoc/notes")
        assert not (noted.memory / noted.note).exists()

    def test_what_only_history_has_is_said_and_scrubbed(self, noted):
        forget(noted, noted.note)
        assert "--scrub" in noted.fail("forget", noted.note, "--yes").err
        forget(noted, noted.note, "--scrub")
        assert b"quetzalcoatl" not in noted.stored()

    def test_links_that_lead_nowhere_now_are_told(self, noted):
        pages = noted.memory / "reference"
        pages.mkdir()
        (pages / "server.md").write_text("---\ndescription: the server\n---\nit hums\n")
        (pages / "list.md").write_text("---\ndescription: a list\n---\nsee [[reference/server]]\n")
        noted.call("adopt")
        answer = noted.call("forget", "reference/server.md", "--yes", "--json").json
        assert answer["links"] == ["reference/list.md:4 links to [[reference/server]]"]
        assert answer["paths"] == ["reference/server.md"]

    def test_a_hand_edit_of_what_goes_is_refused_and_nothing_changes(self, noted):
        (noted.memory / noted.note).write_text("my own words\n")
        before = snapshot(noted.identity, without=("state.db-wal", "state.db-shm", "state.db"))
        for words in ((), ("--scrub",)):
            assert "error[dirty]" in forget(noted, noted.note, *words, code=4).err
        after = snapshot(noted.identity, without=("state.db-wal", "state.db-shm", "state.db"))
        assert {path for path in before if before[path] != after.get(path)} <= {
            path for path in before if "locks/" in path
        }

    @pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md", "ARCHIVE.md"])
    def test_what_is_made_of_the_rest_is_not_forgotten_by_itself(self, noted, path):
        forget(noted, noted.note)
        assert "made of sessions and notes" in forget(noted, path, code=4).err

    def test_a_former_name_of_the_same_bytes_is_scrubbed_too(self, noted):
        (noted.memory / "log").mkdir()
        (noted.memory / "log/old.md").write_text("the vault code is basilisk 42\n")
        noted.call("adopt")
        noted.git("mv", "log/old.md", "log/new.md")
        noted.commit_by_hand()
        (noted.memory / ".git/COMMIT_EDITMSG").write_text("basilisk 42 is the vault code\n")
        forget(noted, "log/new.md", "--scrub")
        assert b"basilisk" not in noted.stored()
        assert b"log/old" not in noted.stored()


class TestScrub:
    def test_the_name_of_a_folder_that_went_stands_nowhere_in_the_index(self, product):
        teach(product, KEPT, label="other")
        page = ("--description", "x", "--text", "y", "--reason", "x")
        product.call("memory", "create", "people/quetzalcoatl/one.md", *page)
        product.call("memory", "create", "people/others/one.md", *page)
        product.git("status")
        product.git("write-tree")
        forget(product, "people/quetzalcoatl", "--scrub")
        assert b"quetzalcoatl" not in (product.memory / ".git/index").read_bytes()
        assert product.git("status", "--porcelain") == ""

    def test_no_byte_below_the_home_tells_of_it_and_the_rest_is_as_it_was(self, taught):
        """core-W21, core-W36: the history-scrub procedure, with its proof."""
        assert b"xylophonist" in taught.stored()
        context = taught.context()
        forget(taught, taught.gone, "--scrub", "--json")
        stored = taught.stored()
        assert b"xylophonist" not in stored
        assert taught.git("fsck", "--strict") == ""
        assert taught.git("status", "--porcelain") == ""
        assert KEPT in taught.context()
        assert BOTH in taught.context()
        assert taught.context() != context
        assert taught.call("search", "generated files", "--json").json["total"] > 0

    def test_it_says_what_it_read(self, product):
        gone = teach(product, MARKER, label="gone")
        teach(product, KEPT, label="other", started_at=LATER)
        answer = product.call("forget", gone, "--scrub", "--yes", "--json").json
        assert answer["proof"]["objects"] > 10
        assert answer["proof"]["size_bytes"] > 1000
        assert answer["proof"]["left"] == []
        assert answer["proof"]["elsewhere"] == []
        assert b"xylophonist" not in product.stored()

    def test_what_stands_in_memory_by_itself_is_told_with_its_place(self, taught):
        answer = forget(taught, taught.gone, "--scrub", "--json")
        assert "error" not in answer.json, "what others said was never promised to go"
        places = {find["where"].partition(":")[0] for find in answer.json["proof"]["elsewhere"]}
        assert any(place.startswith("rollout_summaries/") for place in places)
        assert {find["words"] for find in answer.json["proof"]["elsewhere"]} == {BOTH}
        assert answer.json["proof"]["left"] == []

    def test_words_that_another_file_holds_in_history_only_are_found(self, product):
        gone = teach(product, MARKER, label="gone")
        (product.memory / "log").mkdir()
        (product.memory / "log/mine.md").write_text(f"I heard: {MARKER}!\n")
        product.call("adopt")
        product.call("forget", "log/mine.md", "--yes")
        answer = forget(product, gone, "--scrub", "--json", code=1)
        assert any("log/mine.md in commit" in find["where"] for find in answer.json["proof"]["left"])
        product.call("forget", "log/mine.md", "--scrub", "--yes")
        assert b"xylophonist" not in product.stored()

    @pytest.mark.parametrize("lost", [(), ("state.db",), ("state.db", "search.db")])
    def test_it_is_not_learned_again(self, taught, lost):
        forget(taught, taught.gone, "--scrub")
        for name in lost:
            taught.lose(name)
        taught.learn()
        taught.call("search", "anything at all", "--rebuild")
        assert MARKER not in taught.context()
        assert KEPT in taught.context()
        assert b"xylophonist" not in taught.stored()

    def test_a_clone_of_it_holds_and_learns_nothing_of_it(self, taught, tmp_path):
        forget(taught, taught.gone, "--scrub")
        other = clone(taught, tmp_path / "other")
        other.learn()
        assert b"xylophonist" not in other.stored()
        assert KEPT in other.context()

    def test_what_went_is_listed_by_its_hash_for_other_machines(self, product):
        gone = teach(product, MARKER, label="gone")
        blob = product.git("rev-parse", "HEAD:MEMORY.md").strip()
        forget(product, gone, "--scrub")
        assert blob in product.read(".vademecum/scrubbed").split()
        assert product.git("cat-file", "--batch-check", "--batch-all-objects").count(blob) == 0

    def test_a_proposal_and_the_trash_are_scrubbed_as_well(self, taught):
        head = taught.head()
        waits = taught.git("commit-tree", f"{head}~1^{{tree}}", "-p", head, "-m", "x").strip()
        for name, commit in (("proposals/run-1", waits), ("trash/20260101T000000Z/main", head)):
            taught.git("update-ref", f"refs/vademecum/{name}", commit)
        forget(taught, taught.gone, "--scrub")
        assert b"xylophonist" not in taught.stored()
        assert taught.git("for-each-ref", "refs/vademecum").count("\n") == 3

    def test_what_is_packed_is_scrubbed_as_well(self, taught):
        taught.git("gc", "-q")
        taught.git("commit-graph", "write", "--reachable")
        forget(taught, taught.gone, "--scrub")
        assert b"xylophonist" not in taught.stored()
        assert taught.git("fsck", "--strict") == ""

    @pytest.mark.parametrize(("name", "command"), FOREIGN.items(), ids=FOREIGN)
    def test_what_a_person_keeps_is_refused_by_name_and_nothing_changes(self, taught, name, command):
        taught.git(*command)
        head, references = taught.head(), taught.git("for-each-ref")
        answer = forget(taught, taught.gone, "--scrub", code=4)
        assert name in answer.err
        assert "next: " in answer.err
        assert (taught.head(), taught.git("for-each-ref")) == (head, references)
        assert MARKER in taught.context()
        assert taught.call("search", "xylophonist", "--json").json["total"] > 0

    def test_a_stash_is_refused_by_name_a_buried_one_too(self, taught):
        for number in range(2):
            (taught.memory / "system/human.md").write_text(f"---\ndescription: me\n---\n{number}\n")
            taught.git("stash")
        assert "the stash" in forget(taught, taught.gone, "--scrub", code=4).err

    def test_a_work_tree_is_refused_by_name(self, taught, tmp_path):
        taught.git("worktree", "add", "-q", "--detach", str(tmp_path / "beside"))
        assert "the work tree beside" in forget(taught, taught.gone, "--scrub", code=4).err

    def test_what_is_foreign_and_holds_nothing_of_it_does_not_matter(self, taught):
        root = taught.git("rev-list", "--max-parents=0", "HEAD").strip()
        taught.git("branch", "early", root)
        forget(taught, taught.gone, "--scrub")
        assert taught.git("rev-parse", "early").strip() == root

    def test_a_merge_that_is_not_finished_is_refused(self, taught):
        (taught.memory / ".git/MERGE_HEAD").write_text(taught.head() + "\n")
        assert "unfinished" in forget(taught, taught.gone, "--scrub", code=4).err

    def test_commits_that_hold_nothing_of_it_keep_their_ids(self, taught):
        root = taught.git("rev-list", "--max-parents=0", "HEAD").strip()
        forget(taught, taught.gone, "--scrub")
        assert taught.git("rev-list", "--max-parents=0", "HEAD").strip() == root
        subjects = taught.git("log", "--format=%s").splitlines()
        assert subjects[0] == "Forget a session"
        assert subjects[-1] == "Start the memory repository"


class TestAsking:
    def test_without_a_terminal_a_yes_must_be_given(self, taught):
        answer = taught.call("forget", taught.gone, code=2)
        assert "--yes" in answer.err
        assert MARKER in taught.context()

    def test_what_would_go_is_said_first(self, taught):
        answer = taught.call("forget", taught.gone, code=2)
        assert taught.gone in answer.err
        assert "rollout_summaries/" in answer.err
        assert MARKER in answer.err

    def test_what_could_be_both_is_an_error(self, taught):
        folder = taught.memory / taught.gone[:6]
        folder.mkdir()
        (folder / "x.md").write_text("x\n")
        taught.call("adopt")
        assert "folder and the beginning of a session" in taught.fail("forget", taught.gone[:6], "--yes").err
        forget(taught, f"{taught.gone[:6]}/")
        assert MARKER in taught.context()


@pytest.mark.parametrize("scrub", [(), ("--scrub",)])
def test_a_damaged_baseline_or_proposal_stops_no_forgetting(taught, scrub):
    references = taught.memory / ".git/refs/vademecum"
    for name in ("baseline", "proposals/20261120T090000-ed17"):
        (references / name).parent.mkdir(parents=True, exist_ok=True)
        (references / name).write_text("1" * 40 + "\n")
    forget(taught, taught.gone, *scrub)
    assert MARKER not in taught.read("MEMORY.md")
    assert KEPT in taught.read("MEMORY.md")


@pytest.mark.parametrize("scrub", [(), ("--scrub",)])
def test_the_words_of_a_note_that_was_undone_do_not_return_by_the_archive(product, scrub):
    product.sessions.mkdir()
    product.call("note", "zorilla plan")
    product.learn()
    product.call("undo")
    (note,) = (product.memory / "extensions/ad_hoc/notes").glob("*zorilla*")
    product.call("forget", f"extensions/ad_hoc/notes/{note.name}", "--yes", *scrub)
    product.call("note", "another")
    product.learn()
    assert "zorilla plan" not in product.read("ARCHIVE.md")
    assert product.call("search", "zorilla", "--json").json["total"] == 0
    product.learn()
    assert "zorilla plan" not in product.context() + product.read("ARCHIVE.md")


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_secret_is_nowhere_told_in_clear_while_it_is_taken_out(product, as_json):
    """Neither what goes, nor the names of files that go or say the same by themselves."""
    product.call("init")
    folder = product.memory / f"reference/{FAKE_SECRET}"
    folder.mkdir(parents=True)
    folder.with_name("gone.md").write_text(f"---\ndescription: d\n---\n{FAKE_SECRET}\n")
    (folder / "also.md").write_text("---\ndescription: e\n---\nSee [[reference/gone]].\n")
    product.git("add", "--all")
    product.git("commit", "--quiet", "--no-verify", "--message", "past the hook")
    asked = product.call("forget", f"reference/{FAKE_SECRET}/", "--scrub", *as_json, code=2)
    done = product.call("forget", "reference/gone.md", "--scrub", "--yes", *as_json, code=1)
    assert "a name in reference/ in commit" in done.out
    assert "[secret:github-token]/also.md:4 links to" in done.out
    also = product.call("forget", f"reference/{FAKE_SECRET}/", "--scrub", "--yes", *as_json)
    for answer in (asked, done, also):
        assert FAKE_SECRET not in answer.out + answer.err
