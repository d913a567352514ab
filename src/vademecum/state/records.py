"""Records: one row per extracted session, rebuildable from its rollout summary.

The absence of a record says nothing; only an explicit retirement takes a session out of the memory.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import NamedTuple

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, from_rows, to_row
from vademecum.state.statements import load_statements
from vademecum.state.times import from_ms, to_ms

__all__ = ["Candidate", "Record", "RecordHead", "RecordOrigin", "RecordState", "Records", "RetiredReason"]

_SQL = load_statements("vademecum.state", "records")


class RecordOrigin(StrEnum):
    """Where a record came from."""

    SESSION = "session"  #: extracted here from a host's session
    REPOSITORY = "repository"  #: rebuilt from a rollout summary in the memory repository


class RecordState(StrEnum):
    """Whether a record takes part in consolidation."""

    ACTIVE = "active"  #: it may be selected
    RETIRED = "retired"  #: it may not; `retired_reason` says why


class RetiredReason(StrEnum):
    """Why a record was taken out of the memory."""

    UNUSED = "unused"  #: nothing cited it for too long
    NO_OUTPUT = "no_output"  #: a newer extraction of the same session found nothing worth keeping
    DELETED = "deleted"  #: a person deleted the session or its rollout summary
    FORGOTTEN = "forgotten"  #: a person asked to forget it
    DISABLED = "disabled"  #: a person switched the session off; it comes back when they switch it on
    POLLUTED = "polluted"  #: text from outside came into it, or into a helper of its agent, before it was in memory
    REJECTED = "rejected"  #: a person rejected the proposal that would have brought it; what is newer in it counts

    @property
    def is_final(self) -> bool:
        """A person's word: the session is never extracted into memory again, and its text is removed here."""
        return self in {RetiredReason.DELETED, RetiredReason.FORGOTTEN}


class RecordHead(msgspec.Struct, frozen=True, kw_only=True):
    """A record without its text: what lists and selection read, ten thousand at a time."""

    #: The host's own id of the session.
    session_id: str
    #: The host that stored the session.
    host: str
    #: Its working directory; empty where the host stored none.
    cwd: str
    #: The project it belongs to; empty: none is known, or an older version learned it.
    project: str = ""
    #: First moment of the session, aware UTC.
    started_at: datetime
    #: Last moment of the session that was extracted, aware UTC; the record's version.
    updated_at: datetime
    #: When it was extracted, or taken in from the repository, aware UTC.
    extracted_at: datetime
    #: File name of its rollout summary without `.md`; assigned once and kept, whatever later versions bring.
    stem: str
    #: Whether it takes part in consolidation.
    state: RecordState = RecordState.ACTIVE
    #: Set exactly when retired.
    retired_reason: RetiredReason | None = None
    #: Which version of it the last successful consolidation took in; None: it stands in no artefact.
    consolidated_updated_at: datetime | None = None


class Record(RecordHead, frozen=True, kw_only=True):
    """What extraction kept of one session. All text is masked before it comes here."""

    #: Git branch of the session, or None where unknown.
    branch: str | None
    #: success, partial, fail or uncertain.
    outcome: str
    #: A few words that name the session, fit for a file name.
    slug: str
    #: Evidence for consolidation.
    raw_memory: str
    #: Recap of the session.
    rollout_summary: str
    #: The learner that wrote it, with its version.
    learner: str
    #: When it was extracted, aware UTC.
    extracted_at: datetime
    #: Extracted here, or rebuilt from the repository.
    origin: RecordOrigin = RecordOrigin.SESSION


class Candidate(NamedTuple):
    """What a selection judges of an active record, ten thousand at a time."""

    session_id: str
    project: str
    #: Aware UTC.
    updated_at: datetime


class Records:
    """The table of records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, session_id: str) -> Record | None:
        """The record of a session, retired ones included."""
        row = self._database.one(_SQL["get_record"], {"session_id": session_id})
        return from_row(Record, row) if row else None

    def alike(self, pattern: str) -> list[str]:
        """The sessions with a record whose ids match this pattern of LIKE, sorted."""
        return [row["session_id"] for row in self._database.all(_SQL["alike_records"], {"pattern": pattern})]

    def all(self, state: RecordState | None = None) -> list[Record]:
        """Records, newest session first."""
        rows = self._database.all(_SQL["all_records"], {"state": state and state.value})
        return from_rows(Record, rows)

    def heads(self, state: RecordState | None = None) -> list[RecordHead]:
        """Records without their text, newest session first."""
        rows = self._database.all(_SQL["record_heads"], {"state": state and state.value})
        return from_rows(RecordHead, rows)

    def names(self) -> set[str]:
        """The sessions that have a record, retired ones included."""
        return {name for (name,) in self._database.all(_SQL["record_names"])}

    def resting(self, idle_since: datetime | None) -> list[RecordHead]:
        """Records that rest because nobody used them, and those that may: taken in, and nothing new since that time."""
        since = None if idle_since is None else to_ms(idle_since)
        return from_rows(RecordHead, self._database.all(_SQL["resting_records"], {"since": since}))

    def projects_since(self, moment: datetime) -> set[str]:
        """The projects with a session that went on at that time or later."""
        return {project for (project,) in self._database.all(_SQL["projects_since"], {"moment": to_ms(moment)})}

    def candidates(self) -> list[Candidate]:
        """All active records, as a selection sees them, in no order."""
        rows = self._database.all(_SQL["record_candidates"])
        return [Candidate(name, project, from_ms(moment)) for name, project, moment in rows]

    def chosen(self, session_ids: Iterable[str]) -> list[Record]:
        """The active records of these sessions, newest session first."""
        names = msgspec.json.encode(sorted(session_ids)).decode()
        return from_rows(Record, self._database.all(_SQL["chosen_records"], {"names": names}))

    def landed(self) -> dict[str, str]:
        """The sessions whose rollout summaries must lie in the memory, by stem: it has them, or they rest."""
        return dict(map(tuple, self._database.all(_SQL["landed_records"])))

    def stems(self) -> frozenset[str]:
        """The stems of all records, retired ones included."""
        ((stems,),) = self._database.all(_SQL["record_stems"])
        return frozenset((stems or "").split("\n")) - {""}

    def counts(self) -> dict[RecordState, int]:
        """How many records stand in each state."""
        rows = self._database.all(_SQL["count_records"])
        return dict.fromkeys(RecordState, 0) | {RecordState(row["state"]): row["count"] for row in rows}

    def upsert(self, record: Record) -> bool:
        """Store what extraction gave; True where the memory's input changed by it.

        An equal or newer `updated_at` replaces, an older one never does. A session that a person deleted or forgot
        stays out, and one that they rejected until there is more of it; one retired for another reason comes back. The
        stem that was assigned first stays, so read the record back for the stem that holds; a stem that another session
        has gets a number.
        """
        with self._database.write():
            known = self.get(record.session_id)
            if known is not None and not _replaces(record, known):
                return False
            stem = known.stem if known else self._free_stem(record)
            self._database.run(_SQL["put_record"], to_row(record) | {"stem": stem})
        return True

    def adopt(self, records: Iterable[Record]) -> int:
        """Insert the records of rollout summaries whose sessions are unknown here; how many were."""
        adopted = 0
        with self._database.write():
            for record in records:
                if self.get(record.session_id) is None:
                    row = to_row(record) | {"stem": self._free_stem(record), "origin": RecordOrigin.REPOSITORY.value}
                    adopted += self._database.run(_SQL["put_record"], row)
        return adopted

    def put_back(self, record: Record) -> None:
        """Store this version whatever is known of its session: a person brought it back. It waits for consolidation."""
        self._database.run(_SQL["put_record"], to_row(record))
        self.mark_consolidated({record.session_id: None})

    def retire(self, session_id: str, reason: RetiredReason) -> bool:
        """Take a session out of the memory; False where it is unknown or already out by a person's word.

        With a final reason its text is removed from the row at once.
        """
        with self._database.write():
            touched = self._database.run(_SQL["retire_record"], {"session_id": session_id, "reason": reason.value})
            if touched and reason.is_final:
                self._database.run(_SQL["clear_record"], {"session_id": session_id})
        return bool(touched)

    def retired_for(self, reason: RetiredReason) -> frozenset[str]:
        """The sessions that were taken out of the memory for this reason."""
        rows = self._database.all(_SQL["retired_for"], {"reason": reason.value})
        return frozenset(row["session_id"] for row in rows)

    def restore(self, session_id: str) -> None:
        """Let a retired record take part again, as it was left; it waits for consolidation."""
        known = self.get(session_id)
        if known is not None:
            self.put_back(msgspec.structs.replace(known, state=RecordState.ACTIVE, retired_reason=None))

    def wake(self, session_id: str) -> None:
        """Take a record back that was put to rest because nobody used it."""
        self._database.run(_SQL["wake_record"], {"session_id": session_id})

    def standing(self) -> set[str]:
        """The sessions of the records that hold what a person said as a rule, a habit or a correction."""
        return {row["session_id"] for row in self._database.all(_SQL["standing_records"])}

    def anonymise(self, session_id: str, stem: str) -> None:
        """Give a retired record a name that says nothing of what the session was about."""
        self._database.run(_SQL["rename_record"], {"session_id": session_id, "stem": stem})

    def clear(self) -> None:
        """Drop every record; what is there to be learned is learned anew only where its source is."""
        self._database.run(_SQL["clear_records"])

    def unconsolidated(self) -> list[Record]:
        """What the next consolidation has to take in, newest session first.

        Active records in a version that it has not seen, and retired ones that still stand in its artefacts.
        """
        return from_rows(Record, self._database.all(_SQL["unconsolidated_records"]))

    def count_unconsolidated(self) -> int:
        """How many those are."""
        row = self._database.one(_SQL["count_unconsolidated"])
        return row["count"] if row else 0

    def mark_consolidated(self, snapshots: Mapping[str, datetime | None]) -> None:
        """Note what a landed consolidation has seen: session id -> the `updated_at` it took in, None: it took it out.

        The caller says what it saw, not what is stored now: a record that changed meanwhile stays unconsolidated.
        """
        self._database.run_many(
            _SQL["mark_consolidated"],
            (
                {"session_id": session_id, "snapshot": None if moment is None else to_ms(moment)}
                for session_id, moment in snapshots.items()
            ),
        )

    def _free_stem(self, record: Record) -> str:
        stems = (record.stem if number == 1 else f"{record.stem}-{number}" for number in count(1))
        return next(stem for stem in stems if not self._is_taken(stem, record.session_id))

    def _is_taken(self, stem: str, session_id: str) -> bool:
        return self._database.one(_SQL["stem_taken"], {"stem": stem, "session_id": session_id}) is not None


def _replaces(record: Record, known: Record) -> bool:
    if known.retired_reason is not None and known.retired_reason.is_final:
        return False
    if to_ms(record.updated_at) < to_ms(known.updated_at):
        return False
    if known.retired_reason is RetiredReason.REJECTED and to_ms(record.updated_at) == to_ms(known.updated_at):
        return False
    return _content(record) != _content(known)


def _content(record: Record) -> dict[str, object]:
    """What consolidation reads of a record: not when it was extracted, nor what consolidation itself noted."""
    bookkeeping = ("stem", "extracted_at", "consolidated_updated_at")
    return {name: value for name, value in to_row(record).items() if name not in bookkeeping}
