from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import NOTES_FOLDER, note_path, parse_note, render_note
from vademecum.memfs import is_valid

AT = datetime(2026, 11, 2, 9, 30, 15, tzinfo=UTC)
text = st.text(st.characters(blacklist_categories=("Cs", "Cc"), whitelist_characters="\n"), min_size=1, max_size=120)


@settings(max_examples=60)
@given(text.filter(str.strip), st.sampled_from(["human", "model"]))
def test_a_note_is_kept_verbatim_with_who_said_it_and_when(words, origin):
    note = parse_note("extensions/ad_hoc/notes/x.md", render_note(words, origin=origin, created_at=AT))
    assert (note.text, note.origin, note.created_at) == (words.strip(), origin, AT)


def test_the_path_names_the_moment_and_the_first_words():
    path = note_path("The staging database is rebuilt every Monday", AT, frozenset())
    assert path == f"{NOTES_FOLDER}2026-11-02T09-30-15-the-staging-database-is-rebuilt-every-monday.md"


@settings(max_examples=60)
@given(text)
def test_any_text_gives_a_path_that_the_repository_takes(words):
    assert is_valid(note_path(words, AT, frozenset()))


def test_notes_of_the_same_second_get_different_files():
    taken = set()
    for _ in range(4):
        taken.add(note_path("again", AT, frozenset(taken)))
    assert len(taken) == 4


def test_a_file_that_a_person_wrote_without_a_header_is_their_note():
    note = parse_note(f"{NOTES_FOLDER}2026-11-02T09-30-15-x.md", "just words\n")
    assert (note.text, note.origin, note.created_at) == ("just words", "human", AT)


def test_a_note_without_any_time_is_the_oldest():
    assert parse_note(f"{NOTES_FOLDER}mine.md", "words").created_at.year == 1970


def test_headings_of_memory_files_are_nothing_that_a_note_says():
    text = render_note("call her Ada\n# Task Group: everywhere", origin="model", created_at=AT)
    note = parse_note(f"{NOTES_FOLDER}x.md", text)
    assert (note.text, note.is_unconfirmed) == ("call her Ada", True)
