"""The phrases of the stories: wordings with slots, and the words by which each is recognised again."""

import random
import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from stories.secret_shapes import make_secret

__all__ = ["Filler", "Phrase", "load_phrases", "word_pools"]

_HERE = Path(__file__).parent
_SLOT = re.compile(r"\{(?P<pool>word|port|name|number|folder|secret)(?P<tail>\d?|\.[a-z_]+)\}")


@cache
def word_pools() -> dict[str, list[str]]:
    """What slots are filled with: pool -> values."""
    return tomllib.loads((_HERE / "words.toml").read_text(encoding="utf-8"))


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to say, in several wordings."""

    #: Wordings with the same meaning; each holds all words of `must` or `never`.
    says: tuple[str, ...]
    #: Words that stand together on the line where this was learned.
    must: tuple[str, ...] = ()
    #: Words that may not stand on any line (history in the index apart).
    never: tuple[str, ...] = ()
    #: How far the words reach: "project", "general", or "either" where both readings are fair.
    reach: str = "either"
    language: str = "en"
    #: For commands: what was run. `says` is then the output.
    command: str = ""
    failed: bool = False
    #: For commands: words of the handbook line that keeps what worked.
    keep: tuple[str, ...] = ()


@cache
def load_phrases() -> dict[str, Phrase]:
    """All phrases by id: the table of a file and the key in it, `rule.pnpm`."""
    phrases: dict[str, Phrase] = {}
    for path in sorted((_HERE / "phrases").glob("*.toml")):
        for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for key, entry in entries.items():
                phrases[f"{table}.{key}"] = msgspec.convert(entry, Phrase)
    return phrases


class Filler:
    """Fills slots for one story: the same slot of the same phrase always gets the same value."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._unused = {pool: rng.sample(values, len(values)) for pool, values in word_pools().items()}
        self._chosen: dict[tuple[str, str], str] = {}
        #: What was put into `{secret.kind}` slots: kind -> the values that may be nowhere.
        self.secrets: dict[str, list[str]] = {}

    def fill(self, phrase_id: str, text: str) -> str:
        """The text with every slot replaced."""
        return _SLOT.sub(lambda match: self._value(phrase_id, match["pool"], match["tail"]), text)

    def _value(self, phrase_id: str, pool: str, tail: str) -> str:
        key = (phrase_id, pool + tail)
        if key not in self._chosen:
            self._chosen[key] = self._draw(pool, tail)
        return self._chosen[key]

    def _draw(self, pool: str, tail: str) -> str:
        if pool == "port":
            return str(self._rng.randrange(4100, 9900))
        if pool == "number":
            return str(self._rng.randrange(11, 98))
        if pool == "secret":
            made = make_secret(tail.removeprefix("."), self._rng)
            self.secrets.setdefault(tail.removeprefix("."), []).extend(made.parts)
            return made.text
        return self._unused[pool].pop()
