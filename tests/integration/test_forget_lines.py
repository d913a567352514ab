"""Forgetting one line: it goes from handbook and summary in one commit, and comes back by the person's word only."""

from datetime import UTC, datetime, timedelta

import pytest

from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"
OTHER = "never edit generated files by hand"


@pytest.fixture
def learned(product):
    product.tell(ruled("please look at the tests", RULE, OTHER, label="first"))
    product.learn()
    return product


def line_of(product, path, words):
    lines = product.read(path).split("\n")
    return next(
        number
        for number, text in enumerate(lines, 1)
        if text.startswith("- ") and words in text and "<!-- vade:" in text
    )


def forget(product, path, words):
    return product.call("forget", f"{path}:{line_of(product, path, words)}", "--yes", "--json").json


@pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md"])
def test_a_statement_goes_from_both_files_in_one_commit_and_learning_does_not_bring_it_back(learned, path):
    head = learned.head()
    gone = forget(learned, path, "xylophonist")
    assert {line["path"] for line in gone["lines"]} == {"MEMORY.md", "memory_summary.md"}
    assert learned.git("rev-parse", "HEAD~1").strip() == head
    assert "xylophonist" not in learned.context()
    learned.tell(ruled("keep commits small", label="more", started_at=datetime(2026, 11, 20, 9, tzinfo=UTC)))
    learned.learn()
    for name in ("MEMORY.md", "memory_summary.md"):
        assert "- " + RULE not in learned.read(name)
        assert OTHER in learned.read(name)
    assert "deleted: " + RULE in learned.read("ARCHIVE.md")


def test_it_comes_back_when_the_person_says_it_again(learned):
    forget(learned, "MEMORY.md", "xylophonist")
    learned.learn()
    learned.tell(ruled(RULE, label="again", started_at=datetime.now(UTC) + timedelta(seconds=5)))
    learned.learn()
    assert "- " + RULE in learned.read("MEMORY.md")


def test_an_undo_brings_the_line_back(learned):
    former = learned.read("MEMORY.md"), learned.read("memory_summary.md")
    forget(learned, "MEMORY.md", "xylophonist")
    learned.call("undo")
    assert (learned.read("MEMORY.md"), learned.read("memory_summary.md")) == former


def test_several_lines_go_at_once(learned):
    first, last = sorted(line_of(learned, "MEMORY.md", words) for words in (RULE, OTHER))
    learned.call("forget", f"MEMORY.md:{first}-{last}", "--yes")
    assert RULE not in learned.context()
    assert OTHER not in learned.context()


def test_a_line_that_says_nothing_is_refused_and_the_nearest_statement_named(learned):
    head = learned.head()
    near = min(line_of(learned, "MEMORY.md", words) for words in (RULE, OTHER))
    error = learned.call("forget", "MEMORY.md:1", "--yes", "--json", code=2).error
    assert "no statement" in error["message"]
    assert f"MEMORY.md:{near} " in error["message"]
    assert learned.head() == head


def test_keyword_lines_and_lists_of_files_are_no_statements(learned):
    lines = learned.read("MEMORY.md").split("\n")
    says = {line_of(learned, "MEMORY.md", words) for words in (RULE, OTHER)}
    for number in (number for number, text in enumerate(lines, 1) if text and number not in says):
        assert "no statement" in learned.call("forget", f"MEMORY.md:{number}", "--yes", code=2).err, lines[number - 1]


def test_nobody_is_asked_where_nobody_is_there_and_nothing_goes_without_a_yes(learned):
    head = learned.head()
    asked = learned.call("forget", f"MEMORY.md:{line_of(learned, 'MEMORY.md', RULE)}", code=2)
    assert RULE in asked.err
    assert learned.head() == head


def test_a_scrub_of_a_line_says_which_session_to_scrub(learned):
    (session,) = learned.call("sessions", "--json").json["sessions"]
    place = f"MEMORY.md:{line_of(learned, 'MEMORY.md', RULE)}"
    error = learned.call("forget", place, "--scrub", "--yes", "--json", code=2).error
    assert f"vade forget {session['id']} --scrub" in error["next"]


def test_a_line_of_a_note_goes_and_a_note_without_words_goes_as_a_whole(product):
    product.call("note", "first words\nsecond words")
    (path,) = (str(one.relative_to(product.memory)) for one in product.memory.glob("extensions/ad_hoc/notes/*.md"))
    lines = product.read(path).split("\n")
    product.call("forget", f"{path}:{lines.index('second words') + 1}", "--yes")
    assert "first words" in product.read(path)
    assert "second words" not in product.read(path).split("---")[-1]
    product.call("forget", f"{path}:{lines.index('first words') + 1}", "--yes")
    assert not (product.memory / path).exists()


def test_a_statement_that_a_note_says_goes_with_its_note(product):
    product.call("note", "the staging database is called quetzalcoatl")
    product.tell(ruled(RULE, label="first"))
    product.learn()
    forget(product, "MEMORY.md", "quetzalcoatl")
    product.learn()
    assert "quetzalcoatl" not in product.context()
    assert "quetzalcoatl" not in product.read("MEMORY.md")


def test_lines_of_other_pages_are_refused_with_the_way_to_edit_them(learned):
    assert "vade adopt" in learned.call("forget", "system/human.md:1", "--yes", code=4).err
