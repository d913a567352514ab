"""The recap of a session for people: task by task, with quotes and the turns they stand in."""

from collections.abc import Iterator

from vademecum.artifacts import PREFERENCE_KINDS, Evidence, Kind, RawMemory, TaskMemory, format_time
from vademecum.learners.protocol import ExtractionTask

__all__ = ["render_recap"]

_HEADINGS = (
    ("The user said", frozenset(PREFERENCE_KINDS) - {Kind.REQUEST}),
    ("Requests", frozenset({Kind.REQUEST})),
    ("What proved right", frozenset({Kind.COMMAND, Kind.FILE, Kind.FACT})),
    ("What failed", frozenset({Kind.FAILURE, Kind.ERROR})),
)


def render_recap(memory: RawMemory, task: ExtractionTask) -> str:
    """Markdown; the first line says in one sentence what the session was about."""
    session = task.session
    project = f" (project {task.project})" if task.project != session.cwd else ""
    branch = f", branch {session.branch}" if session.branch else ""
    span = f"{format_time(session.started_at)} to {format_time(session.updated_at)}"
    lines = [
        f"# {memory.description}",
        "",
        f"Session of {session.host} in {session.cwd or 'an unknown folder'}{project}{branch}, {span}.",
    ]
    for number, part in enumerate(memory.tasks, 1):
        lines += ["", f"## Task {number}: {part.title}", f"Outcome: {part.outcome}", *_evidence(part)]
    return "\n".join(lines) + "\n"


def _evidence(task: TaskMemory) -> Iterator[str]:
    for heading, kinds in _HEADINGS:
        found = [item for item in task.evidence if item.kind in kinds]
        if found:
            yield from ("", f"{heading}:", *map(_quote, found))


def _quote(item: Evidence) -> str:
    text = f'"{item.text}"' if item.kind in PREFERENCE_KINDS else item.text
    return f"- {text} [t{item.turn}]"
