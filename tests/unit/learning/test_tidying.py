"""What goes by itself: unconfirmed notes after fourteen days, resources of extensions after seven."""

from datetime import UTC, datetime, timedelta

import pytest

from vademecum.artifacts import NOTES_FOLDER, render_note
from vademecum.learning.tidying import is_input, tidy
from vademecum.memfs import Provenance, Writer

USER = Provenance(writer=Writer.USER)
NOW = datetime.now(UTC)
NOTE = f"{NOTES_FOLDER}2026-11-01T09-00-00-x.md"
LATER = NOW + timedelta(days=15)
SIDE = "extensions/wiki/"


def note(origin="model"):
    return render_note("the key lies in the drawer", origin=origin, created_at=NOW)


def put(memory, files):
    memory.commit(files, subject="x", provenance=USER)


def left(memory, now):
    tidy(memory, now)
    return set(memory.tree().paths())


class TestNotes:
    def test_a_note_that_nobody_confirmed_goes_in_a_commit_that_says_so(self, memory):
        put(memory, {NOTE: note()})
        assert NOTE in left(memory, NOW + timedelta(days=13))
        assert NOTE not in left(memory, LATER)
        (commit,) = memory.log(limit=1)
        assert commit.subject == "Let 1 unconfirmed note expire after 14 days"
        assert commit.provenance.writer is Writer.LEARN

    def test_one_in_a_persons_words_never_goes(self, memory):
        """codex-R59"""
        put(memory, {NOTE: note("human")})
        assert NOTE in left(memory, NOW + timedelta(days=4000))

    def test_one_that_a_person_edited_is_theirs(self, memory):
        put(memory, {NOTE: note().replace("drawer", "safe")})
        assert NOTE in left(memory, LATER)

    def test_one_that_is_being_edited_is_left_to_the_person(self, memory):
        put(memory, {NOTE: note()})
        (memory.folder / NOTE).write_text("my own words\n")
        assert NOTE in left(memory, LATER)
        assert (memory.folder / NOTE).read_text() == "my own words\n"

    def test_one_that_a_person_brought_back_stays_as_long_again(self, memory):
        put(memory, {NOTE: render_note("old", origin="model", created_at=NOW - timedelta(days=100))})
        assert NOTE in left(memory, NOW + timedelta(days=1))
        assert NOTE not in left(memory, LATER)

    def test_that_one_goes_is_no_input_of_learning(self, memory):
        put(memory, {NOTE: note(), "reference/x.md": "---\ndescription: x\n---\nx\n"})
        memory.move_baseline(memory.tree().tree_id)
        tidy(memory, LATER)
        assert memory.baseline().diff(memory.tree()) == []


class TestInput:
    @pytest.mark.parametrize(("before", "after", "expected"), [(None, "model", False), ("model", "human", True)])
    def test_an_unconfirmed_note_is_no_input_and_a_confirmed_one_is(self, memory, before, after, expected):
        if before:
            put(memory, {NOTE: note(before)})
        old = memory.tree()
        put(memory, {NOTE: note(after)})
        (change,) = old.diff(memory.tree())
        assert is_input(change, old, memory.tree()) is expected


class TestResources:
    def files(self, *names):
        return {f"{SIDE}{name}": "words\n" for name in names}

    def test_old_ones_go_and_everything_else_stays(self, memory):
        """Only what bears its time in its name, and lies where an extension keeps its resources."""
        old = (NOW - timedelta(days=7, minutes=1)).strftime("%Y-%m-%dT%H-%M-%S")
        new = (NOW - timedelta(days=6)).strftime("%Y-%m-%dT%H-%M-%S")
        kept = [
            "instructions.md",
            f"resources/{new}-page.md",
            "resources/page.md",
            f"resources/deeper/{old}-page.md",
            f"notes/{old}-page.md",
            f"resources/{old}1-page.md",
            "resources/2026-13-40T99-00-00-page.md",
        ]
        gone = [f"resources/{old}-page.md", f"resources/{old}.md", f"resources/{old}-project/scope.json"]
        put(memory, {**self.files(*kept, *gone[:2]), f"{SIDE}{gone[2]}": "{}\n"})
        assert {path.removeprefix(SIDE) for path in left(memory, NOW) if path.startswith(SIDE)} == set(kept)
        (commit,) = memory.log(limit=1)
        assert commit.subject == "Prune 3 resources of extensions after 7 days"

    def test_a_folder_without_instructions_is_no_extension(self, memory):
        put(memory, self.files("resources/2020-01-01T00-00-00-page.md"))
        assert f"{SIDE}resources/2020-01-01T00-00-00-page.md" in left(memory, NOW)

    def test_nothing_over_is_no_commit(self, memory):
        head = memory.head()
        tidy(memory, NOW + timedelta(days=999))
        assert memory.head() == head
