"""Where one task of a session ends and the next begins."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.keywords import PLAIN_WORDS
from vademecum.learners.extractive.outcomes import Mark, feedback_in
from vademecum.learners.extractive.phrases import words_of
from vademecum.learners.extractive.reading import normalise, readings_of
from vademecum.learners.extractive.sentences import Statement, statements_of
from vademecum.sessions.model import Message, Role

__all__ = ["Task", "split_tasks"]

MAX_TITLE_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The messages from one new request up to the next."""

    #: Near-verbatim request, one line.
    title: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    title: str
    words: frozenset[str]
    #: Says itself that the subject changes.
    explicit: bool
    #: Points back at what is on the table.
    refers_back: bool


def split_tasks(messages: Sequence[Message]) -> tuple[Task, ...]:
    """Split at each request on another matter that follows an answer; follow-ups and corrections stay in their task."""
    tasks: list[Task] = []
    current: list[Message] = []
    title = ""
    words = frozenset[str]()
    answered = False
    for message in messages:
        if message.role is Role.HUMAN:
            request = _request_in(message.text, after_answer=answered)
            if request and title and answered and _is_new(request, words):
                tasks.append(Task(title=title, messages=tuple(current)))
                current, title, words = [], "", frozenset[str]()
            if request:
                title = title or request.title
                words |= request.words
            answered = False
        elif message.role in {Role.FINAL, Role.COMMENTARY}:
            answered = answered or message.role is Role.FINAL or bool(message.tool_calls)
        current.append(message)
    if current:
        tasks.append(Task(title=title or _first_words(messages), messages=tuple(current)))
    return tuple(tasks)


def _is_new(request: _Request, words: frozenset[str]) -> bool:
    if request.explicit:
        return True
    return not request.refers_back and not request.words & words


_REFERS_BACK = re.compile(
    r"\b(?:it|them|that|those|these|this one|the same|again|instead|as well|too|also)\b|^(?:and|but|or)\b"
)


def _request_in(text: str, *, after_answer: bool) -> _Request | None:
    statements = statements_of(text)
    if after_answer and feedback_in(text) is Mark.BLAMED:
        return None
    for statement in statements:
        plain = normalise(statement.text)
        readings = readings_of(plain)
        standing = (Cue.FIRM, Cue.RULE, Cue.HABIT)
        asks = any(reading.shows(Cue.REQUEST) for reading in readings) and not any(
            reading.shows(*standing) for reading in readings
        )
        if asks:
            explicit = any(reading.shows(Cue.NEW_TASK) for reading in readings)
            return _Request(
                title=_title(statement),
                words=frozenset(word for word in words_of(plain) if len(word) > 2 and word not in PLAIN_WORDS),
                explicit=explicit,
                refers_back=bool(_REFERS_BACK.search(plain)),
            )
    return None


def _title(statement: Statement) -> str:
    text = statement.text.rstrip(".!。！ ")
    if len(text) <= MAX_TITLE_CHARS:
        return text
    cut = text[:MAX_TITLE_CHARS]
    return cut.rpartition(" ")[0] or cut


def _first_words(messages: Sequence[Message]) -> str:
    return next(_human_titles(messages), "untitled")


def _human_titles(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        if message.role is Role.HUMAN:
            yield from map(_title, statements_of(message.text)[:1])
