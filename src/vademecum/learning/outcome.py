"""How a consolidation ended, as `vade learn` and the ledger tell it."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from vademecum.learning.cooldown import Rest
from vademecum.learning.left_drafts import Recovered

__all__ = ["Consolidation", "ConsolidationStatus", "outcome_of", "resting", "told"]


class ConsolidationStatus(StrEnum):
    """How a consolidation ended, in the words of `vade learn --json`."""

    LANDED = "landed"  #: a commit holds the new artefacts
    NO_NEW_INPUT = "no_new_input"  #: nothing was learned or written since the last one
    NO_CHANGES = "no_changes"  #: the input was read and changes no file
    PROPOSED = "proposed"  #: all of it waits for review: so it is set, or a person has to decide on all of it
    BUSY = "busy"  #: another process consolidates this identity
    COOLDOWN = "cooldown"  #: a learner that asks a model rests after its last run; the input waits
    INVALID = "invalid"  #: the learner's work broke a rule; the input waits
    FAILED = "failed"  #: the learner failed; the input waits
    SKIPPED = "skipped"  #: it was not asked for, or an account or a budget holds it back; the input waits


class Consolidation(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one consolidation."""

    status: ConsolidationStatus
    #: The revision that holds what was learned: the new commit, or HEAD where nothing changed. None before any.
    revision: str | None = None
    #: Why it did not land, in one sentence.
    reason: str = ""
    #: What a person can do about that.
    next_step: str = ""
    run: str | None = None
    #: What went into it, as the first line of the commit says it; empty where nothing was worked out.
    subject: str = ""
    #: Statements that a person had removed and has said again since, in words.
    came_back: tuple[str, ...] = ()
    #: Hand edits that were left uncommitted, with the reason.
    not_adopted: tuple[str, ...] = ()
    #: Files that were committed under a name too like one of memory's own: what it stands in the way of waits.
    in_the_way: tuple[str, ...] = ()
    #: What became of the drafts of runs that did not come to their end, one sentence each.
    recovered: tuple[str, ...] = ()
    #: Proposals that wait for a person after it.
    proposals: tuple[str, ...] = ()


def outcome_of(recovered: Iterable[Recovered], revision: str) -> Consolidation:
    """Without new input: how what was left of an earlier run came in, if there was any."""
    outcome = Consolidation(status=ConsolidationStatus.NO_NEW_INPUT, revision=revision)
    for draft in recovered:
        if draft.landing:
            outcome = Consolidation(
                status=ConsolidationStatus(draft.landing.status),
                revision=revision,
                run=draft.run,
                came_back=draft.came_back,
            )
    return outcome


def told(draft: Recovered) -> str:
    """What became of the draft of a run that did not come to its end, in one sentence."""
    became = f"taken in ({draft.landing.status})" if draft.landing else f"thrown away: {draft.reason}"
    remains = f"; {draft.remains}" if draft.remains else ""
    return f"the draft of run {draft.run}, which did not come to its end, was {became}{remains}"


def resting(rest: Rest, revision: str) -> Consolidation:
    """A learner that asks a model lets the input gather."""
    return Consolidation(
        status=ConsolidationStatus.COOLDOWN,
        revision=revision,
        reason=f"{rest.why}; it works again at {rest.until:%Y-%m-%d %H:%M} UTC",
        next_step="Nothing to do: a later `vade learn` goes on by itself, `vade learn --now` does not wait.",
    )
