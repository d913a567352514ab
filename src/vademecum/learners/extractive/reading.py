"""How a normalised sentence is read: marked, and searched for the cues of one language."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from vademecum.learners.extractive.cues import Cue, CueFile, Header
from vademecum.learners.extractive.phrases import CLAUSE_MARK, MARKS, WORD_MARK, Phrase, words_of
from vademecum.learners.extractive.spelling import respelt

__all__ = ["Hit", "Language", "Reading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Where a phrase stands in a normalised sentence."""

    start: int
    end: int


class _Index:
    """The phrases of one cue, found by their anchors."""

    def __init__(self, phrases: Iterable[Phrase], *, spaced: bool) -> None:
        by_anchors: dict[frozenset[str], list[str]] = {}
        for phrase in phrases:
            by_anchors.setdefault(phrase.anchors, []).append(phrase.pattern)
        self._spaced = spaced
        self._sources = ["|".join(patterns) for patterns in by_anchors.values()]
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._always = [number for number, anchors in enumerate(by_anchors) if not anchors]
        self._by_word: dict[str, list[int]] = {}
        for number, anchors in enumerate(by_anchors):
            for anchor in anchors:
                self._by_word.setdefault(anchor, []).append(number)

    def candidates(self, reading: "Reading") -> Iterator[re.Pattern[str]]:
        """Patterns that may match; each is compiled when it is first needed."""
        if self._spaced:
            present = self._by_word.keys() & reading.words
        else:
            present = {word for word in self._by_word if word in reading.plain}
        numbers = {number for word in present for number in self._by_word[word]}
        for number in sorted(numbers.union(self._always)):
            if number not in self._compiled:
                self._compiled[number] = re.compile(self._sources[number])
            yield self._compiled[number]


_SPACED_WORD = re.compile(r"[\w'-]+")
_WORD_START = re.compile(WORD_MARK)
_ANY_CHARACTER = re.compile(r"\w")


class Language:
    """One language's cues, ready to search."""

    def __init__(self, file: CueFile) -> None:
        self.header = file.header
        self.code = file.header.code
        self.script = file.header.script
        self.signs = frozenset(file.header.signs)
        self.fillers = frozenset(file.header.fillers)
        self._words = _SPACED_WORD if file.header.spaced else _ANY_CHARACTER
        self._word_mark = WORD_MARK if file.header.spaced else ""
        self._word_marks = file.compiler.marks
        self._clause_starts = _clause_starts(file.header)
        self._starts = {mark: re.compile(pattern) for mark, pattern in file.compiler.starts.items()}
        self._respelt = respelt(file.header)
        self._file = file
        self._indexes: dict[Cue, _Index] = {}

    def read(self, text: str) -> "Reading":
        """Make a normalised sentence ready to be searched."""
        meant, shifts = self._as_meant(text)
        return Reading(language=self, plain=text, meant=meant, words=words_of(meant), shifts=shifts)

    def _as_meant(self, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The text with mistyped cue words mended; where each ends in it, and how many characters longer it got."""
        if self._respelt.keys().isdisjoint(words_of(text)):
            return text, ()
        shifts: list[tuple[int, int]] = []
        grown = 0

        def mend(match: re.Match[str]) -> str:
            nonlocal grown
            word = self._respelt.get(match[0], match[0])
            if word is not match[0]:
                end = match.start() + grown + len(word)
                grown += len(word) - len(match[0])
                shifts.append((end, len(word) - len(match[0])))
            return word

        return _SPACED_WORD.sub(mend, text), tuple(shifts)

    def mark(self, text: str) -> str:
        """The text as patterns search it: see `phrases`."""
        starts = {match.end() for match in self._clause_starts.finditer(text)}
        word_marks, word_mark = self._word_marks, self._word_mark

        def mark(match: re.Match[str]) -> str:
            word = match[0]
            before = CLAUSE_MARK if match.start() in starts else ""
            return f"{before}{word_mark}{word}{word_marks.get(word, '')}"

        marked = self._words.sub(mark, text)
        for start_mark, pattern in self._starts.items():
            marked = _mark_starts(marked, start_mark, pattern)
        return marked

    def find_all(self, cue: Cue, reading: "Reading") -> tuple[Hit, ...]:
        """Every place where the sentence shows this cue, first to last."""
        if cue not in self._indexes:
            self._indexes[cue] = _Index(self._file.phrases(cue), spaced=self._file.header.spaced)
        candidates = self._indexes[cue].candidates(reading)
        spans = {match.span() for pattern in candidates for match in pattern.finditer(reading.text)}
        return tuple(Hit(start=reading.place_of(start), end=reading.place_of(end)) for start, end in sorted(spans))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One normalised sentence as one language reads it."""

    language: Language
    #: As it was given.
    plain: str
    #: With mistyped words mended.
    meant: str
    words: frozenset[str]
    #: For each mended word, its end in `meant` and how many characters it gained.
    shifts: tuple[tuple[int, int], ...] = ()
    _hits: dict[Cue, tuple[Hit, ...]] = field(default_factory=dict[Cue, tuple[Hit, ...]], repr=False, compare=False)

    @cached_property
    def text(self) -> str:
        """With marks. Made when the first phrase asks for it: most sentences hold no word of any."""
        return self.language.mark(self.meant)

    def place_of(self, position: int) -> int:
        """The place in `plain` of a place in the marked text."""
        unmarked = position - len(MARKS.findall(self.text, 0, position))
        return unmarked - sum(gained for end, gained in self.shifts if end <= unmarked)

    def find_all(self, cue: Cue) -> tuple[Hit, ...]:
        """Every place that shows this cue, first to last."""
        if cue not in self._hits:
            self._hits[cue] = self.language.find_all(cue, self)
        return self._hits[cue]

    def find(self, cue: Cue) -> Hit | None:
        """The first place that shows this cue."""
        return next(iter(self.find_all(cue)), None)

    def shows(self, *cues: Cue) -> bool:
        """Whether any of these cues is there."""
        return any(map(self.find_all, cues))


def _mark_starts(text: str, start_mark: str, pattern: re.Pattern[str]) -> str:
    """Put the mark before every word where the pattern matches."""

    def mark(place: re.Match[str]) -> str:
        return start_mark + WORD_MARK if pattern.match(text, place.start()) else WORD_MARK

    return _WORD_START.sub(mark, text)


def _clause_starts(header: Header) -> re.Pattern[str]:
    openers = "|".join(map(re.escape, sorted(header.openers, key=len, reverse=True)))
    if header.spaced:
        opened = rf"|\b(?:{openers}),? " if openers else ""
        return re.compile(rf"\A|[,;:(–—] ?(?=\w)|- (?=\w){opened}")
    opened = rf"|(?:{openers}) ?" if openers else ""
    return re.compile(rf"\A|[,;:(、；：。] ?{opened}")
