"""THE STATE of one identity, in SQLite: records, jobs, sources, modes, usage, tombstones, runs, requests, breakers.

`Database` and `load_statements` are what the search index of `recall` is built on as well.
"""

from vademecum.state.breakers import Breaker, Breakers
from vademecum.state.database import Database, Parameters
from vademecum.state.inputs import SeenInput, SeenInputs
from vademecum.state.jobs import Claim, ErrorClass, Job, Jobs, JobStatus, Terms
from vademecum.state.modes import SessionMode, SessionModes
from vademecum.state.passes import LastPass, Passes
from vademecum.state.records import Candidate, Record, RecordHead, RecordOrigin, Records, RecordState, RetiredReason
from vademecum.state.requests import Day, ModelRequest, Requests, Spend
from vademecum.state.rescue import Rescue, broken_folder, discard_broken, is_empty_file, past_rescues
from vademecum.state.runs import INTERRUPTED, Run, RunKind, Runs, new_run_id
from vademecum.state.sources import ReadPlace, Source, Sources, before_reset, left_alone
from vademecum.state.statements import load_statements
from vademecum.state.store import State
from vademecum.state.times import from_ms, to_ms
from vademecum.state.tombstones import Tombstone, TombstoneReason, Tombstones
from vademecum.state.usage import Citation, CitedKind, Usage, UsageTotal
from vademecum.state.workers import is_alive, is_gone, new_token, this_worker

__all__ = [
    "INTERRUPTED",
    "Breaker",
    "Breakers",
    "Candidate",
    "Citation",
    "CitedKind",
    "Claim",
    "Database",
    "Day",
    "ErrorClass",
    "Job",
    "JobStatus",
    "Jobs",
    "LastPass",
    "ModelRequest",
    "Parameters",
    "Passes",
    "ReadPlace",
    "Record",
    "RecordHead",
    "RecordOrigin",
    "RecordState",
    "Records",
    "Requests",
    "Rescue",
    "RetiredReason",
    "Run",
    "RunKind",
    "Runs",
    "SeenInput",
    "SeenInputs",
    "SessionMode",
    "SessionModes",
    "Source",
    "Sources",
    "Spend",
    "State",
    "Terms",
    "Tombstone",
    "TombstoneReason",
    "Tombstones",
    "Usage",
    "UsageTotal",
    "before_reset",
    "broken_folder",
    "discard_broken",
    "from_ms",
    "is_alive",
    "is_empty_file",
    "is_gone",
    "left_alone",
    "load_statements",
    "new_run_id",
    "new_token",
    "past_rescues",
    "this_worker",
    "to_ms",
]
