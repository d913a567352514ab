from datetime import UTC, datetime, timedelta

import pytest

from support.memfs import create
from vademecum.artifacts import (
    ARCHIVE_PATH,
    decisions,
    forgotten_session,
    parse_archive,
    rejected_hash,
    rejected_in,
    rejected_sessions,
    removals_in,
    render_archive,
    session_hash,
    with_rejected,
    without_rejected,
)
from vademecum.memfs import Provenance, Writer

UNTIL = datetime(2026, 11, 20, 9, 30, 5, tzinfo=UTC)
DAY = "2026-11-30"


@pytest.fixture
def listed():
    return with_rejected("", "s1", UNTIL, DAY)


def test_a_session_is_found_again_with_its_moment_and_its_id_is_not_told(listed, tmp_path):
    assert rejected_in(listed) == {session_hash("s1"): UNTIL}
    memory = create(tmp_path)
    memory.commit({ARCHIVE_PATH: listed}, subject="x", provenance=Provenance(writer=Writer.USER))
    assert rejected_sessions(memory.tree()) == {session_hash("s1"): UNTIL}
    assert "s1 " not in listed


def test_a_later_rejection_stands_in_the_place_of_the_former(listed):
    later = UNTIL + timedelta(days=1)
    both = with_rejected(listed, "s1", later, DAY)
    assert rejected_in(both) == {session_hash("s1"): later}
    assert len(parse_archive(both)) == 1


def test_taking_one_out_leaves_the_others(listed):
    both = with_rejected(listed, "s2", UNTIL, DAY)
    assert without_rejected(both, "s2") == listed
    assert rejected_in(without_rejected(both, "s1")) == {session_hash("s2"): UNTIL}


def test_it_is_a_decision_and_no_removed_bullet_and_rendering_it_again_keeps_it(listed):
    assert removals_in(listed) == []
    assert rejected_in(render_archive(decisions(listed))) == rejected_in(listed)


def test_a_session_that_was_forgotten_since_is_listed_as_that_only(listed):
    forgotten = render_archive([*parse_archive(listed), forgotten_session("s1", DAY)])
    assert decisions(forgotten) == []


def test_its_line_names_its_session_and_other_lines_name_none(listed):
    (entry,) = parse_archive(listed)
    assert rejected_hash(f"{entry.day} {entry.reason}: {entry.text}") == session_hash("s1")
    assert rejected_hash(f"{DAY} rejected: use npm here") == ""


def test_a_moment_that_is_none_keeps_nothing_out(listed):
    assert rejected_in(listed.replace("2026-11-20T09:30:05Z", "yesterday")) == {}
