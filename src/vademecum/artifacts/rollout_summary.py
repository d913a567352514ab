"""Rollout summaries: the recap of one session, and everything that its record can be rebuilt from.

`rollout_summaries/<started_at>-<4 hex of SHA-1(session id)>-<slug>.md`; the stem is assigned once and kept.
"""

import hashlib
import re
from datetime import datetime

import msgspec

from vademecum.artifacts.raw_memory import parse_raw_memory
from vademecum.artifacts.times import format_stem_time, format_time, parse_time
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import front_matter

__all__ = [
    "ROLLOUT_FOLDER",
    "RolloutSummary",
    "older_project",
    "parse_rollout_summary",
    "render_rollout_summary",
    "rollout_stem",
    "slugify",
    "stem_digest",
]

ROLLOUT_FOLDER = "rollout_summaries/"
_RAW_HEADING = "## Raw memory"
_MAX_SLUG = 60
_MAX_ID = 256


class RolloutSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One file; also all that a record holds."""

    session_id: str
    host: str
    #: The directory that the session worked in.
    cwd: str
    branch: str
    started_at: datetime
    updated_at: datetime
    outcome: str
    #: Who extracted it.
    learner: str
    #: Markdown for people and agents; empty is allowed.
    recap: str
    #: The grammar of `raw_memory`.
    raw_memory: str
    #: The project that the session belongs to; empty where it knew no directory.
    project: str = ""

    @property
    def description(self) -> str:
        """One line for indexes: the recap's own first line."""
        first = self.recap.strip().split("\n", 1)[0]
        return " ".join(first.lstrip("#").split())[:300] or "a session"


def older_project(raw_memory: str, cwd: str) -> str:
    """The project of a session that a version learned which noted none: it stood in the raw memory, as its `cwd`."""
    return parse_raw_memory(raw_memory).cwd or cwd


def slugify(text: str) -> str:
    """`Fix Build!` -> `fix_build`; at most 60 characters; `session` where no ASCII letter or digit is left."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:_MAX_SLUG].rstrip("_") or "session"


def rollout_stem(session_id: str, started_at: datetime, slug: str) -> str:
    """The name of the file without folder and ending."""
    return f"{format_stem_time(started_at)}-{stem_digest(session_id)}-{slugify(slug)}"


def stem_digest(session_id: str) -> str:
    """The four digits by which the name of the file tells sessions of one moment apart."""
    return hashlib.sha1(session_id.encode(), usedforsecurity=False).hexdigest()[:4]


def render_rollout_summary(summary: RolloutSummary) -> str:
    """The file's text."""
    meta: dict[str, object] = {
        "description": summary.description,
        "session_id": summary.session_id,
        "host": summary.host,
        "cwd": summary.cwd,
        "project": summary.project,
        "branch": summary.branch,
        "started_at": format_time(summary.started_at),
        "updated_at": format_time(summary.updated_at),
        "outcome": summary.outcome,
        "learner": summary.learner,
    }
    body = f"{summary.recap.strip()}\n\n{_RAW_HEADING}\n\n{summary.raw_memory.strip()}\n"
    return front_matter.render(front_matter.Document(meta=meta, body=body))


def parse_rollout_summary(text: str) -> RolloutSummary | None:
    """The summary in this file, or None where it names no session or no time: then no record can rest on it."""
    try:
        document = front_matter.parse(text)
    except FrontMatterInvalid:
        return None  # the caller reports the file by its path
    meta = {key: str(value) for key, value in document.meta.items()}
    started, updated = parse_time(meta.get("started_at", "")), parse_time(meta.get("updated_at", ""))
    if started is None or updated is None or not _is_id(meta.get("session_id", "")):
        return None
    recap, _, raw = document.body.partition(f"\n{_RAW_HEADING}\n")
    memory = raw.strip() + "\n" if raw.strip() else ""
    cwd = meta.get("cwd", "")
    return RolloutSummary(
        session_id=meta["session_id"],
        host=meta.get("host", ""),
        cwd=cwd,
        project=meta["project"] if "project" in meta else older_project(memory, cwd),
        branch=meta.get("branch", ""),
        started_at=started,
        updated_at=updated,
        outcome=meta.get("outcome", "uncertain"),
        learner=meta.get("learner", ""),
        recap=recap.strip(),
        raw_memory=memory,
    )


def _is_id(text: str) -> bool:
    return 0 < len(text) <= _MAX_ID and text.isprintable()
