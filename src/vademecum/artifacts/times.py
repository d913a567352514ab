"""Times as they stand in memory files: UTC, to the second, `2026-11-02T10:00:00Z`."""

from datetime import UTC, datetime

__all__ = ["format_day", "format_stem_time", "format_time", "parse_time"]


def format_time(moment: datetime) -> str:
    """`2026-11-02T10:00:00Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_stem_time(moment: datetime) -> str:
    """`2026-11-02T10-00-00`: the same moment in a file name."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H-%M-%S")


def format_day(moment: datetime) -> str:
    """`2026-11-02`: the memory day."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d")


def parse_time(text: str) -> datetime | None:
    """The moment, aware UTC, or None where the text is no ISO 8601 time. A time without zone is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
