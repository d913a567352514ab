"""Which run or proposal a person means: by its id, by the beginning of it, or by that of its last part."""

from collections.abc import Iterable

from vademecum.errors import UsageError

__all__ = ["find_run_id", "is_short_for"]

_LISTED_IDS = 10


def find_run_id(name: str, ids: Iterable[str], *, what: str) -> str | None:
    """Return the one id that is meant, or None where none is.

    Parameters
    ----------
    what: what the ids are of, in the plural, for the error.

    Raises
    ------
    UsageError: several are meant.
    """
    known = list(dict.fromkeys(ids))
    found = [name] if name in known else [run for run in known if is_short_for(name, run)]
    if len(found) > 1:
        more = f" and {len(found) - _LISTED_IDS} more" if len(found) > _LISTED_IDS else ""
        raise UsageError(
            f"{len(found)} {what} begin with {name!r}: {', '.join(found[:_LISTED_IDS])}{more}",
            next_step="Give more of the id.",
        )
    return found[0] if found else None


def is_short_for(name: str, run: str) -> bool:
    """Say whether a name may stand for this id."""
    return bool(name) and (run.startswith(name) or run.rpartition("-")[2].startswith(name))
