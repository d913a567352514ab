"""Which run, proposal or session a person means: by its id, or by a beginning that no other has."""

from collections.abc import Callable, Iterable

from vademecum.errors import UsageError

__all__ = ["find_id", "find_run_id", "is_short_for"]

_LISTED_IDS = 10


_IsMeant = Callable[[str, str], bool]


def _begins(name: str, one: str) -> bool:
    return bool(name) and one.startswith(name)


def find_run_id(name: str, ids: Iterable[str], *, what: str) -> str | None:
    """Return the one run or proposal that is meant, also by the beginning of its last part; else as `find_id`."""
    return find_id(name, ids, what=what, is_meant=is_short_for)


def find_id(name: str, ids: Iterable[str], *, what: str, is_meant: _IsMeant = _begins) -> str | None:
    """Return the one id that is meant, or None where none is.

    Parameters
    ----------
    what: what the ids are of, in the plural, for the error.
    is_meant: whether a name may stand for an id; usually as its beginning.

    Raises
    ------
    UsageError: several are meant.
    """
    known = list(dict.fromkeys(ids))
    found = [name] if name in known else [one for one in known if is_meant(name, one)]
    if len(found) > 1:
        more = f" and {len(found) - _LISTED_IDS} more" if len(found) > _LISTED_IDS else ""
        raise UsageError(
            f"{len(found)} {what} begin with {name!r}: {', '.join(found[:_LISTED_IDS])}{more}",
            next_step="Give more of the id.",
        )
    return found[0] if found else None


def is_short_for(name: str, run: str) -> bool:
    """Say whether a name may stand for the id of this run."""
    return _begins(name, run) or _begins(name, run.rpartition("-")[2])
