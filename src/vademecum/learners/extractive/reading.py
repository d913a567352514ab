"""How a statement is read: normalised, marked, and searched for cues in the languages it may be in.

Matching happens on the normalised statement: lower case, straight quotes, quoted and code parts blanked out, every
character at its old place.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from vademecum.learners.extractive.cues import Cue, CueFile, Header, parse_cue_file, shipped_cue_files
from vademecum.learners.extractive.phrases import CLAUSE_MARK, MARKS, Phrase, words_of

__all__ = ["Hit", "Language", "Reading", "load_languages", "normalise", "readings_of"]

#: Statements whose readings are kept: a session asks for the same ones from several sides.
_KEPT_READINGS = 4096

_STRAIGHT = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ", "，": ","}
    | dict.fromkeys(map(chr, range(0xE000, 0xE100)), " ")
)
_QUOTED = re.compile(r"`[^`]{1,300}`|\"[^\"]{1,300}\"|(?<!\w)'[^']{2,300}'(?!\w)|[「『«][^」』»]{1,300}[」』»]")


def normalise(statement: str) -> str:
    """The statement as phrases see it; same length, so that places carry over.

    Quoted text and code become a row of `x`: what stands there is named, not said.
    """
    lowered = statement.lower()
    if len(lowered) != len(statement):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in statement)
    return _QUOTED.sub(lambda match: "x" * len(match[0]), lowered.translate(_STRAIGHT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Where a phrase stands in a normalised statement."""

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
_ANY_CHARACTER = re.compile(r"\w")


class Language:
    """One language's cues, ready to search."""

    def __init__(self, file: CueFile) -> None:
        self.code = file.header.code
        self.script = file.header.script
        self.signs = frozenset(file.header.signs)
        self.fillers = frozenset(file.header.fillers)
        self._words = _SPACED_WORD if file.header.spaced else _ANY_CHARACTER
        self._word_marks = file.compiler.marks
        self._clause_starts = _clause_starts(file.header)
        self._starts = {
            mark: re.compile(rf"(?<![\w'-])(?={pattern})") for mark, pattern in file.compiler.starts.items()
        }
        self._file = file
        self._indexes: dict[Cue, _Index] = {}

    def read(self, text: str) -> "Reading":
        """Make a normalised statement ready to be searched."""
        starts = {match.end() for match in self._clause_starts.finditer(text)}
        word_marks = self._word_marks

        def mark(match: re.Match[str]) -> str:
            word = match[0]
            before = CLAUSE_MARK if match.start() in starts else ""
            return f"{before}{word}{word_marks.get(word, '')}"

        marked = self._words.sub(mark, text)
        for start_mark, pattern in self._starts.items():
            marked = pattern.sub(start_mark, marked)
        return Reading(language=self, plain=text, text=marked, words=words_of(text))

    def find_all(self, cue: Cue, reading: "Reading") -> tuple[Hit, ...]:
        """Every place where the statement shows this cue, first to last."""
        if cue not in self._indexes:
            self._indexes[cue] = _Index(self._file.phrases(cue), spaced=self._file.header.spaced)
        candidates = self._indexes[cue].candidates(reading)
        spans = {match.span() for pattern in candidates for match in pattern.finditer(reading.text)}
        return tuple(
            Hit(start=_unmarked(reading.text, start), end=_unmarked(reading.text, end)) for start, end in sorted(spans)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One normalised statement as one language reads it."""

    language: Language
    #: As it was given.
    plain: str
    #: With marks.
    text: str
    words: frozenset[str]
    _hits: dict[Cue, tuple[Hit, ...]] = field(default_factory=dict[Cue, tuple[Hit, ...]], repr=False, compare=False)

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


def _unmarked(text: str, position: int) -> int:
    return position - len(MARKS.findall(text, 0, position))


def _clause_starts(header: Header) -> re.Pattern[str]:
    openers = "|".join(map(re.escape, sorted(header.openers, key=len, reverse=True)))
    if header.spaced:
        opened = rf"|\b(?:{openers}),? " if openers else ""
        return re.compile(rf"\A|[,;:(–—] ?(?=\w)|- (?=\w){opened}")
    opened = rf"|(?:{openers}) ?" if openers else ""
    return re.compile(rf"\A|[,;:(、；：。] ?{opened}")


# ── Which languages ──────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def load_languages() -> tuple[Language, ...]:
    """All languages that ship with the package, English last: it is read along with every other one."""
    found = [Language(parse_cue_file(text, name)) for name, text in shipped_cue_files().items()]
    return tuple(sorted(found, key=lambda language: (language.code == "en", language.code)))


_SCRIPTS = (
    ("kana", re.compile(r"[\u3040-\u30ff]")),
    ("hangul", re.compile(r"[\uac00-\ud7af]")),
    ("han", re.compile(r"[\u3400-\u9fff]")),
)


@lru_cache(maxsize=_KEPT_READINGS)
def readings_of(text: str) -> tuple[Reading, ...]:
    """The normalised text in each language that it may be in, by its letters and its small words.

    Text in another script is read in Latin languages too, for the trade mixes them.
    """
    script = "latin" if text.isascii() else next((name for name, seen in _SCRIPTS if seen.search(text)), "latin")
    words = words_of(text)
    return tuple(
        language.read(text)
        for language in load_languages()
        if language.script in {script, "latin"} and (not language.signs or language.signs & words)
    )
