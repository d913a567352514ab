"""Asking a learner for an extraction: a prompt where it needs one, a smaller one where that is too large.

What a model writes is no more to be trusted than what it read: it is masked again, and times and numbers of evidence
are the session's own, whatever it wrote.
"""

from collections import Counter
from datetime import datetime

import msgspec

from vademecum.artifacts import Outcome, parse_evidence, render_evidence, slugify
from vademecum.errors import LearnerFailed
from vademecum.learners import Extraction, ExtractionTask, Learner, asks_model
from vademecum.learning.evidence_check import evidence_count, keep_proven
from vademecum.learning.prompting import extraction_prompt
from vademecum.secrets import mask
from vademecum.sessions import Session
from vademecum.state import Record

__all__ = ["ask"]


def ask(learner: Learner, task: ExtractionTask, former: Record | None) -> tuple[Extraction, int]:
    """What the learner finds in a session, proven, and how many statements were dropped.

    `former`: what was learned of the session before. Raises what the learner raises, and LearnerFailed where a model
    invented all that it says.
    """
    if not asks_model(learner):
        return keep_proven(learner.extract(task), task.session)
    answer = _as_stored(_ask_model(learner, task, former), task.session)
    proven, dropped = keep_proven(answer, task.session, is_of_model=True)
    if dropped and not evidence_count(proven):
        raise LearnerFailed("nothing of what the model says of the session stands in it")
    return proven, dropped


def _ask_model(learner: Learner, task: ExtractionTask, former: Record | None) -> Extraction:
    room = task.room_tokens or learner.input_tokens
    prompt = extraction_prompt(task.session, task.project, room, former=former)
    return learner.extract(msgspec.structs.replace(task, prompt=prompt))


def _as_stored(extraction: Extraction, session: Session) -> Extraction:
    if extraction.is_empty:
        return Extraction()
    outcome = mask(extraction.outcome)
    return Extraction(
        raw_memory=_on_the_clock(mask(extraction.raw_memory), session),
        rollout_summary=mask(extraction.rollout_summary),
        rollout_slug=slugify(mask(extraction.rollout_slug)),
        outcome=outcome if outcome in set(Outcome) else Outcome.UNCERTAIN.value,
    )


def _on_the_clock(raw_memory: str, session: Session) -> str:
    """Every statement with the time of its turn, and its number inside that turn."""
    times: dict[int, datetime] = {}
    at = session.started_at
    for message in session.messages:
        at = times[message.index] = message.at or at
    counts: Counter[int] = Counter()
    lines: list[str] = []
    for line in raw_memory.split("\n"):
        evidence = parse_evidence(line)
        if evidence is None:
            lines.append(line)
            continue
        turn = evidence.turn
        counts[turn] += 1
        moment = times.get(turn, session.started_at)
        lines.append(render_evidence(msgspec.structs.replace(evidence, at=moment, ordinal=counts[turn])))
    return "\n".join(lines)
