"""A secret without a shape of its own, given away by what stands near it.

An AWS secret access key is forty random characters. Beside its key id, or words that announce it, they can be little
else: hashes are written in one case, names and paths change their kind of letter far less often.
"""

import re
from collections.abc import Container, Sequence

from vademecum.secrets.finding import NOTHING, Detector, Finding

__all__ = ["DETECTORS"]

_KIND = "aws-secret-key"
_ID = re.compile(r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])")
#: With the end of an escape such as a backslashed newline before it, or nothing that could belong to it.
_FORTY = re.compile(r"(?:(?<![A-Za-z0-9+/_-])|(?<=\\[nrt]))[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])")
_CLASSES = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
#: From one kind of letter to another; forty random characters have 25 of them, give or take three.
_CHANGE = re.compile(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]|(?<=[+/])[^+/]")
_FEWEST_CHANGES = 18
#: How far it may stand from what gives it away; the lines of a structure are short.
_LINES, _REACH = 3, 400


def _beside_id(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    del seams
    found = _ID.match(text, start)
    return _near(text, start, found.end()) if found else NOTHING


def _beside_words(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    del seams
    return _near(text, start, start)


def _near(text: str, start: int, end: int) -> Sequence[Finding]:
    above = text[max(0, start - _REACH) : start].split("\n")[-_LINES - 1 :]
    below = text[end : end + _REACH].split("\n")[: _LINES + 1]
    first, last = start - len("\n".join(above)), end + len("\n".join(below))
    # A token at the edge of the reach is seen to its end: `endpos` would hide what follows it.
    found = (match for match in _FORTY.finditer(text, first, min(len(text), last + 1)) if match.end() <= last)
    return [Finding(kind=_KIND, start=one.start(), end=one.end()) for one in found if _is_random(one.group())]


def _is_random(value: str) -> bool:
    return all(one.search(value) for one in _CLASSES) and len(_CHANGE.findall(value)) >= _FEWEST_CHANGES


_NAMES = ("secret access key", "secret_access_key", "secret-access-key")
_WORDS = (
    *(form for name in _NAMES for form in (name, name.capitalize(), name.title(), name.upper())),
    *("secretAccessKey", "SecretAccessKey", "aws secret", "AWS secret", "AWS Secret", "Aws secret"),
)
DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((literal, _beside_id) for literal in ("AKIA", "ASIA")),
    *((literal, _beside_words) for literal in _WORDS),
)
"""Literal and detector; what else is found at the same place does not stand in their way."""
