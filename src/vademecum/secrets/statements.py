"""Statements of SQL that give an account its password."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding

__all__ = ["DETECTORS"]

_SETS = (
    r"(?:ENCRYPTED[ ]|UNENCRYPTED[ ])?PASSWORD(?:[ ]FOR[ ]\S{1,80})?"
    r"|IDENTIFIED(?:[ ]WITH[ ]\w{1,40})?[ ]BY(?:[ ]PASSWORD)?"
)
_QUOTED = re.compile(
    rf"""(?:WITH[ ])?(?:{_SETS})[ \t]{{0,4}}=?[ \t]{{0,4}}[EN]?\\{{0,15}}['"](?P<value>[^'"\n\\]{{3,256}})""",
    re.IGNORECASE | re.VERBOSE,
)
#: As Oracle takes it.
_BARE = re.compile(r"IDENTIFIED BY (?=[A-Za-z_$#]*[0-9])(?P<value>[A-Za-z][\w$#!&*+?@-]{5,128})", re.IGNORECASE)


def _given(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The password that the clause at `start` gives."""
    del seams
    found = _QUOTED.match(text, start) or _BARE.match(text, start)
    if found is None or values.is_placeholder(found["value"]):
        return NOTHING
    return (Finding(kind="password", start=found.start("value"), end=found.end("value")),)


_CLAUSES = ("IDENTIFIED ", "WITH PASSWORD", "ENCRYPTED PASSWORD", "PASSWORD FOR ", "PASSWORD '", "PASSWORD E'")
DETECTORS: tuple[tuple[str, Detector], ...] = tuple(
    (form, _given) for clause in _CLAUSES for form in (clause, clause.lower()) if not form.startswith("password")
)
