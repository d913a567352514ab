from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from vademecum.state import from_ms, to_ms


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_survives_the_database_to_the_millisecond(moment: datetime):
    """codex-W53: one unit, and no rounding up into the future."""
    assert timedelta(0) <= moment - from_ms(to_ms(moment)) < timedelta(milliseconds=1)


def test_a_moment_of_another_zone_is_the_same_moment():
    moment = datetime(2026, 11, 2, 10, tzinfo=timezone(timedelta(hours=2)))
    assert from_ms(to_ms(moment)) == moment
