from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import format_day, format_stem_time, format_time, parse_time

HONG_KONG = timezone(timedelta(hours=8))


def test_times_in_files_are_utc_to_the_second():
    moment = datetime(2026, 11, 3, 1, 2, 3, 999, tzinfo=HONG_KONG)
    assert format_time(moment) == "2026-11-02T17:02:03Z"
    assert format_stem_time(moment) == "2026-11-02T17-02-03"
    assert format_day(moment) == "2026-11-02"


def test_a_time_without_zone_is_taken_as_utc():
    assert parse_time("2026-11-02T10:00:00") == datetime(2026, 11, 2, 10, tzinfo=UTC)


@settings(max_examples=60)
@given(st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001  hypothesis adds the zone
def test_a_moment_is_read_as_it_was_written_to_the_second(moment):
    assert parse_time(format_time(moment)) == moment.replace(microsecond=0)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+23:59", "1793000000"])
def test_what_is_no_time_is_none(text):
    assert parse_time(text) is None
