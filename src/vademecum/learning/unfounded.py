"""What every statement of a learner must rest on: a source that exists, and a key that says so."""

from collections.abc import Collection, Iterator

import msgspec

from vademecum.artifacts import (
    HANDBOOK_PATH,
    INDEX,
    RENDERED,
    SUMMARY_PATH,
    bullet_key,
    keyed_bullets,
    parse_bullet,
    parse_handbook,
    parse_summary,
    render_bullet,
    session_of,
    spelled_session,
)
from vademecum.learners import ConsolidationTask
from vademecum.learning.sources import text_of
from vademecum.memfs import Tree, Violation
from vademecum.secrets import mask

__all__ = ["unfounded"]

#: Lists in a task of the handbook that hold no statements.
_NO_STATEMENTS = frozenset({"rollout_summary_files", "keywords"})
_SHOWN_CHARACTERS = 60


def unfounded(
    handbook: str, summary: str, *, former: Tree, task: ConsolidationTask, sessions: Collection[str]
) -> Iterator[Violation]:
    """The statements in both artefacts that rest on nothing.

    `former`: the memory that the learner was given. `sessions`: all that have an active record.
    """
    known = _Known(former, task, sessions)
    for path, lines in ((HANDBOOK_PATH, _in_handbook(handbook)), (SUMMARY_PATH, _in_summary(summary))):
        for scope, line in lines:
            reason = known.why_not(scope, line)
            if reason:
                yield Violation(path=path, reason=f"holds a statement {reason}: {line[2:][:_SHOWN_CHARACTERS]}")


def _in_handbook(text: str) -> Iterator[tuple[str, str]]:
    for group in parse_handbook(text):
        for section in group.sections:
            if section.title not in _NO_STATEMENTS:
                yield from ((group.project, line) for line in section.lines if line.startswith("- "))


def _in_summary(text: str) -> Iterator[tuple[str, str]]:
    for section in parse_summary(text).sections:
        if section.heading != INDEX:
            yield from ((section.name, line) for line in section.lines if line.startswith("- "))


class _Known:
    """What statements may rest on."""

    def __init__(self, former: Tree, task: ConsolidationTask, sessions: Collection[str]) -> None:
        #: Sessions as bullets name them, and notes. Which turns a session had, no record keeps.
        self._names = {spelled_session(session) for session in sessions}
        self._names |= {note.path for note in task.notes}
        bullets = [bullet for path in RENDERED for bullet in keyed_bullets(mask(text_of(former, path))).values()]
        self._keys = {bullet.key for bullet in bullets}
        #: The words under every key, in the form that they get when they are written again.
        self._words = {
            (bullet.key, again.text)
            for bullet in bullets
            if (again := parse_bullet(render_bullet(msgspec.structs.replace(bullet, superseded=""))))
        }

    def why_not(self, scope: str, line: str) -> str:
        """Why the statement may not stand there; empty where it may."""
        bullet = parse_bullet(line)
        if bullet is None or not bullet.key:
            return "without a source"
        if bullet.edited and (bullet.key, bullet.text) not in self._words:
            return "that is marked as a person's words and is none"
        if not any((session_of(source) or source) in self._names for source in bullet.sources):
            return "whose source does not exist"
        if bullet.key not in self._keys and bullet.key != bullet_key(scope, bullet.sources[0]):
            return "whose key was not made of its first source"
        return ""
