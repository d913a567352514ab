"""Names that were written letter by letter to get past a scanner: `p a s s w o r d = ...`."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import Finding
from vademecum.secrets.names import meaning_of

_BEGINNINGS = ("pas", "pwd", "sec", "tok", "api", "key")
LITERALS = tuple(
    blank.join(letters)
    for word in _BEGINNINGS
    for letters in (word, word.upper(), word.title())
    for blank in (" ", "  ", "\t", "\n")
)
"""The first three letters of the names, apart."""

_NAME = re.compile(r"(?:[A-Za-z_\-]\s{1,3}){2,30}[A-Za-z]\s{0,3}(?P<separator>[:=])\s{0,3}[\"'`]?")
_VALUE = re.compile(r"""[^\s"'`](?:[ \t]{1,3}[^\s"'`](?!\S))+|[^\s"'`<>]+""")
_MIN_LENGTH = 6


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value after a name of single letters: six characters or more, single letters too or in one piece."""
    del seams
    if start and text[start - 1].isalnum():
        return ()
    name = _NAME.match(text, start)
    meaning = meaning_of("".join(name.group()[: name.start("separator") - start].split())) if name else None
    if name is None or meaning is None:
        return ()
    value = _VALUE.match(text, name.end())
    if value is None or len("".join(value.group().split())) < _MIN_LENGTH or values.is_placeholder(value.group()):
        return ()
    return (Finding(kind=meaning.kind, start=value.start(), end=value.end()),)
