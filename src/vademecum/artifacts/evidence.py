"""One line of evidence: what was seen in which turn of a session, in a grammar that a record can be rebuilt from.

    - [t4] rule/project 2026-11-02T10:00:00Z: use pnpm here, never npm
    - [t9.2] command/project 2026-11-02T10:04:00Z: test with `pytest -q`

`[t4]` is the turn, `.2` the second statement taken from the same turn. The text runs to the end of the line.
"""

import re
from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.artifacts.plain import plain_line
from vademecum.artifacts.times import format_time, parse_time

__all__ = ["Evidence", "Kind", "Reach", "parse_evidence", "render_evidence"]


class Kind(StrEnum):
    """What a line of evidence says. The first four are preferences and rest on human words only."""

    RULE = "rule"  #: the user stated a standing rule
    HABIT = "habit"  #: the user described how they always work
    CORRECTION = "correction"  #: the user corrected what the assistant did
    REQUEST = "request"  #: a one-off request; becomes a preference only when it recurs in distinct sessions
    COMMAND = "command"  #: a command that worked, with its goal
    FAILURE = "failure"  #: failure, what changed, success
    ERROR = "error"  #: an error line that was met
    FILE = "file"  #: where things live
    FACT = "fact"  #: a fact on the environment


PREFERENCES = frozenset({Kind.RULE, Kind.HABIT, Kind.CORRECTION, Kind.REQUEST})


class Reach(StrEnum):
    """How far a statement reaches by its own words."""

    GENERAL = "general"
    PROJECT = "project"


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One statement taken from one turn."""

    kind: Kind
    reach: Reach
    #: Turn number of the message in its session (1-based).
    turn: int
    #: Which statement of that turn, from 1.
    ordinal: int = 1
    #: When it was said, aware UTC.
    at: datetime
    #: One line; near-verbatim for preferences.
    text: str


_KINDS = {kind.value: kind for kind in Kind}
_REACHES = {reach.value: reach for reach in Reach}
_LINE = re.compile(
    r"^- \[t(?P<turn>\d{1,7})(?:\.(?P<ordinal>\d{1,4}))?\] "
    r"(?P<kind>[a-z]+)/(?P<reach>[a-z]+) (?P<at>\S+): (?P<text>\S.*)$"
)


def render_evidence(evidence: Evidence) -> str:
    """The line, without a newline."""
    turn = f"t{evidence.turn}" if evidence.ordinal == 1 else f"t{evidence.turn}.{evidence.ordinal}"
    text = plain_line(evidence.text)
    return f"- [{turn}] {evidence.kind}/{evidence.reach} {format_time(evidence.at)}: {text}"


def parse_evidence(line: str) -> Evidence | None:
    """The evidence on this line, or None where the line is something else."""
    match = _LINE.match(line)
    if match is None:
        return None
    kind, reach, at = _KINDS.get(match["kind"]), _REACHES.get(match["reach"]), parse_time(match["at"])
    if kind is None or reach is None or at is None:
        return None
    return Evidence(
        kind=kind,
        reach=reach,
        turn=int(match["turn"]),
        ordinal=int(match["ordinal"] or 1),
        at=at,
        text=match["text"].rstrip(),
    )
