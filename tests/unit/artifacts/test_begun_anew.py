from datetime import UTC, datetime, timedelta

import pytest

from support.memfs import create
from vademecum.artifacts import (
    ARCHIVE_PATH,
    began_anew_at,
    begun_anew_entry,
    decisions,
    forgotten_session,
    render_archive,
    session_hash,
    taken_in_sessions,
    with_taken_in,
)
from vademecum.memfs import Provenance, Writer

AT = datetime(2026, 11, 30, 18, 49, 23, 120_001, tzinfo=UTC)


@pytest.fixture
def at_revision(tmp_path):
    memory = create(tmp_path)

    def write(text):
        memory.commit({ARCHIVE_PATH: text}, subject="x", provenance=Provenance(writer=Writer.USER))
        return memory.tree()

    return write


def test_the_moment_is_read_as_it_was_written_to_the_last_digit(at_revision):
    assert began_anew_at(at_revision(render_archive([begun_anew_entry(AT)]))) == AT


def test_of_several_moments_the_last_one_holds_and_other_words_are_none(at_revision):
    text = render_archive([begun_anew_entry(AT), begun_anew_entry(AT - timedelta(days=400))])
    assert began_anew_at(at_revision(text)) == AT
    assert began_anew_at(at_revision(text.replace("anew at 202", "anew on 202"))) is None


def test_a_session_is_taken_in_by_its_hash_and_every_other_line_stays(at_revision):
    text = render_archive([begun_anew_entry(AT)])
    taken = with_taken_in(text, "0199a000-1111", "2026-11-30")
    assert "0199a000" not in taken
    assert taken_in_sessions(at_revision(taken)) == {session_hash("0199a000-1111")}
    assert taken.startswith(text.rstrip("\n"))
    assert taken_in_sessions(at_revision(with_taken_in(taken, "0199a000-1111", None))) == frozenset()


def test_nothing_keeps_the_entry_of_a_session_that_was_forgotten_since():
    entries = [begun_anew_entry(AT), forgotten_session("s1", "2026-11-30")]
    text = with_taken_in(with_taken_in(render_archive(entries), "s1", "2026-11-30"), "s2", "2026-11-30")
    assert {item.scope: session_hash("s2") in item.text for item in decisions(text)} == {
        "Begun anew": False,
        "Sessions taken in again": True,
    }
    assert len(decisions(text)) == 2
