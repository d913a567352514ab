"""What a model is given to consolidate, as text: files in `.inputs/` of the draft, and the same within its window.

Nothing of it lands: a draft is frozen without `.inputs/`, and deleted with it. All of it is masked.

A bullet has to carry the key of its first source, and no model can compute one. So every statement stands here with the
mark that its bullet gets, to be copied.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from vademecum.artifacts import (
    EVERYWHERE,
    RENDERED,
    ROLLOUT_FOLDER,
    Evidence,
    Note,
    Reach,
    TaskFile,
    bullet_key,
    format_day,
    format_time,
    parse_raw_memory,
    plain_line,
    render_evidence,
    render_task_file,
    session_source,
)
from vademecum.learners import ConsolidationTask, LearnedSession, Removed
from vademecum.learning.sources import text_of
from vademecum.memfs import FileDiff, Tree, diff_trees
from vademecum.secrets import mask

__all__ = ["Inputs", "inputs_of", "session_text"]

#: One file of a diff that is longer is cut there: whoever needs more reads the file itself.
_DIFF_CHARACTERS = 40_000
_NONE = "(none)"


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is new, or to be kept in mind. Each part is a sequence of pieces that stand for themselves."""

    #: Notes that no artefact names yet, oldest first.
    notes: tuple[str, ...]
    #: What a person removed.
    removed: tuple[str, ...]
    #: What changed in the memory since the last consolidation, beside recaps; and recaps that are gone.
    changes: tuple[str, ...]
    #: What every selected session taught, newest first.
    sessions: tuple[str, ...]

    def files(self) -> dict[str, str]:
        """Name -> text, as they lie in the draft."""
        return {
            "notes.md": _joined(self.notes),
            "removed.md": _joined(self.removed),
            "changes.diff": _joined(self.changes),
            "raw_memories.md": _joined(self.sessions),
        }


def inputs_of(task: ConsolidationTask, tree: Tree, baseline: Tree | None) -> Inputs:
    """The input of a run at this revision. `baseline`: what the last consolidation saw."""
    artefacts = "".join(text_of(tree, path) for path in RENDERED)
    return Inputs(
        notes=tuple(mask(_note(note)) for note in task.notes if note.path not in artefacts),
        removed=tuple(mask(_removed(item)) for item in task.removed if item.text),
        changes=tuple(_changes(baseline, tree)),
        sessions=tuple(map(session_text, reversed(task.sessions))),
    )


def session_text(session: LearnedSession) -> str:
    """What one session taught, with the lines and marks that its bullets are made of."""
    summary = session.summary
    project = summary.project or summary.cwd
    memory = parse_raw_memory(summary.raw_memory)
    file = TaskFile(path=session.path, cwd=summary.cwd, updated_at=summary.updated_at, session_id=summary.session_id)
    lines = [
        f"## Session {plain_line(summary.session_id)}",
        f"project: {plain_line(project) or EVERYWHERE}",
        f"day: {format_day(summary.updated_at)}",
        f"description: {memory.description}",
        f"keywords: {', '.join(memory.keywords)}",
        f"file line: {render_task_file(file)}",
    ]
    for number, part in enumerate(memory.tasks, 1):
        lines += ["", f"### Task {number}: {part.title}", f"outcome: {part.outcome}"]
        for evidence in part.evidence:
            lines += _statement(evidence, summary.session_id, project)
    return mask("\n".join(lines))


def _statement(evidence: Evidence, session_id: str, project: str) -> Iterator[str]:
    source = session_source(session_id, evidence.turn, evidence.ordinal)
    yield render_evidence(evidence)
    if project:
        yield f"  mark for this project: {_mark(project, source)}"
    if evidence.reach is Reach.GENERAL or not project:
        yield f"  mark for {EVERYWHERE}: {_mark('', source)}"


def _mark(scope: str, source: str) -> str:
    return f"<!-- vade:{bullet_key(scope, source)} {source} -->"


def _note(note: Note) -> str:
    return (
        f"## Note {note.path}\nwritten: {format_time(note.created_at)}\n"
        f"mark for {EVERYWHERE}: {_mark('', note.path)}\n\n{note.text}"
    )


def _removed(item: Removed) -> str:
    return f"- {item.scope or EVERYWHERE}: {plain_line(item.text)} (until {format_time(item.until)})"


def _changes(baseline: Tree | None, tree: Tree) -> Iterator[str]:
    if baseline is None:
        return
    for diff in diff_trees(baseline, tree):
        if diff.path.startswith(ROLLOUT_FOLDER):
            if not tree.has(diff.path):
                yield f"gone: {diff.path}"
        else:
            yield _unified(diff)


def _unified(diff: FileDiff) -> str:
    text = diff.unified().rstrip("\n")
    if len(text) <= _DIFF_CHARACTERS:
        return text
    return f"{text[:_DIFF_CHARACTERS].rpartition(chr(10))[0]}\n[... the rest of {diff.path} is left out ...]"


def _joined(pieces: Sequence[str] | Iterable[str]) -> str:
    return "\n\n".join(pieces or (_NONE,)) + "\n"
