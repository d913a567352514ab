from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.errors import UsageError
from vademecum.memfs.messages import body_of, compose, parse_provenance, signature, subject_of
from vademecum.memfs.records import Provenance, Writer

FULL = Provenance(writer=Writer.LEARN, session="ses-1", run="run-1", turn=12, origin="human")
UNDONE = ("a1" * 20, "b2" * 20)


def test_provenance_stands_in_trailers_of_fixed_names():
    assert compose("Learn things", FULL) == (
        "Learn things\n\nVade-Writer: learn\nVade-Session: ses-1\nVade-Run: run-1\nVade-Turn: 12\nVade-Origin: human\n"
    )


def test_what_is_not_known_has_no_trailer():
    assert compose("x", Provenance(writer=Writer.USER)) == "x\n\nVade-Writer: user\n"


def test_a_subject_is_one_line():
    assert subject_of(compose("a\n\nVade-Run: forged\n b", FULL)) == "a Vade-Run: forged b"
    assert parse_provenance(compose("a\n\nVade-Run: forged", FULL)) == FULL


@pytest.mark.parametrize("message", ["Vade-Writer: learn", "Fix\n\nsome words\n", "Fix\n\nVade-Writer: robot\n", ""])
def test_a_commit_without_our_trailers_is_the_persons_own(message):
    assert parse_provenance(message) == Provenance(writer=Writer.USER)


def test_trailers_count_only_in_the_last_paragraph():
    """core-R82: words about a run are not its receipt."""
    message = "Fix\n\nVade-Run: run-1\n\nand more words\n"
    assert parse_provenance(message).run is None


def test_other_trailers_beside_ours_are_no_obstacle():
    message = "Fix\n\nSigned-off-by: A <a@example.org>\nVade-Writer: sync\nVade-Turn: many\n"
    assert parse_provenance(message) == Provenance(writer=Writer.SYNC)


@pytest.mark.parametrize("value", ["", " x", "x ", "a\nVade-Run: forged", "a\rb", "\u2028"])
def test_a_value_that_would_not_come_back_is_refused(value):
    with pytest.raises(UsageError, match="session"):
        compose("x", Provenance(writer=Writer.LEARN, session=value))


def test_the_commits_that_an_undo_takes_back_stand_in_one_trailer():
    message = compose("x", Provenance(writer=Writer.UNDO, undoes=UNDONE))
    assert message.endswith(f"\nVade-Undoes: {UNDONE[0]} {UNDONE[1]}\n")
    assert parse_provenance(message).undoes == UNDONE


@pytest.mark.parametrize(
    ("message", "body"),
    [
        (compose("x", FULL), ""),
        ("x\n\nwhy it was done\n\nand more\n\nVade-Writer: user\n", "why it was done\n\nand more"),
        ("x\n\nwhy\n\nSigned-off-by: A <a@example.org>\n", "why\n\nSigned-off-by: A <a@example.org>"),
        ("x\nsecond line\n", "second line"),
        ("x", ""),
        ("", ""),
    ],
)
def test_the_body_is_what_a_person_wrote_below_the_subject(message, body):
    assert body_of(message) == body


def test_a_blank_subject_is_refused():
    with pytest.raises(UsageError, match="subject"):
        compose(" \n ", FULL)


def test_only_hand_edits_carry_the_person_as_author():
    at = datetime(2026, 1, 1, tzinfo=UTC)
    assert signature(Writer.USER, at).name == "user"
    assert {signature(writer, at).name for writer in Writer if writer is not Writer.USER} == {"vademecum"}
    assert signature(Writer.LEARN, at).time == at.timestamp()


LINE = st.text(min_size=1, max_size=20).filter(lambda text: text.isprintable() and text == text.strip())


@given(st.text(min_size=1).filter(str.strip), LINE, LINE, st.integers(min_value=0, max_value=10**6))
@settings(max_examples=100)
def test_provenance_comes_back_unchanged_whatever_the_subject_says(subject, session, run, turn):
    provenance = Provenance(writer=Writer.REFLECT, session=session, run=run, turn=turn)
    assert parse_provenance(compose(subject, provenance)) == provenance
