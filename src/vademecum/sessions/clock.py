"""Times as session files hold them: taken where they are credible, else not at all."""

from datetime import UTC, datetime, timedelta

from vademecum.artifacts import parse_time

__all__ = ["stored_seconds", "stored_time"]

#: No host that is read here is older.
_EARLIEST = datetime(2020, 1, 1, tzinfo=UTC)
#: How far another machine's clock may be ahead.
_SLACK = timedelta(days=2)
_PAST = datetime.now(UTC)


def stored_time(value: object) -> datetime | None:
    """The moment that this ISO 8601 text names, aware UTC; None for anything else, and for the far past or future."""
    moment = parse_time(value) if isinstance(value, str) else None
    return _credible(moment)


def stored_seconds(seconds: float) -> datetime | None:
    """The moment so many seconds after 1970, aware UTC; None for the far past or future."""
    try:
        return _credible(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        return None


def _credible(moment: datetime | None) -> datetime | None:
    if moment is None or moment < _EARLIEST:
        return None
    # Nearly all stored times lie before this program's start; only the others need the clock.
    return moment if moment < _PAST or moment < datetime.now(UTC) + _SLACK else None
