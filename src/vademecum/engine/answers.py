"""What the facade answers with: frozen records, the shapes of `--json`."""

from datetime import datetime

import msgspec

from vademecum.memfs import Listing, Reading
from vademecum.routes import Route
from vademecum.state import LastPass, Run

__all__ = ["Edit", "Listing", "Reading", "SessionRow", "Status"]


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
    #: `active` or `retired`.
    state: str
    #: Why it is retired, else empty.
    reason: str
    usage_count: int


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
    #: What waits for the next pass: reason -> how many.
    waiting: dict[str, int]
    #: Memory files that a person edited and did not commit: those that `adopt` takes in.
    hand_edits: tuple[str, ...]
    #: Path -> why `adopt` would leave the edit where it is.
    unfit_edits: dict[str, str]
    #: Runs whose changes wait for a person's review.
    proposals: tuple[str, ...]
    #: What the last pass of learning came to; None before the first.
    last_pass: LastPass | None
    #: The last runs, newest first.
    runs: tuple[Run, ...]
    #: What would be put into a prompt here.
    context_tokens: int
    context_bytes: int
    budget_tokens: int
    warnings: tuple[str, ...]
