"""Where one task of a session ends and the next begins."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.artifacts.evidence import Kind
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.keywords import PLAIN_WORDS
from vademecum.learners.extractive.outcomes import Mark, feedback_in
from vademecum.learners.extractive.phrases import words_of
from vademecum.learners.extractive.reading import normalise, readings_of
from vademecum.learners.extractive.sentences import statements_of
from vademecum.learners.extractive.signals import signals_of
from vademecum.sessions.model import Message, Role

__all__ = ["Task", "split_tasks"]

MAX_TITLE_CHARS = 80
MIN_TITLE_WORDS = 3
#: How far into a message the words for a title are looked for.
MAX_OPENING_STATEMENTS = 3


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
    """What a message asks for: its first request that says what the work is, and not only how to go about it."""
    if after_answer and feedback_in(text) is Mark.BLAMED:
        return None
    statements = statements_of(text)
    if not any(_asked_in(statement.text, None) for statement in statements):
        return None
    standing = {
        signal.ordinal: signal.text
        for signal in signals_of(text, after_action=after_answer)
        if signal.kind is not Kind.REQUEST
    }
    asked = [
        (statement.ordinal, what)
        for statement in statements
        if (what := _asked_in(statement.text, standing.get(statement.ordinal)))
    ]
    if not asked:
        return None
    for _, what in asked:
        if work := _without_aside(what):
            return _request(_title(work), what, refers_back=False)
    first, aside = asked[0]
    above = [item.text for item in statements[: first - 1] if item.ordinal not in standing and _says_much(item.text)]
    return _request(_title((above or [aside])[0]), aside, refers_back=not above)


def _request(title: str, said: str, *, refers_back: bool) -> _Request:
    plain = normalise(said)
    return _Request(
        title=title,
        words=frozenset(word for word in words_of(normalise(title)) if len(word) > 2 and word not in PLAIN_WORDS),
        explicit=any(reading.shows(Cue.NEW_TASK) for reading in readings_of(plain)),
        refers_back=refers_back or bool(_REFERS_BACK.search(plain)),
    )


_TRAILING = re.compile(r"(?:[\s,;:–—-]|\b(?:and|but|so|then|please))+$", re.IGNORECASE)


def _asked_in(statement: str, standing: str | None) -> str:
    """The part of a statement that asks for work, in front of the standing rule in it; empty where none does."""
    part = statement if standing is None else _TRAILING.sub("", statement[: max(0, statement.find(standing))])
    return part if part and any(reading.shows(Cue.REQUEST) for reading in readings_of(normalise(part))) else ""


def _without_aside(request: str) -> str:
    """The request without remarks on how to go about it; empty where it is nothing else."""
    readings = readings_of(normalise(request))
    cut = min((hit.start for reading in readings for hit in reading.find_all(Cue.ASIDE)), default=len(request))
    work = _TRAILING.sub("", request[:cut])
    return request if cut == len(request) else work if _says_much(work) else ""


def _says_much(text: str) -> bool:
    """Enough words to name a piece of work by; a script without spaces needs fewer letters."""
    return len(text.split()) >= MIN_TITLE_WORDS or (not text.isascii() and len(text) >= MIN_TITLE_WORDS * 2)


def _title(said: str) -> str:
    text = said.rstrip(".!。！ ")
    if len(text) <= MAX_TITLE_CHARS:
        return text
    cut = text[:MAX_TITLE_CHARS]
    return cut.rpartition(" ")[0] or cut


def _first_words(messages: Sequence[Message]) -> str:
    """The first sentence of a person that says something ("Hi" does not), where nothing was asked for."""
    said = [
        statement.text
        for message in messages
        if message.role is Role.HUMAN
        for statement in statements_of(message.text)[:MAX_OPENING_STATEMENTS]
    ]
    return _title(next(filter(_says_much, said), next(iter(said), "untitled")))
