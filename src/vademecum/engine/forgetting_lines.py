"""Forgetting single lines: statements of handbook and summary, and lines of notes.

What is committed is what a person would have done by hand: the lines are out of the files. Learning takes note of that
as of every removal (`learning.last_word`), so they stay away until the person says them again.
"""

from collections.abc import Collection, Iterator, Mapping

import msgspec

from vademecum.artifacts import (
    HANDBOOK_PATH,
    NOTES_FOLDER,
    RENDERED,
    is_merge_mark,
    is_yours,
    parse_bullet,
    session_of,
    strip_marks,
)
from vademecum.errors import RefusedError, UsageError
from vademecum.home import IdentityFolder
from vademecum.learning import text_of
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.memfs import Provenance, Repository, Tree, Writer, again_when_moved, require_file, split_lines
from vademecum.recall import refresh

__all__ = ["ForgottenLine", "ForgottenLines", "LineForgetting"]

_PURPOSE = "forgetting lines"
_BY_A_PERSON = Provenance(writer=Writer.USER, origin="human")
_SHOWN_CHARACTERS = 60


class ForgottenLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line that goes."""

    path: str
    #: File line, from 1, as it stood.
    line: int
    #: Without its mark.
    text: str
    #: The sessions that it rests on, as sources spell them.
    sessions: tuple[str, ...] = ()


class ForgottenLines(msgspec.Struct, frozen=True, kw_only=True):
    """What goes, or went; of a statement in both files the handbook's line comes first."""

    lines: tuple[ForgottenLine, ...]
    #: None: it was only looked at.
    commit: str | None = None


class LineForgetting:
    """Forgetting lines in one identity."""

    def __init__(self, folder: IdentityFolder, repository: Repository, locks: Locks) -> None:
        self._folder, self._repository, self._locks = folder, repository, locks

    def preview(self, words: str) -> ForgottenLines:
        """What `PATH:LINE` or `PATH:FIRST-LAST` names; nothing changes.

        Raises NotFound, UsageError for lines that hold no statement, RefusedError for files whose lines are no memory
        of their own.
        """
        return ForgottenLines(lines=tuple(self._named(self._repository.tree(), words)))

    def forget(self, words: str) -> ForgottenLines:
        """Take these lines out in one commit. Raises as `preview`; DirtyPath beside a hand edit, BusyError."""
        with self._locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=PATIENT_SECONDS):
            done = again_when_moved(lambda: self._forget(words))
        refresh(self._repository.tree(), self._folder.cache)
        return done

    def _forget(self, words: str) -> ForgottenLines:
        with self._repository.writing(_PURPOSE):
            tree = self._repository.tree()
            lines = tuple(self._named(tree, words))
            commit = self._repository.commit(
                _edits(tree, lines), subject=_subject(lines), provenance=_BY_A_PERSON, on=tree.revision
            )
        return ForgottenLines(lines=lines, commit=commit and commit.id)

    def _named(self, tree: Tree, words: str) -> list[ForgottenLine]:
        place = split_lines(words)
        if place is None:
            raise UsageError(f"{words} names no line", next_step="Write PATH:LINE or PATH:FIRST-LAST.")
        path = require_file(place.path, tree.paths(), root=self._repository.folder)
        texts = text_of(tree, path).split("\n")
        if not 1 <= place.first <= place.last <= len(texts):
            raise UsageError(
                f"{words} is outside {path}, which has {len(texts)} lines", next_step=f"`vade read {path}` shows them."
            )
        wanted = range(place.first, place.last + 1)
        if path in RENDERED:
            return _statements(tree, path, texts, wanted)
        if path.startswith(NOTES_FOLDER):
            return _of_note(path, texts, wanted)
        raise RefusedError(
            f"{path} is no handbook, summary or note: its single lines are not forgotten",
            next_step=f"Edit it and run `vade adopt`, or `vade forget {path}` for all of it.",
            paths=(path,),
        )


def _statements(tree: Tree, path: str, texts: list[str], wanted: range) -> list[ForgottenLine]:
    """The statements on these lines, and the same ones in the other file."""
    known = dict(_all_statements(texts))
    named = [number for number in wanted if number in known]
    if not named:
        raise UsageError(
            f"{path}:{wanted.start} is no statement{_nearest(path, known, wanted.start)}",
            next_step="Name a line that begins with `- ` and says something.",
        )
    keys = {bullet.key for number in named if (bullet := parse_bullet(texts[number - 1])) and bullet.key}
    found = [_line(path, number, texts[number - 1]) for number in named]
    for other in RENDERED:
        lines = text_of(tree, other).split("\n")
        for number, _ in _all_statements(lines):
            bullet = parse_bullet(lines[number - 1])
            if bullet and bullet.key in keys and not (other == path and number in named):
                found.append(_line(other, number, lines[number - 1]))
    found += _notes_behind(tree, [texts[number - 1] for number in named])
    return sorted(found, key=lambda one: (one.path != HANDBOOK_PATH, one.line))


def _notes_behind(tree: Tree, bullets: Collection[str]) -> Iterator[ForgottenLine]:
    """The notes of one line that these statements come from: while one stands, its statement does too."""
    parsed = filter(None, map(parse_bullet, bullets))
    notes = {source for bullet in parsed for source in bullet.sources if source.startswith(NOTES_FOLDER)}
    for path in sorted(filter(tree.has, notes)):
        texts = text_of(tree, path).split("\n")
        if len(body := _body(texts)) == 1:
            yield _line(path, body[0], texts[body[0] - 1])


def _all_statements(texts: list[str]) -> Iterator[tuple[int, str]]:
    """Line and text of everything that says something: what was learned, and what a person added."""
    for number, (text, yours) in enumerate(zip(texts, is_yours(texts), strict=True), 1):
        bullet = parse_bullet(text)
        if bullet and (bullet.key or yours):
            yield number, bullet.text
        elif yours and text.strip() and not is_merge_mark(text) and not text.startswith("#"):
            yield number, text


def _nearest(path: str, known: Mapping[int, str], line: int) -> str:
    if not known:
        return ""
    near = min(known, key=lambda number: (abs(number - line), number))
    return f"; the nearest one is {path}:{near} ({known[near][:_SHOWN_CHARACTERS]})"


def _of_note(path: str, texts: list[str], wanted: range) -> list[ForgottenLine]:
    body = _body(texts)
    named = [number for number in wanted if number in body]
    if not named:
        first = min(body, default=0)
        raise UsageError(
            f"{path}:{wanted.start} says nothing: it is the note's header, or empty"
            f"{_nearest(path, {number: texts[number - 1] for number in body}, wanted.start)}",
            next_step=f"Name a line from {first} on, or forget the whole note: `vade forget {path}`.",
        )
    return [_line(path, number, texts[number - 1]) for number in named]


def _body(texts: list[str]) -> list[int]:
    """The lines of a note behind its header that hold words."""
    ends = [number for number, text in enumerate(texts, 1) if text == "---"]
    begin = ends[1] if texts[:1] == ["---"] and len(ends) > 1 else 0
    return [number for number, text in enumerate(texts, 1) if number > begin and text.strip()]


def _line(path: str, number: int, text: str) -> ForgottenLine:
    bullet = parse_bullet(text)
    if bullet is None:
        return ForgottenLine(path=path, line=number, text=strip_marks(text).strip())
    sessions = dict.fromkeys(name for source in bullet.sources if (name := session_of(source)))
    return ForgottenLine(path=path, line=number, text=bullet.text, sessions=tuple(sessions))


def _edits(tree: Tree, lines: Collection[ForgottenLine]) -> dict[str, str | None]:
    """Path -> text without these lines; a note of which nothing is left goes as a whole."""
    edits: dict[str, str | None] = {}
    for path in {line.path for line in lines}:
        gone = {line.line for line in lines if line.path == path}
        texts = text_of(tree, path).split("\n")
        rest = [text for number, text in enumerate(texts, 1) if number not in gone]
        is_empty = path.startswith(NOTES_FOLDER) and not _body(rest)
        edits[path] = None if is_empty else "\n".join(rest)
    return edits


def _subject(lines: Collection[ForgottenLine]) -> str:
    paths = ", ".join(sorted({line.path for line in lines}))
    return f"Forget {'a line' if len(lines) == 1 else f'{len(lines)} lines'} of {paths}"
