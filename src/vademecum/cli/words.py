"""How all commands say why an identity was taken, list what was passed over, and shorten ids."""

from collections.abc import Iterable

from vademecum.cli.printing import flat, home_as_tilde
from vademecum.engine import words_of
from vademecum.routes import Chosen, Route

__all__ = ["AFTER_RESET", "reason_lines", "short_ids", "why_chosen"]

#: What holds until something is learned after a reset.
AFTER_RESET = (
    "Memory has begun anew: sessions that ended before the reset stay out of it (`vade sessions --all` lists them). "
    "New ones are learned; "
    "`vade mode SESSION enabled` has the next `vade learn` take in an earlier one."
)
_SHORTEST_ID = 8

_CHOSEN = {
    Chosen.NAMED: "named by --identity",
    Chosen.ENVIRONMENT: "named by VADEMECUM_IDENTITY",
    Chosen.BY_HAND: "you gave it {folder} and all below",
    Chosen.PROJECT: "of the project {folder}",
    Chosen.FOLDER: "of the folder {folder}, which is in no repository",
    Chosen.DEFAULT: "the default one",
}


def why_chosen(route: Route) -> str:
    """Why a command speaks of this identity."""
    return _CHOSEN[route.chosen].format(folder=home_as_tilde(flat(route.folder)))


def reason_lines(counts: dict[str, int]) -> list[str]:
    """One indented line per reason, the commonest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [f"  {count:>6}  {words_of(reason)}" for reason, count in ordered]


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """Id -> the shortest beginning of at least eight characters that no other of them has."""
    ordered = sorted(set(ids))
    shortened: dict[str, str] = {}
    for before, name, after in zip(["", *ordered], ordered, [*ordered[1:], ""], strict=False):
        needed = max(_common(before, name), _common(name, after)) + 1
        shortened[name] = name[: max(_SHORTEST_ID, needed)]
    return shortened


def _common(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
