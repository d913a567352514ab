"""Cue files: what rules, habits, questions and one-offs sound like in a language (`data/cues/<code>.toml`).

A speaker adds a language by adding a file; nothing else changes. `data/cues/en.toml` is the fullest example, `phrases`
describes the phrase language, `Cue` the sections.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Any

import msgspec

from vademecum.errors import ConfigError
from vademecum.learners.extractive.phrases import Phrase, PhraseCompiler

__all__ = ["Cue", "CueFile", "Header", "parse_cue_file", "shipped_cue_files"]


class Cue(StrEnum):
    """What a phrase is a sign of. The first group makes a preference, the second takes it back, the rest steers."""

    FIRM = "firm"  #: a standing rule whatever else the sentence says ("from now on ...")
    RULE = "rule"  #: a standing rule
    HABIT = "habit"  #: how they always work
    WEAK = "weak"  #: a rule unless it points at one thing ("make sure to ...")
    CORRECTING = "correcting"  #: reusable when it follows an action of the assistant ("use X instead")

    QUESTION = "question"  #: asks, although it may hold a rule's words
    ONE_OFF = "one_off"  #: holds for this time only
    HYPOTHETICAL = "hypothetical"  #: weighs a possibility
    REPORTED = "reported"  #: somebody else says so
    NARRATIVE = "narrative"  #: tells what happens or happened
    FEATURE = "feature"  #: says what a product must do, not the agent
    POINTING = "pointing"  #: points at one thing in sight ("that", "line 5")

    STANDING = "standing"  #: takes back ONE_OFF ("not just this time")
    ASKING_ORDER = "asking_order"  #: an order in the form of a question ("can you always ...")
    ANAPHORIC = "anaphoric"  #: makes a rule of the sentence before it ("that's how we work here")
    WARNING = "warning"  #: makes a rule of the sentence before or after it ("this has bitten us")
    REASON = "reason"  #: begins a reason, which takes nothing back
    JOINT = "joint"  #: another statement begins inside the sentence
    SUBORDINATE = "subordinate"  #: begins a condition that belongs to the order after it
    CONTRAST = "contrast"  #: means nothing without the words before it (", no tabs")
    TAG_QUESTION = "tag_question"  #: turns an order into a question by a word at its end ("..., ok?")
    FRESH_START = "fresh_start"  #: a line that begins like this begins a sentence, also without a full stop above it
    REJECTION = "rejection"  #: opens a correction ("no,", "that's wrong", "I told you")
    REQUEST = "request"  #: asks for work
    INQUIRY = "inquiry"  #: a request that asks for information only ("can you explain what ..."), and shows no liking
    ASIDE = "aside"  #: how a piece of work is to go about, not what it is ("show me the plan first")
    RULE_HEADING = "rule_heading"  #: introduces a list of rules
    PASTE_HEADING = "paste_heading"  #: introduces pasted text
    GENERAL = "general"  #: reaches beyond this project
    PERSONAL = "personal"  #: on how they want to be talked to: reaches beyond, unless the project is named
    PROJECT = "project"  #: reaches this project only
    POSITIVE = "positive"  #: the work is accepted
    NEGATIVE = "negative"  #: the work is not accepted
    NEW_TASK = "new_task"  #: changes the subject
    REFERS_BACK = "refers_back"  #: points back at the work that is on the table
    DANGLING = "dangling"  #: joins to what a quote leaves out, at the end of it
    TAKEOVER = "takeover"  #: takes a reader's other instructions away: the opening move of a planted text
    COMPLAINT = "complaint"  #: names what was done; the sentence after it says what is wanted ("you used X again.")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[language]` table of a cue file."""

    code: str
    #: Which letters it is written in: "latin", "han", "kana" or "hangul".
    script: str
    #: Whether words stand apart.
    spaced: bool
    #: A sentence is read as this language only if it holds one of these words; empty: always.
    signs: tuple[str, ...] = ()
    #: Words after which a clause begins ("and", "please"): plain words, no phrases.
    openers: tuple[str, ...] = ()
    #: Words of cues that are read as meant when they are mistyped by one letter ("alwyas").
    mistyped: tuple[str, ...] = ()
    #: Other spelling -> the word that phrases use ("dont").
    respelt: Mapping[str, str] = {}
    #: Words that a quote leaves out at its beginning.
    fillers: tuple[str, ...] = ()
    #: Words whose full stop ends no sentence, without that stop.
    abbreviations: tuple[str, ...] = ()
    #: Words that tell nothing about what a piece of work is on.
    untelling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CueFile:
    """One language's cues. Phrases are compiled when they are asked for: few sessions need all."""

    header: Header
    compiler: PhraseCompiler
    sources: Mapping[Cue, tuple[str, ...]]

    def phrases(self, cue: Cue) -> tuple[Phrase, ...]:
        """The phrases of one cue. Raises `ConfigError` where one is broken."""
        return tuple(map(self.compiler.compile, self.sources.get(cue, ())))


_SECTIONS = frozenset({"language", "words", "starts", "cues"})


def parse_cue_file(text: str, origin: str) -> CueFile:
    """Read one cue file. Raises `ConfigError` for an unknown section or cue, a broken list, or no header."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
        header = msgspec.convert(data.get("language"), Header)
        lists = msgspec.convert(data.get("words", {}), dict[str, tuple[str, ...]])
        starts = msgspec.convert(data.get("starts", {}), dict[str, tuple[str, ...]])
        sections = msgspec.convert(data.get("cues", {}), dict[Cue, tuple[str, ...]])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"cue file {origin}: {error}") from error
    if unknown := data.keys() - _SECTIONS:
        raise ConfigError(f"cue file {origin}: unknown section {min(unknown)}")
    compiler = PhraseCompiler(lists, starts, spaced=header.spaced)
    return CueFile(header=header, compiler=compiler, sources=sections)


def shipped_cue_files() -> dict[str, str]:
    """File name -> text of every cue file in the package, sorted by name."""
    folder = resources.files("vademecum.learners.extractive").joinpath("data/cues")
    entries = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name
    )
    return {entry.name: entry.read_text("utf-8") for entry in entries}
