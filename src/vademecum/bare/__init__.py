"""What a hook process shares with the rest, in plain standard library: ordering of the context, pins, routing, events.

A hook has some milliseconds. Importing `re` (which `json` imports), `pathlib`, `sqlite3` or `subprocess` here would
break its budget; docs/decisions.md has the figures.
"""

from vademecum.bare.arranging import SHARES, TEMPLATE, arrange, estimate_tokens
from vademecum.bare.events import LEARNER_REST_SECONDS, is_home, note_event, report_failure, start_learner
from vademecum.bare.pins import given, inject
from vademecum.bare.routing import decide, project_of, route_of

__all__ = [
    "LEARNER_REST_SECONDS",
    "SHARES",
    "TEMPLATE",
    "arrange",
    "decide",
    "estimate_tokens",
    "given",
    "inject",
    "is_home",
    "note_event",
    "project_of",
    "report_failure",
    "route_of",
    "start_learner",
]
