"""Ranking: tiers first; inside a tier relevance, moved a little by what is newer and by what answers have used."""

from collections.abc import Sequence
from enum import IntEnum

import msgspec

__all__ = ["WINDOW", "Ranked", "Tier", "with_priors"]

#: So many of the best of each tier are moved by the priors. Fixed, so that every page cuts the same order.
WINDOW = 200
_RECENCY_WEIGHT = 0.1
_USAGE_WEIGHT = 0.1
_HALF_LIFE_MS = 90 * 24 * 3600 * 1000


class Tier(IntEnum):
    """How well a passage meets the words of a query; a higher tier always stands first."""

    ANY = 0  #: some of the words
    TELLING = 1  #: one of its rarest words at least; asked for where the others stand nearly everywhere
    ALL = 2  #: all of the words
    EXACT = 3  #: the words exactly as they were typed


_TOLD = {
    Tier.ANY: "some of the words",
    Tier.TELLING: "a rare one of the words",
    Tier.ALL: "all words",
    Tier.EXACT: "the exact words",
}


class Ranked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A passage with what decides on its place."""

    id: int
    tier: Tier
    #: BM25, higher is better.
    relevance: float
    #: Milliseconds since 1970 UTC, None where unknown.
    at: int | None = None
    #: How often answers have used its source.
    used: int = 0
    #: What age and use add to the relevance; 0.05 is five per cent.
    recency: float = 0.0
    usage: float = 0.0

    @property
    def strength(self) -> float:
        """What decides inside a tier."""
        return self.relevance * (1 + self.recency + self.usage)

    @property
    def score(self) -> float:
        """Tier and strength in one figure; the whole part is the tier."""
        return round(self.tier + self.strength / (1 + self.strength), 6)

    @property
    def explanation(self) -> str:
        """Why it stands where it stands."""
        return f"{_TOLD[self.tier]}; bm25 {self.relevance:.2f}; recency +{self.recency:.0%}; usage +{self.usage:.0%}"


def with_priors(ranked: Sequence[Ranked]) -> list[Ranked]:
    """A tier in its final order, given in the order of relevance.

    Age counts from the newest passage of the window, so that the order needs no clock.
    """
    window, rest = ranked[:WINDOW], ranked[WINDOW:]
    newest = max((hit.at for hit in window if hit.at is not None), default=0)
    moved = [_moved(hit, newest) for hit in window]
    moved.sort(key=_strength, reverse=True)
    return [*moved, *rest]


def _moved(hit: Ranked, newest: int) -> Ranked:
    recency = 0.0 if hit.at is None else _RECENCY_WEIGHT * 0.5 ** ((newest - hit.at) / _HALF_LIFE_MS)
    return Ranked(
        id=hit.id,
        tier=hit.tier,
        relevance=hit.relevance,
        at=hit.at,
        used=hit.used,
        recency=recency,
        usage=_USAGE_WEIGHT * hit.used / (1 + hit.used),
    )


def _strength(hit: Ranked) -> float:
    return hit.strength
