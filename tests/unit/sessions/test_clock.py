"""Times as session files hold them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.sessions.clock import stored_seconds, stored_time


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-02T10:00:00Z", "2026-11-02T10:00:00+00:00"),
        ("2026-11-02T10:00:00.123+02:00", "2026-11-02T08:00:00.123000+00:00"),
        ("2026-11-02T10:00:00", "2026-11-02T10:00:00+00:00"),
    ],
)
def test_iso_times_are_taken_as_utc(value: str, expected: str) -> None:
    moment = stored_time(value)
    assert moment is not None
    assert moment.isoformat() == expected


@pytest.mark.parametrize("value", [None, 3, "", "soon", "1999-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
def test_what_is_not_credible_is_none(value: object) -> None:
    assert stored_time(value) is None


def test_a_clock_a_little_ahead_is_believed() -> None:
    """Another machine's clock may be wrong by hours, not by weeks."""
    now = datetime.now(UTC)
    assert stored_time((now + timedelta(hours=20)).isoformat()) is not None
    assert stored_time((now + timedelta(days=9)).isoformat()) is None


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_no_number_raises(seconds: float) -> None:
    moment = stored_seconds(seconds)
    assert moment is None or moment.tzinfo is UTC
