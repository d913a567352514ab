"""Where one task of a session ends and the next begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vademecum.artifacts.evidence import Kind
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.keywords import untelling_words
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.outcomes import Mark, feedback_in
from vademecum.learners.extractive.phrases import words_of
from vademecum.learners.extractive.reading import Reading
from vademecum.learners.extractive.sentences import sentences_of
from vademecum.learners.extractive.signals import Signal
from vademecum.learners.extractive.spelling import normalise
from vademecum.sessions.model import Message, Role

__all__ = ["Task", "split_tasks"]

MAX_TITLE_CHARS = 80
MIN_TITLE_WORDS = 3
#: How far into a message the words for a title are looked for.
MAX_OPENING_SENTENCES = 3


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
    #: Says what the work is; a remark on how to go about it ("show me the plan first", "go on") does not.
    names_work: bool
    #: Says itself that the subject changes.
    explicit: bool
    #: Points back at what is on the table.
    refers_back: bool


def split_tasks(messages: Sequence[Message], said: Mapping[int, Sequence[Signal]]) -> tuple[Task, ...]:
    """Split at each request on another matter that follows an answer; follow-ups and corrections stay in their task.

    Parameters
    ----------
    said: the signals of each human turn (`signals.signals_by_turn`): a rule is no request.
    """
    tasks: list[Task] = []
    current: list[Message] = []
    opened: _Request | None = None
    words = frozenset[str]()
    answered = False
    for message in messages:
        if message.role is Role.HUMAN:
            request = _request_in(message.text, said.get(message.index, ()), after_answer=answered)
            if request and opened and opened.names_work and answered and _is_new(request, words):
                tasks.append(Task(title=opened.title, messages=tuple(current)))
                current, opened, words = [], None, frozenset[str]()
            if request:
                opened = opened if opened and (opened.names_work or not request.names_work) else request
                words |= request.words
            answered = False
        elif message.role in {Role.FINAL, Role.COMMENTARY}:
            answered = answered or message.role is Role.FINAL or bool(message.tool_calls)
        current.append(message)
    if current:
        tasks.append(Task(title=opened.title if opened else _first_words(messages), messages=tuple(current)))
    return tuple(tasks)


def _is_new(request: _Request, words: frozenset[str]) -> bool:
    if not request.names_work:
        return False
    return request.explicit or (not request.refers_back and not request.words & words)


def _request_in(text: str, signals: Sequence[Signal], *, after_answer: bool) -> _Request | None:
    """What a message asks for: its first request that says what the work is, and not only how to go about it."""
    if after_answer and feedback_in(text, signals) in {Mark.BLAMED, Mark.CORRECTED}:
        return None
    sentences = sentences_of(text)
    standing = {signal.ordinal: signal.text for signal in signals if signal.kind is not Kind.REQUEST}
    asked = [
        (sentence.ordinal, what)
        for sentence in sentences
        if (what := _asked_in(sentence.text, standing.get(sentence.ordinal)))
    ]
    if not asked:
        return None
    for _, what in asked:
        if work := _without_aside(what):
            return _request(work, what, names_work=True)
    first, aside = asked[0]
    above = [item.text for item in sentences[: first - 1] if item.ordinal not in standing and _says_much(item.text)]
    return _request((above or [aside])[0], aside, names_work=bool(above))


def _request(work: str, said: str, *, names_work: bool) -> _Request:
    readings = _read(said)
    title = _title(work)
    return _Request(
        title=title,
        words=frozenset(word for word in words_of(normalise(title)) if len(word) > 2 and word not in untelling_words()),
        names_work=names_work,
        explicit=any(reading.shows(Cue.NEW_TASK) for reading in readings),
        refers_back=any(reading.shows(Cue.REFERS_BACK) for reading in readings),
    )


def _read(text: str) -> tuple[Reading, ...]:
    return readings_of(normalise(text))


def _asked_in(sentence: str, standing: str | None) -> str:
    """The part of a sentence that asks for work, in front of the standing rule in it; empty where none does."""
    part = sentence if standing is None else _without_dangling(sentence[: max(0, sentence.find(standing))])
    return part if part and any(reading.shows(Cue.REQUEST) for reading in _read(part)) else ""


def _without_aside(request: str) -> str:
    """The request without remarks on how to go about it; empty where it is nothing else."""
    cut = min((hit.start for reading in _read(request) for hit in reading.find_all(Cue.ASIDE)), default=len(request))
    if cut == len(request):
        return request
    work = _without_dangling(request[:cut])
    return work if _says_much(work) else ""


def _without_dangling(text: str) -> str:
    """The text without what would join it to something that follows ("..., and")."""
    joined = text.rstrip(" ,;:–—-，；：、")
    cuts = [hit.start for reading in _read(joined) for hit in reading.find_all(Cue.DANGLING)]
    return joined[: min(cuts)].rstrip(" ,;:–—-") if cuts else joined


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
        sentence.text
        for message in messages
        if message.role is Role.HUMAN
        for sentence in sentences_of(message.text)[:MAX_OPENING_SENTENCES]
    ]
    return _title(next(filter(_says_much, said), next(iter(said), "untitled")))
