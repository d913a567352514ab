"""Which lead-ins take back what stands under them, and which ask to keep it: the words of `data/lead_ins.toml`.

All languages are looked for in every text: a word too many leaves a statement unconfirmed, one too few inverts it.
"""

import re
import tomllib
import unicodedata
from functools import cache
from importlib import resources

import msgspec

__all__ = ["REJECTING_SIGNS", "asks_to_keep", "attributes", "only_negates", "retracts", "takes_back"]

#: Whoever leaves out such a sign says the opposite.
REJECTING_SIGNS = "❌✗✘✖❎🚫⛔👎🛑"
_BETWEEN_WORDS = re.compile(rf"[^\w'\-{REJECTING_SIGNS}]+")
#: Letters below are Latin ones: the voicing mark of a Japanese letter makes another one.
_END_OF_LATIN = "\u0250"


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's words, as the file describes them."""

    negates: tuple[str, ...]
    rejects: tuple[str, ...]
    attributes: tuple[str, ...]
    conditions: tuple[str, ...]
    keeps_negated: tuple[str, ...]
    asks: tuple[str, ...]
    around: tuple[str, ...]
    retracts: tuple[str, ...]
    own: tuple[str, ...] = ()
    #: Whether the script puts blanks between words.
    spaced: bool = True


def takes_back(lead_in: str) -> bool:
    """Whether it negates, rejects, lends to others or makes conditional what it leads in to."""
    words = _without("own", _without("keeps_negated", _plain(lead_in)))
    if any(sign in words for sign in REJECTING_SIGNS):
        return True
    return any(_any_of(what).search(words) for what in ("negates", "rejects", "attributes", "conditions"))


def only_negates(line: str) -> bool:
    """Whether it is nothing but a "never", which means what comes next; a "no" answers what came before."""
    words = _plain(line)
    return bool(words) and not _without("negates", words).strip() and not retracts(line)


def attributes(statement: str) -> bool:
    """Whether it tells what somebody else says."""
    return bool(_any_of("attributes").search(_without("own", _plain(statement))))


def retracts(statement: str) -> bool:
    """Whether it rejects the words right before it."""
    return bool(_any_of("retracts").match(_plain(statement)))


def asks_to_keep(lead_in: str) -> bool:
    """Whether it states that rules or things to remember follow, and says nothing else: each word of it is known."""
    words = _plain(lead_in)
    return bool(_any_of("asks").search(words)) and not _unknown(words) and not takes_back(lead_in)


def _unknown(words: str) -> str:
    return _without("around", _without("asks", words)).strip()


def _without(what: str, words: str) -> str:
    return _any_of(what).sub(" ", words)


def _plain(text: str) -> str:
    """Lower case without accents and punctuation: what the words are compared with."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    bare = "".join(unicodedata.normalize("NFD", char)[0] if char < _END_OF_LATIN else char for char in folded)
    return " ".join(_BETWEEN_WORDS.sub(" ", bare).split())


@cache
def _languages() -> tuple[_Words, ...]:
    text = resources.files("vademecum.artifacts").joinpath("data/lead_ins.toml").read_text("utf-8")
    return tuple(msgspec.convert(tomllib.loads(text), dict[str, _Words]).values())


@cache
def _any_of(what: str) -> re.Pattern[str]:
    """One entry of this list, in any language; the longest first, for one may begin another."""
    latin = _alternatives(what, spaced=True)
    eastern = _alternatives(what, spaced=False)
    return re.compile(rf"(?<!\w)(?:{latin})(?!\w)" + (f"|(?:{eastern})" if eastern else ""))


def _alternatives(what: str, *, spaced: bool) -> str:
    found: set[str] = {entry for words in _languages() if words.spaced is spaced for entry in getattr(words, what)}
    return "|".join(sorted(found, key=lambda entry: (-len(entry), entry)))
