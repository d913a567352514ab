"""What a shell command is run for: test, build, lint and the like, by `data/programs.toml`."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources

import msgspec

__all__ = ["CHECKS", "Goal", "goal_of_program"]


class Goal(StrEnum):
    """The end that a command serves. The value is how evidence and `programs.toml` name it."""

    TYPECHECK = "typecheck"
    FORMAT = "format"
    LINT = "lint"
    TEST = "test"
    MIGRATE = "migrate"
    DEPLOY = "deploy"
    INSTALL = "install"
    BUILD = "build"
    RUN = "run"


#: Goals whose commands say whether the work is right.
CHECKS = frozenset({Goal.TEST, Goal.BUILD, Goal.LINT, Goal.TYPECHECK})


class _Programs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`programs.toml`, as read."""

    runners: dict[str, tuple[str, ...]]
    goals: dict[Goal, tuple[str, ...]]


def goal_of_program(command: str) -> Goal | None:
    """The goal of a single command without environment settings; None where the program serves none of them."""
    prefix, goals = _patterns()
    rest = command
    while True:
        for goal, pattern in goals:
            if pattern.match(rest):
                return goal
        match = prefix.match(rest)
        if match is None:
            return None
        rest = rest[match.end() :]


@cache
def _patterns() -> tuple[re.Pattern[str], tuple[tuple[Goal, re.Pattern[str]], ...]]:
    text = resources.files("vademecum.learners.extractive").joinpath("data/programs.toml").read_text("utf-8")
    programs = msgspec.convert(tomllib.loads(text), _Programs)
    prefix = re.compile(rf"(?:{_any_of(programs.runners['prefix'], {})}|\S{{1,80}}/bin/|node_modules/\.bin/) ?")
    goals = tuple(
        (goal, re.compile(rf"(?:{_any_of(entries, programs.runners)})(?=\s|$)"))
        for goal, entries in programs.goals.items()
    )
    return prefix, goals


_WORD_FORMS = {"*": r"\S{1,80}", "...": r".{0,120}"}


def _any_of(entries: Sequence[str], runners: Mapping[str, Sequence[str]]) -> str:
    """Longest first: an entry may be the beginning of another."""
    longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "|".join(" ".join(_word(word, runners) for word in entry.split()) for entry in longest_first)


def _word(word: str, runners: Mapping[str, Sequence[str]]) -> str:
    if word in _WORD_FORMS:
        return _WORD_FORMS[word]
    if word.startswith("<"):
        return f"(?:{_any_of(runners[word[1:-1]], {})})"
    return re.escape(word).replace(r"\*", r"\S{0,80}")
