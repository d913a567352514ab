"""When two statements say the same thing: content words, what is wanted and what is not, near-duplicates."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from vademecum.learners.extractive.keywords import untelling_words

__all__ = [
    "Meaning",
    "choices",
    "families",
    "has_reversal",
    "is_limited",
    "meaning",
    "overlap",
    "same_request",
    "same_statement",
]

_WORD = re.compile(r"[a-z0-9][a-z0-9_./'’+#-]*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W\d_]+", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLAUSE = re.compile(
    r"[,;:.!?，。；、！？()]\s|[,;:.!?，。；、！？()]$|\b(?:but|and|because|so|since|als|sondern)\b|而是|要用|改用|[，。；、！？]"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
#: A number that tells things of one kind apart ("step 3", "migration 0012") is no value that could be changed.
_COUNTED = re.compile(
    r"(?:\b(?:step|phase|part|stage|chapter|section|area|rule|ticket|issue|task|pr|migration|adr|rfc|sprint|milestone|"
    r"error|number|exercise|room|team|shard|cluster|build|job)s?\s+#?|#)(\d+)|\b(0\d+)\b"
)
#: "moved from OLD to NEW", "replaced OLD with NEW": the old one is no longer wanted.
_CHANGE = re.compile(
    r"\b(?:mov|switch|migrat|chang|go|went)\w*\s+(?:away\s+|over\s+)?from\s+(?P<old>\S+(?:\s\S+){0,2}?)\s+to\s+(?P<new>.+)"
    r"|\b(?:replac|swap)\w*\s+(?P<old2>\S+(?:\s\S+){0,2}?)\s+(?:with|by|for)\s+(?P<new2>.+)"
)
#: Why a rule is one says nothing about what it asks for.
_REASON = re.compile(r",?\s(?:because|since|weil|parce que|porque)\s[^,;.]*")
#: Two statements with this share of common content words are one.
_SAME = 0.75


class _Words(msgspec.Struct, frozen=True):
    families: tuple[tuple[str, ...], ...]
    synonyms: tuple[tuple[str, ...], ...]
    fillers: frozenset[str]
    courtesies: tuple[str, ...]
    negators: frozenset[str]
    negator_phrases: tuple[str, ...]
    negators_cjk: tuple[str, ...]
    limits: tuple[str, ...]
    around_values: tuple[str, ...]
    reversals: tuple[str, ...]


@cache
def _words() -> _Words:
    text = files("vademecum.learners.extractive").joinpath("data/families.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Words)


@cache
def _synonyms() -> dict[str, str]:
    """Stem of each word that has one -> the stem that stands for it."""
    return {_stem(word): _stem(group[0]) for group in _words().synonyms for word in group}


@cache
def families() -> tuple[dict[str, int], ...]:
    """The families of alternatives: each word of a family -> which alternative it stands for."""
    return tuple(
        {_stem(word): number for number, member in enumerate(family) for word in member.split("|")}
        for family in _words().families
    )


def choices(words: frozenset[str], family: dict[str, int]) -> frozenset[int]:
    """Which alternatives of a family these words choose."""
    return frozenset(family[word] for word in words & family.keys())


class Valued(msgspec.Struct, frozen=True, kw_only=True):
    """One clause that gives a value to something."""

    #: What the value is of, and for what it holds, in content words.
    subject: frozenset[str]
    values: frozenset[str]


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """A statement reduced to what it is about."""

    #: Content words that are wanted, or that the statement is about.
    wanted: frozenset[str]
    #: Content words behind a negation.
    unwanted: frozenset[str]
    #: All numbers in it.
    numbers: frozenset[str]
    #: The clauses that hold a value: a limit, a port, a version.
    valued: tuple[Valued, ...] = ()

    @property
    def content(self) -> frozenset[str]:
        """All content words."""
        return self.wanted | self.unwanted


def meaning(text: str) -> Meaning:
    """The content words of a statement, split by what is wanted and what is not."""
    lowered = _REASON.sub("", text.lower().replace("’", "'"))
    wanted: set[str] = set()
    unwanted: set[str] = set()
    if change := _CHANGE.search(lowered):
        unwanted |= _content(change["old"] or change["old2"])
        lowered = f"{lowered[: change.start()]} {change['new'] or change['new2']}"
    clauses = _clauses(lowered)
    for clause in clauses:
        before, after = _split_at_negation(clause)
        wanted |= _content(before)
        unwanted |= _content(after)
    return Meaning(
        wanted=frozenset(wanted),
        unwanted=frozenset(unwanted - wanted),
        numbers=frozenset(_NUMBER.findall(lowered)),
        valued=tuple(valued for clause in clauses if (valued := _valued(clause)).values),
    )


def _valued(clause: str) -> Valued:
    numbers = frozenset(_NUMBER.findall(clause))
    values = numbers - {number for match in _COUNTED.findall(clause) for number in match}
    return Valued(subject=frozenset(_content(clause) - numbers - _colourless()), values=values)


def _clauses(text: str) -> list[str]:
    return [part for part in _CLAUSE.split(text) if part and part.strip()]


def _split_at_negation(clause: str) -> tuple[str, str]:
    words = _words()
    positions = [clause.find(phrase) for phrase in (*words.negator_phrases, *words.negators_cjk)]
    positions += [match.start() for match in _WORD.finditer(clause) if match[0] in words.negators][:1]
    found = [position for position in positions if position >= 0]
    return (clause[: min(found)], clause[min(found) :]) if found else (clause, "")


def _content(text: str) -> set[str]:
    fillers = _words().fillers
    result: set[str] = set()
    for word in _WORD.findall(text):
        if _CJK.match(word):
            stripped = word
            for filler in (*_words().negators_cjk, "用", "我们", "请", "的", "了", "都"):
                stripped = stripped.replace(filler, " ")
            for piece in stripped.split():
                result |= {piece[i : i + 2] for i in range(max(1, len(piece) - 1))}
        elif (stem := _stem(word.strip("'./-"))) and stem not in fillers and word not in fillers:
            result.add(_synonyms().get(stem, stem))
    return result


def _stem(word: str) -> str:
    """The word without its English ending, alike for its forms: space, spaces; run, running; indent, indentation."""
    for ending in ("ation", "ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            if ending in {"ing", "ed"} and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of common words, 0..1 (Jaccard)."""
    return len(left & right) / len(left | right) if left or right else 0.0


def same_statement(left: Meaning, right: Meaning) -> bool:
    """Whether two statements say the same thing in other words; never where they want opposite things."""
    if left.numbers != right.numbers or left.wanted & right.unwanted or left.unwanted & right.wanted:
        return False
    if bool(left.unwanted) != bool(right.unwanted) and not (left.wanted and right.wanted):
        return False
    if any(choices(left.wanted, family) != choices(right.wanted, family) for family in families()):
        return False
    shared = left.content & right.content
    smaller = min(len(left.content), len(right.content))
    alike = overlap(left.content, right.content)
    if smaller >= 2 and len(shared) == smaller:
        return alike >= 0.5
    # Each has a word of its own: of two rules on two things, one must not be lost for the other.
    return alike >= _SAME and not (_telling(left.content - right.content) and _telling(right.content - left.content))


def _telling(words: frozenset[str]) -> frozenset[str]:
    return words - _colourless()


def same_request(left: Meaning, right: Meaning) -> bool:
    """Whether two requests ask for the same: besides, every word that tells what one is about stands in the other.

    "Fix the flaky test of the cart" and "fix the flaky test of the login" share all but the word that counts.
    """
    return same_statement(left, right) and left.content ^ right.content <= _frames()


@cache
def _frames() -> frozenset[str]:
    """Content words that tell nothing about what a request is on."""
    return _as_content((*untelling_words(), *_words().courtesies))


def is_limited(said: Meaning) -> bool:
    """Whether the statement bounds something: "never exceed 80 columns" forbids no number."""
    return bool(said.content & _limits())


@cache
def _limits() -> frozenset[str]:
    return _as_content(_words().limits)


@cache
def _colourless() -> frozenset[str]:
    """Content words that tell nothing about what a rule is on."""
    return _frames() | _limits() | _as_content(_words().around_values)


def _as_content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_synonyms().get(stem, stem) for stem in map(_stem, words))


def has_reversal(text: str) -> bool:
    """Whether the statement says that a former one no longer holds."""
    lowered = text.lower()
    return any(phrase in lowered for phrase in _words().reversals)
