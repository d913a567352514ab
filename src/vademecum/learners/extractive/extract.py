"""From one session to its raw memory: what the person wants, what worked, what failed and was mended, how it ended.

Deterministic, quotes its evidence, needs no model. Preferences rest on human words only; knowledge rests on what
tools did; what an assistant proposed is neither.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from vademecum.artifacts.evidence import Evidence, Kind, Reach
from vademecum.artifacts.raw_memory import RawMemory, TaskMemory
from vademecum.learners.extractive.keywords import keywords_of
from vademecum.learners.extractive.knowledge import Finding, Survey, survey
from vademecum.learners.extractive.outcomes import Mark, feedback_in, judge_session, judge_task
from vademecum.learners.extractive.signals import Signal, signals_by_turn
from vademecum.learners.extractive.tasks import Task, split_tasks
from vademecum.sessions.model import Message, Role, Session

__all__ = ["extract"]

MAX_REQUESTS_PER_TASK = 8
MAX_DESCRIPTION_CHARS = 240
#: Evidence that makes a session worth a record, whatever else it holds.
_DURABLE = frozenset({Kind.RULE, Kind.HABIT, Kind.CORRECTION, Kind.COMMAND, Kind.FAILURE, Kind.FILE})


def extract(session: Session) -> RawMemory | None:
    """What the session taught, or None where nothing in it lasts (a greeting, a question that was answered).

    The same session gives the same answer. A session that learning must leave alone gives None.
    """
    if session.exclusion or session.parent_id:
        return None
    learned = survey(session.messages, session.cwd)
    said = signals_by_turn(session.messages)
    signals = _once_each(said)
    if not _is_durable(learned, signals):
        return None
    tasks = split_tasks(session.messages, said)
    memories = tuple(
        TaskMemory(
            title=task.title,
            outcome=judge_task(_marks(task, following, learned, said), last=following is None),
            evidence=tuple(_evidence(task, session, signals, learned)),
        )
        for task, following in zip(tasks, [*tasks[1:], None], strict=True)
    )
    return RawMemory(
        description=_description(memories),
        outcome=judge_session([memory.outcome for memory in memories]),
        cwd=session.cwd,
        keywords=keywords_of(memories),
        tasks=memories,
    )


def _is_durable(learned: Survey, signals: Mapping[int, Sequence[Signal]]) -> bool:
    kinds = {finding.kind for finding in learned.findings}
    kinds |= {signal.kind for found in signals.values() for signal in found}
    return not kinds.isdisjoint(_DURABLE)


def _once_each(said: Mapping[int, Sequence[Signal]]) -> dict[int, tuple[Signal, ...]]:
    """The same words count once in a session; a request that comes again is one more request."""
    found: dict[int, tuple[Signal, ...]] = {}
    seen: set[str] = set()
    for turn, signals in said.items():
        found[turn] = tuple(
            signal for signal in signals if signal.kind is Kind.REQUEST or signal.text.casefold() not in seen
        )
        seen.update(signal.text.casefold() for signal in found[turn])
    return found


def _marks(task: Task, following: Task | None, learned: Survey, said: Mapping[int, Sequence[Signal]]) -> list[Mark]:
    """The course of a task. What is said at the beginning of the next one is still about this one."""
    marks: list[Mark] = []
    for position, message in enumerate(task.messages):
        if message.role is Role.HUMAN and position:
            marks += _feedback(message, said)
        marks += learned.marks.get(message.index, ())
        if message.role is Role.FINAL:
            marks.append(Mark.ANSWERED)
    if following:
        marks += _feedback(following.messages[0], said)
    return marks


def _feedback(message: Message, said: Mapping[int, Sequence[Signal]]) -> list[Mark]:
    mark = feedback_in(message.text, said.get(message.index, ()))
    return [mark] if mark else []


def _evidence(
    task: Task, session: Session, signals: Mapping[int, Sequence[Signal]], learned: Survey
) -> Iterator[Evidence]:
    """Everything from the turns of a task, numbered inside each turn."""
    by_turn: dict[int, list[Finding]] = {}
    for finding in learned.findings:
        by_turn.setdefault(finding.turn, []).append(finding)
    requests = 0
    at = session.started_at
    for message in task.messages:
        at = message.at or at
        lines: list[tuple[Kind, Reach, str]] = []
        for signal in signals.get(message.index, ()):
            requests += signal.kind is Kind.REQUEST
            if signal.kind is not Kind.REQUEST or requests <= MAX_REQUESTS_PER_TASK:
                lines.append((signal.kind, signal.reach, signal.text))
        lines += [(finding.kind, Reach.PROJECT, finding.text) for finding in by_turn.get(message.index, ())]
        yield from _numbered(lines, message.index, at)


def _numbered(lines: Sequence[tuple[Kind, Reach, str]], turn: int, at: datetime) -> Iterator[Evidence]:
    for ordinal, (kind, reach, text) in enumerate(lines, 1):
        yield Evidence(kind=kind, reach=reach, turn=turn, ordinal=ordinal, at=at, text=text)


def _description(memories: Sequence[TaskMemory]) -> str:
    """What was asked, and how each part ended."""
    text = "; ".join(f"{memory.title} ({memory.outcome})" for memory in memories)
    if len(text) <= MAX_DESCRIPTION_CHARS:
        return text
    return text[:MAX_DESCRIPTION_CHARS].rpartition(" ")[0] + " ..."
