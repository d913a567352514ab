"""The phrase language of the cue files: small enough to be written by a speaker who is no programmer.

    always <act>            two words, the second from the list [words] act
    (never|do not) use      one of several alternatives; an alternative may hold several words
    [please] stop <doing>   optional part
    keep ... short          a gap of at most 110 characters, marks included
    ^ never !(mind|again)   `^` the start of a clause; `!(...)` what may not follow
    ^^ no                   `^^` the very start of the sentence;  `$` its end
    commit~  ~ing           a word that begins or ends like this;  `_` any one word
    no , only               a comma or colon stands right after the word before it; also as an alternative, (is|:)
    ^ avoid <matter>        an entry of a list is itself a phrase

A phrase becomes one regular expression in which nothing repeats without a bound, so a search takes time linear in
the text, whoever wrote it. Every phrase also names its anchors: words of which one must be present for the phrase
to match. A sentence is only tried against phrases whose anchor it holds.

Patterns run over *marked* text (`reading.read`): a mark stands before a word that begins a clause or one of the
language's named starts, and marks stand behind a word that is in a word list. So "any of 400 verbs" is one character
to a pattern, and not 400 branches: without marks, compiling the English cues takes two seconds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vademecum.errors import ConfigError

__all__ = ["CLAUSE_MARK", "MARKS", "WORD_MARK", "Phrase", "PhraseCompiler", "words_of"]

GAP_CHARS = 110

#: Marks are private-use characters, which `cues.normalise` keeps out of the text itself.
CLAUSE_MARK = "\ue000"
#: Before every word: a pattern that begins with a plain character is found far faster than one with `\b`.
WORD_MARK = "\ue00f"
_FIRST_START_MARK = 0xE001
_FIRST_LIST_MARK = 0xE010
_BEFORE_WORD = "[\ue000-\ue00f]*"
_AFTER_WORD = "[\ue010-\ue0ff]*"
MARKS = re.compile("[\ue000-\ue0ff]")

_TOKEN = re.compile(r"\^\^|\^|\$|\.\.\.|!\(|[()\[\]|]|<\w+>|[,:?]|[^\s()\[\]|<>^$,:?]+")
_WORD = re.compile(r"\w+(?:'\w+)*")
_SINGLE = re.compile(r"[\w'-]+")
_STOPS = frozenset(",:?")


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, as anchors are compared."""
    return frozenset(_WORD.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One compiled phrase."""

    source: str
    #: Pattern text over the marked sentence.
    pattern: str
    #: At least one of these is in every match; empty: try always.
    anchors: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One element of a sequence."""

    pattern: str
    anchors: frozenset[str] = frozenset()
    #: May be missing.
    optional: bool = False
    #: Room of its own: no space before the next word.
    gap: bool = False
    #: Takes up no room.
    zero_width: bool = False
    #: A comma, colon or question mark: no space before it.
    glued: bool = False


class PhraseCompiler:
    """Compiles the phrases of one language.

    Parameters
    ----------
    lists: named lists that phrases may use; an entry is a phrase and may use other lists, not in a circle.
    starts: named lists of which a phrase only wants to know that one of them begins here.
    spaced: whether the script puts spaces between words.
    """

    def __init__(
        self, lists: Mapping[str, Sequence[str]], starts: Mapping[str, Sequence[str]], *, spaced: bool = True
    ) -> None:
        self.lists = lists
        self.spaced = spaced
        self._compiled_lists: dict[str, tuple[str, frozenset[str]]] = {}
        self._open_lists: list[str] = []
        #: word -> the marks that stand behind it.
        self.marks: dict[str, str] = {}
        self._start_marks = {name: chr(_FIRST_START_MARK + number) for number, name in enumerate(sorted(starts))}
        #: mark -> pattern of what begins where it stands.
        self.starts = {self._start_marks[name]: self._any_of(starts[name])[0] for name in self._start_marks}
        # All marks must be known before the first text is marked.
        for name in lists:
            self.compile_list(name)

    def compile(self, source: str) -> Phrase:
        """Raises `ConfigError` where the phrase breaks the grammar of this module."""
        pattern, anchors, _ = _Parser(source, self).alternatives(None)
        return Phrase(source=source, pattern=pattern, anchors=anchors)

    def compile_list(self, name: str) -> tuple[str, frozenset[str]]:
        """Pattern and anchors for "one entry of this list"."""
        if name in self._start_marks:
            return self._start_marks[name], frozenset()
        if name not in self._compiled_lists:
            if name in self._open_lists or name not in self.lists:
                raise ConfigError(f"cue list <{name}> is missing or contains itself")
            self._open_lists.append(name)
            self._compiled_lists[name] = self._any_of(self.lists[name])
            self._open_lists.pop()
        return self._compiled_lists[name]

    def _any_of(self, entries: Sequence[str]) -> tuple[str, frozenset[str]]:
        """Single words by their mark, all else spelt out; longest first, for one entry may begin another."""
        single = [entry for entry in entries if self.spaced and _SINGLE.fullmatch(entry)]
        compiled = [self.compile(entry) for entry in entries if entry not in single]
        patterns = sorted({entry.pattern for entry in compiled}, key=lambda pattern: (-len(pattern), pattern))
        anchors = [entry.anchors for entry in compiled]
        if single:
            patterns.append(self._marked(single))
            anchors += [frozenset(_WORD.findall(word)[:1]) for word in single]
        return f"(?:{'|'.join(patterns)})", _union(anchors)

    def _marked(self, words: Sequence[str]) -> str:
        mark = chr(_FIRST_LIST_MARK + len(self._compiled_lists) + len(self._open_lists))
        for word in words:
            self.marks[word] = self.marks.get(word, "") + mark
        return rf"{WORD_MARK}[\w'-]+{_AFTER_WORD}?{mark}"

    def bounded(self, pattern: str) -> str:
        """A pattern that matches whole words only, where the script has words."""
        return rf"{WORD_MARK}{pattern}\b" if self.spaced else pattern

    @property
    def space(self) -> str:
        """What stands between two words."""
        return f"{_AFTER_WORD} {_BEFORE_WORD}" if self.spaced else f" ?{_BEFORE_WORD}"

    def join(self, parts: Sequence[_Part]) -> str:
        """Parts one after another, with the space between words where the script writes one."""
        space = self.space
        out: list[str] = []
        after_word = False
        for part in parts:
            lead = space if after_word and not (part.glued or part.zero_width or part.gap) else ""
            if part.optional and not part.glued:
                body = f"{lead}{part.pattern}" if lead else f"{part.pattern}{space}"
                out.append(f"(?:{body})?")
                continue
            out.append(f"{lead}{part.pattern}" + "?" * part.optional)
            after_word = not part.gap and (after_word or not (part.zero_width or part.optional))
        return "".join(out)


class _Parser:
    """Reads one phrase, left to right."""

    def __init__(self, source: str, compiler: PhraseCompiler) -> None:
        self.source = source
        self.compiler = compiler
        self.tokens = _TOKEN.findall(source)
        self.position = 0

    def broken(self, what: str) -> ConfigError:
        return ConfigError(f"cue phrase {self.source!r}: {what}")

    def peek(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self) -> str:
        token = self.tokens[self.position]
        self.position += 1
        return token

    def alternatives(self, closing: str | None) -> tuple[str, frozenset[str], bool]:
        """Sequences up to `closing`: their pattern, their anchors, whether it stands right behind the word before it.

        The anchors hold for every alternative or not at all. In "(is|:)" each alternative brings its own space.
        """
        glued = [self.peek() in _STOPS]
        found = [self.sequence()]
        while self.peek() == "|":
            self.take()
            glued.append(self.peek() in _STOPS)
            found.append(self.sequence())
        if self.peek() != closing:
            raise self.broken(f"expected {closing or 'the end'}, found {self.peek() or 'the end'}")
        if closing is not None:
            self.take()
        mixed = any(glued) and not all(glued)
        patterns = [
            f"{self.compiler.space}{pattern}" if mixed and not stop else pattern
            for stop, (pattern, _) in zip(glued, found, strict=True)
        ]
        pattern = patterns[0] if len(patterns) == 1 and closing is None else f"(?:{'|'.join(patterns)})"
        return pattern, _union([anchors for _, anchors in found]), any(glued)

    def sequence(self) -> tuple[str, frozenset[str]]:
        parts = list(self.parts())
        if not parts:
            raise self.broken("has an empty part")
        return self.compiler.join(parts), _best_anchors(parts)

    def parts(self) -> Iterator[_Part]:
        while self.peek() not in {None, "|", ")", "]"}:
            yield self.part(self.take())

    def part(self, token: str) -> _Part:
        match token:
            case "^":
                return _Part(pattern=CLAUSE_MARK + _BEFORE_WORD, zero_width=True)
            case "^^":
                return _Part(pattern=rf"\A{_BEFORE_WORD}", zero_width=True)
            case "$":
                return _Part(pattern=rf"(?={_AFTER_WORD}[.!。！ ]{{0,4}}\Z)", zero_width=True)
            case "...":
                return _Part(pattern=f".{{0,{GAP_CHARS}}}?", gap=True)
            case "_":
                return _Part(pattern=rf"{WORD_MARK}[^\s,;:]{{1,40}}" if self.compiler.spaced else r"[^\s,;:]{1,8}?")
            case _:
                return self.group(token) if token in {"!(", "(", "["} else self.word(token)

    def group(self, opening: str) -> _Part:
        pattern, anchors, glued = self.alternatives("]" if opening == "[" else ")")
        if opening == "!(":
            return _Part(pattern=f"(?!{_AFTER_WORD} ?{_BEFORE_WORD}{pattern})", zero_width=True)
        return _Part(pattern=pattern, anchors=anchors, optional=opening == "[", glued=glued)

    def word(self, token: str) -> _Part:
        bounded = self.compiler.bounded
        if token in _STOPS:
            return _Part(pattern=_AFTER_WORD + re.escape(token), glued=True)
        if token.startswith("<"):
            pattern, anchors = self.compiler.compile_list(token[1:-1])
            return _Part(pattern=pattern, anchors=anchors)
        if token.endswith("~"):
            return _Part(pattern=bounded(re.escape(token[:-1]) + r"\w{0,20}"))
        if token.startswith("~"):
            return _Part(pattern=bounded(r"\w{1,20}" + re.escape(token[1:])))
        first = _WORD.search(token)
        anchor = frozenset([first[0] if self.compiler.spaced else token] if first else [])
        return _Part(pattern=bounded(re.escape(token)), anchors=anchor)


def _union(anchors: Sequence[frozenset[str]]) -> frozenset[str]:
    """What holds for alternatives: one of all their anchors, or nothing when one alternative has none."""
    return frozenset[str]().union(*anchors) if all(anchors) else frozenset[str]()


def _best_anchors(parts: Sequence[_Part]) -> frozenset[str]:
    """The most telling required part: the fewest words, and of these the longest."""
    candidates = [part.anchors for part in parts if part.anchors and not part.optional]
    return min(candidates, key=lambda words: (len(words), -min(map(len, words))), default=frozenset[str]())
