"""From finished work to memory: it lands, or waits for a person; and the books say what was taken in.

What an undecided proposal rests on stays input: its records are not taken for consolidated, and the baseline does not
move over it. So a later run works with the same input and more, and what it brings replaces the older proposal. Only
that the very same input is not worked on again is noted (`seen`).
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from vademecum.learning.ancestor import add_to_baseline
from vademecum.learning.finished_work import FinishedWork
from vademecum.learning.stage import Review, Stage
from vademecum.memfs import Landing, LandingStatus, Provenance, Repository, Writer, land, propose, waiting_proposals
from vademecum.state import Record, RecordState, SeenInput, State

__all__ = ["has_seen", "keep_seen", "provenance_of", "settle", "versions_of"]


def settle(stage: Stage, work: FinishedWork) -> Landing:
    """Take finished work into the memory, or keep it for review. Doing it again changes nothing.

    Raises NotFound where its base is gone, and what `land` raises.
    """
    repository, state = stage.repository, stage.state
    frozen = work.frozen(repository)
    landing = (propose if stage.review is Review.PROPOSE else land)(
        repository,
        frozen,
        subject=work.subject,
        provenance=provenance_of(work),
        extra_edits=work.extra_edits,
    )
    if landing.proposal_ref is None:
        repository.move_baseline(landing.seen)
        state.records.mark_consolidated(work.records)
    else:
        extras = {path: None if text is None else text.encode() for path, text in work.extra_edits.items()}
        landed = {**work.edits, **extras}
        add_to_baseline(
            repository, frozen.base, {path: data for path, data in landed.items() if path not in landing.conflicts}
        )
    keep_seen(state, landing.seen, work.records)
    if work.wrote or landing.status is not LandingStatus.NO_CHANGES:
        _drop_older(repository, state, work.run)
    return landing


def provenance_of(work: FinishedWork) -> Provenance:
    """How the commit of this work is known again."""
    return Provenance(writer=Writer.LEARN, run=work.run)


def versions_of(records: Iterable[Record]) -> dict[str, datetime | None]:
    """What a run sees of records that wait: session id -> version; None: the record is to be taken out."""
    return {record.session_id: record.updated_at if record.state is RecordState.ACTIVE else None for record in records}


def has_seen(state: State, tree_id: str, records: Mapping[str, datetime | None]) -> bool:
    """Whether the last consolidation has seen exactly this input."""
    return state.inputs.last() == _seen(tree_id, records)


def keep_seen(state: State, tree_id: str, records: Mapping[str, datetime | None]) -> None:
    """Note what a consolidation has seen."""
    state.inputs.keep(_seen(tree_id, records))


def _seen(tree_id: str, records: Mapping[str, datetime | None]) -> SeenInput:
    encoded = msgspec.json.encode(sorted((key, moment) for key, moment in records.items()))
    return SeenInput(tree=tree_id, records=hashlib.sha256(encoded).hexdigest())


def _drop_older(repository: Repository, state: State, run: str) -> None:
    """Nobody decided on what earlier runs proposed, and this run has seen all that they saw: they never pile up."""
    for proposal in waiting_proposals(repository):
        if proposal.commit.provenance.writer is Writer.LEARN and proposal.id != run:
            repository.drop_proposal(proposal.id)
            state.runs.decide(proposal.id, "replaced by a newer run")
