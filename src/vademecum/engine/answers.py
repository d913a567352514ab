"""What the facade answers with: frozen records, the shapes of `--json`."""

from datetime import datetime

import msgspec

from vademecum.memfs import FileDiff, Listing, Reading
from vademecum.routes import Route
from vademecum.state import Breaker, LastPass, Run, Spend

__all__ = [
    "Decision",
    "Edit",
    "Listing",
    "ProposalRow",
    "ProposalView",
    "Reading",
    "SessionRow",
    "Status",
]


class Edit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a write. `proposal` is left out of `--json` where there is none."""

    #: 40 hexadecimal digits; None where the edit waits for a person's review.
    commit: str | None
    #: First line of the commit's message: the reason.
    subject: str
    #: The paths that changed, or would, sorted by code point.
    paths: tuple[str, ...]
    #: What was done and what to know of it, for whoever asked; the first line says the most.
    message: str
    #: The id under which the edit waits for review; None where it is committed.
    proposal: str | None = None


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One session that memory knows of."""

    id: str
    host: str
    cwd: str
    updated_at: datetime
    mode: str
    #: `active` or `retired`; `unlearned` where no record is held of it.
    state: str
    #: Why it is retired, or is not learned, else empty.
    reason: str
    usage_count: int
    #: The first words of the person in it, masked, in one line; empty where nobody knows them.
    title: str = ""
    #: Why memory has nothing of it, in a sentence with the day; empty where it has.
    kept_out: str = ""


class ProposalRow(msgspec.Struct, frozen=True, kw_only=True):
    """One proposal that waits for a person."""

    id: str
    #: Who proposes: `learn`, `reflect`, ... for a run of that kind, `edit` for an agent that wants to change a file.
    kind: str
    #: When it was made, UTC.
    at: datetime
    #: The reason that its writer gave, or what was learned from.
    subject: str
    #: What would change, sorted.
    paths: tuple[str, ...]
    #: Those of them that were changed otherwise since, and cannot be merged.
    conflicts: tuple[str, ...]
    #: The session that it came from, where it came from one.
    session: str | None


class ProposalView(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal with everything that it would change, by path."""

    row: ProposalRow
    #: The statements that it brings into memory, each once.
    brings: tuple[str, ...]
    #: The statements that it takes out of memory, each once.
    takes: tuple[str, ...]
    #: What accepting it now would do to the files as they are.
    changes: tuple[FileDiff, ...]
    #: What it changes in files where that cannot be merged, on the files as they were when it was made.
    conflicts: tuple[FileDiff, ...]
    #: What became of those files since.
    since: tuple[FileDiff, ...]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to accepting or rejecting a proposal."""

    id: str
    #: None where main was not changed by it.
    commit: str | None
    subject: str
    #: What changed in memory by it.
    paths: tuple[str, ...]
    #: What of the proposal still waits, sorted.
    left: tuple[str, ...]
    #: Those of `left` that were to be taken in and are in conflict.
    conflicts: tuple[str, ...]
    #: It was decided before: nothing changed by this call.
    was_decided: bool = False


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How one identity stands."""

    identity: str
    #: Why this identity.
    route: Route
    home: str
    #: None: nothing was written yet.
    revision: str | None
    #: Records by state.
    records: dict[str, int]
    #: Who learns, by the settings, and the models that it asks, as far as the settings name them.
    learner: str
    models: tuple[str, ...]
    #: What waits for the next pass: reason -> how many.
    waiting: dict[str, int]
    #: Memory files that a person edited and did not commit: those that `adopt` takes in.
    hand_edits: tuple[str, ...]
    #: Path -> why `adopt` would leave the edit where it is.
    unfit_edits: dict[str, str]
    #: What waits for a person's word.
    proposals: tuple[ProposalRow, ...]
    #: Runs of killed processes whose drafts the next `learn` takes in or throws away.
    left_drafts: tuple[str, ...]
    #: What the last pass of learning came to; None before the first.
    last_pass: LastPass | None
    #: The last runs, newest first.
    runs: tuple[Run, ...]
    #: Models that are left alone now, because their account was used up.
    breakers: tuple[Breaker, ...]
    #: What all identities took today (UTC), beside what they may; 0 is no limit.
    spent_today: Spend
    tokens_per_day: int
    cost_per_day_cents: int
    #: What would be put into a prompt here.
    context_tokens: int
    context_bytes: int
    budget_tokens: int
    warnings: tuple[str, ...]
    #: State databases that were damaged, as far as the damaged file still lies aside.
    rebuilt: tuple[str, ...] = ()
    #: Memory has begun anew by a reset, and nothing was learned since.
    is_after_reset: bool = False
    #: Skills of agents that wait for a person's word, by path.
    draft_skills: tuple[str, ...] = ()
    #: Notes that an agent wrote by itself, by path.
    unconfirmed_notes: tuple[str, ...] = ()
    #: Pages that an agent named or described by itself, by path; no context names them.
    unseen_pages: tuple[str, ...] = ()
