"""Times at the border of a database: integer milliseconds UTC inside, aware datetimes outside.

One unit everywhere: seconds and milliseconds mixed in one table were a fault of the system this grew from (codex-W53).
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

__all__ = ["from_ms", "to_ms", "utc_now"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime) -> int:
    """Milliseconds since 1970 UTC, rounded down; `moment` must be aware."""
    return (moment - _EPOCH) // _MILLISECOND


# Lists are long, and most of their moments come in pairs: of a session, and of the version that was consolidated.
@lru_cache(maxsize=1 << 14)
def from_ms(milliseconds: int) -> datetime:
    """The aware UTC moment."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def utc_now() -> datetime:
    """The clock that a store uses unless a caller brings its own."""
    return datetime.now(UTC)
