"""How sessions show secrets, one rendering a line: `§` stands for the secret; line breaks and tabs are escapes."""

import re
from pathlib import Path

_HERE = Path(__file__).parent
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", "\\": "\\"}

#: Of a generator, made up by a person, with signs, and short.
VALUES = ("Xk9mQ2" + "vL7pR4tZ", "hunter" + "2x9", "Tr0ub4" + "dor&3k", "qW8" + "zR5tN")


def _lines(name: str) -> list[str]:
    return [
        _ESCAPED.sub(lambda found: _MEANT[found[1]], line)
        for line in (_HERE / name).read_text(encoding="utf-8").split("\n")
        if line
    ]


def masked() -> list[tuple[str, str]]:
    """What kind of rendering it is, and the rendering."""
    kind = ""
    made: list[tuple[str, str]] = []
    for line in _lines("masked.txt"):
        if line.startswith("[") and "§" not in line:
            kind = line.strip("[]")
        else:
            made.append((kind, line))
    return made


def stays() -> list[str]:
    """Texts without a secret, which look like some of the others."""
    return _lines("stays.txt")
