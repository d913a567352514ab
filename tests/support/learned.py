"""Composes what extraction gives: evidence, and the sessions that a consolidation is given."""

from datetime import UTC, datetime, timedelta
from itertools import count

from vademecum.artifacts import (
    Evidence,
    Kind,
    Note,
    Outcome,
    RawMemory,
    Reach,
    RolloutSummary,
    TaskMemory,
    render_raw_memory,
)
from vademecum.learners import ConsolidationTask, LearnedSession, Removed

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
SHOP, TILL = "/srv/shop", "/srv/till"


def said(text, kind=Kind.RULE, reach=Reach.PROJECT, turn=1, ordinal=1, day=0):
    """One line of evidence, said so many days after the start."""
    return Evidence(kind=kind, reach=reach, turn=turn, ordinal=ordinal, at=START + timedelta(days=day), text=text)


def session(label, *evidence, cwd=SHOP, day=0, title="do the work", tasks=1, project=""):
    """A learned session of that day; evidence that was given no day of its own was said on it."""
    at = START + timedelta(days=day)
    turns = count(1)
    own = tuple(
        Evidence(kind=e.kind, reach=e.reach, turn=next(turns), ordinal=e.ordinal, at=max(e.at, at), text=e.text)
        for e in evidence
    )
    task = TaskMemory(title=title, outcome=Outcome.SUCCESS, evidence=own)
    other = TaskMemory(title=title, outcome=Outcome.SUCCESS, evidence=())
    memory = RawMemory(
        description=title, outcome=Outcome.SUCCESS, cwd=cwd, keywords=("build",), tasks=(task,) + (other,) * (tasks - 1)
    )
    return LearnedSession(
        path=f"rollout_summaries/{label}.md",
        summary=RolloutSummary(
            session_id=label,
            host="a-host",
            cwd=cwd,
            branch="main",
            started_at=at,
            updated_at=at + timedelta(hours=1),
            outcome="success",
            learner="extractive/1",
            recap=title,
            raw_memory=render_raw_memory(memory),
            project=project,
        ),
    )


def note(text, day=0, name="a"):
    return Note(
        path=f"extensions/ad_hoc/notes/{name}.md", text=text, origin="human", created_at=START + timedelta(days=day)
    )


def removed(key, *sources, day=0, scope=SHOP, text=""):
    """A bullet that a person removed at noon of that day."""
    return Removed(key=key, sources=sources, scope=scope, text=text, until=START + timedelta(days=day, hours=3))


def task(*sessions, notes=(), known=None, removed=()):
    return ConsolidationTask(
        sessions=tuple(sorted(sessions, key=lambda s: s.summary.updated_at)),
        notes=tuple(notes),
        known_bullets=known or {},
        removed=tuple(removed),
    )
