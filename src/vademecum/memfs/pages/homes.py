"""The names that memory itself goes by, each in one spelling.

A file system may take `memory.md` for `MEMORY.md`, and an eye takes a Cyrillic letter for a Latin one. A path that
reads like one of these names and is written otherwise would be the protected file to some, an ordinary page to others.

Alike are: letters of either case, compatibility forms, characters that are not shown at all, and the letters of other
scripts that look like Latin ones. Not alike are digits (`l0g/`), accents and other separators.
"""

import re
import unicodedata
from collections.abc import Mapping

from vademecum.memfs.pages.unseen import without_unseen

__all__ = [
    "FLAT_SKILL",
    "HOMES",
    "NAMED_BY_US",
    "NOTE",
    "OF_PERSON",
    "PAGES",
    "QUOTING",
    "misspelling",
    "plain_spelling",
]


def _spellings(*names: str) -> Mapping[str, str]:
    return {name.casefold(): name for name in names}


#: The folder, in small letters -> how the names in it read -> how they are written.
_NAMES: Mapping[str, Mapping[str, str]] = {
    "": _spellings(
        *("MEMORY.md", "memory_summary.md", "ARCHIVE.md"),
        *("system", "rollout_summaries", "extensions", "skills", "reference", "people", "log"),
    ),
    "system": _spellings("boundaries.md", "human.md", "persona.md"),
    "extensions": _spellings("ad_hoc"),
    "extensions/*": _spellings("instructions.md", "notes", "resources"),
}

#: The folders in which everybody may choose names.
_FREE = frozenset(name for read, name in _NAMES[""].items() if read not in _NAMES and not name.endswith(".md"))

_ROOT_ARTEFACTS = r"MEMORY\.md|memory_summary\.md|ARCHIVE\.md"
_ANY_NOTE = r"extensions/[^/]+/notes/.+"

# What stands where. Ask them with `fullmatch`.
#: What a person asked to remember.
NOTE = re.compile(_ANY_NOTE)
#: What belongs to the person alone, or to who installed an extension: others may read it, and nothing more.
OF_PERSON = re.compile(rf"system/boundaries\.md|extensions/[^/]+/instructions\.md|{_ANY_NOTE}")
#: Files whose names are made of words that were masked.
NAMED_BY_US = re.compile(rf"rollout_summaries/.*|{_ANY_NOTE}")
#: What stands here was said by somebody, and was no link in their mouth.
QUOTING = re.compile(rf"rollout_summaries/.+|{_ROOT_ARTEFACTS}")
#: Where pages belong: a stray one at the root is read by nobody who does not look for it.
PAGES = re.compile(
    rf"{_ROOT_ARTEFACTS}|README\.md|(?:system|reference|people|log|rollout_summaries)/.+|(?:skills|extensions)/[^/]+/.+"
)
#: Where a person or an agent puts pages, in words.
HOMES = "system/, reference/, people/, log/, or skills/<name>/"
#: A skill that lies where none is found; its group is the name.
FLAT_SKILL = re.compile(r"skills/([^/]+)\.md")

#: Latin letter -> the Cyrillic, Greek and other letters that most fonts draw like it, small or capital.
_LOOK_ALIKES: Mapping[str, str] = {
    "a": "\u0430\u0410\u03b1\u0391\u0251",
    "b": "\u0412\u0392\u042c\u044c",
    "c": "\u0441\u0421\u03f2\u03f9",
    "d": "\u0501\u0500",
    "e": "\u0435\u0415\u0395\u0454",
    "g": "\u0261\u050d\u0581",
    "h": "\u04bb\u041d\u0397\u0570",
    "i": "\u0456\u0406\u03b9\u0399\u0131\u0130\u0269",
    "k": "\u043a\u041a\u03ba\u039a",
    "l": "\u04cf\u04c0\u01c0",
    "m": "\u043c\u041c\u039c",
    "n": "\u043f\u039d\u03b7\u0578",
    "o": "\u043e\u041e\u03bf\u039f\u03c3\u0585\u0555",
    "p": "\u0440\u0420\u03c1\u03a1",
    "r": "\u0433",
    "s": "\u0455\u0405\u054f",
    "t": "\u0442\u0422\u03c4\u03a4",
    "u": "\u057d\u03c5\u054d",
    "v": "\u03bd\u0475\u0474",
    "x": "\u0445\u0425\u03c7\u03a7",
    "y": "\u0443\u0423\u03b3\u03a5\u04af\u04ae",
}
_TO_LATIN = str.maketrans({other: latin for latin, others in _LOOK_ALIKES.items() for other in others})


def plain_spelling(text: str) -> str:
    """Return how a path reads to the eye, and to a file system that ignores case, in small letters."""
    if text.isascii():
        return text.lower()
    # Look-alikes first: folding would turn a capital that looks Latin into a small letter that does not.
    shown = unicodedata.normalize("NFKC", without_unseen(text)).translate(_TO_LATIN)
    return unicodedata.normalize("NFKC", shown.casefold())


def misspelling(path: str) -> str | None:
    """Say which name of memory a path is too like, or None: it is that name, or another altogether."""
    first, slash, _ = path.partition("/")
    if slash and first in _FREE:
        return None  # so do nearly all of the thousands of files that a pass asks about
    place = ""
    parts = path.split("/")
    for depth, part in enumerate(parts, 1):
        names = _NAMES.get(place)
        if names is None:
            return None
        read = plain_spelling(part)
        name = names.get(read)
        if name is not None and name != part:
            return f"{part!r} can be taken for {name!r}, a name of memory itself; write it so, or choose another"
        if name is not None and name.endswith(".md") and depth < len(parts):
            return f"{name!r} is a file of memory itself, and cannot be a folder"
        place = "extensions/*" if place == "extensions" else read if depth == 1 else f"{place}/{read}"
    return None
