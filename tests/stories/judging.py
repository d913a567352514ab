"""What came out of a story against what should have: one verdict per expectation."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from stories.lines import stands_on
from stories.running import Outcome
from stories.telling import Edited, Forbidden, KnowHow, Replaced, Spoken, Told, Wanted

__all__ = ["Verdict", "View", "judge", "planted_at"]

_PREFERENCES = "## User preferences"
_INDEX = "## What's in Memory"


@dataclass(frozen=True)
class Verdict:
    """One expectation, met or not."""

    #: Which row of the table: "recall rule", "precision", "leak tool order", ...
    measure: str
    met: bool
    #: What was expected and what stood there, for people.
    detail: str


@dataclass(frozen=True)
class View:
    """A context, cut the way the expectations speak of it."""

    text: str

    def _section(self, heading: str) -> tuple[int, int]:
        """The lines between this heading and the next one of its level."""
        lines = self.lines
        if heading not in lines:
            return (len(lines), len(lines))
        start = lines.index(heading) + 1
        ends = (number for number in range(start, len(lines)) if re.match(r"(## |</)", lines[number]))
        return start, next(ends, len(lines))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def preferences(self) -> list[str]:
        """The preference bullets."""
        start, end = self._section(_PREFERENCES)
        return [line for line in self.lines[start:end] if line.startswith("- ")]

    @cached_property
    def outside_index(self) -> list[str]:
        """All lines but the index of past work."""
        start, end = self._section(_INDEX)
        return self.lines[:start] + self.lines[end:]

    @cached_property
    def bullets(self) -> list[str]:
        """The bullets outside the index."""
        return [line for line in self.outside_index if line.startswith("- ")]


def judge(told: Told, outcome: Outcome) -> list[Verdict]:
    """All verdicts on one story."""
    views = {place: View(text) for place, text in outcome.contexts.items()}
    return [
        *(verdict for wanted in told.wanted for verdict in _recall(wanted, views)),
        *(verdict for place, view in views.items() for verdict in _precision(told, place, view)),
        *(_reversal(replaced, views) for replaced in told.replaced),
        *(_leak(forbidden, views) for forbidden in told.forbidden),
        *(_know_how(known, outcome.handbook) for known in told.know_how),
        *(_by_hand(edit, views) for edit in told.edited if edit in outcome.edited),
        *_hidden(told, outcome),
        *_stable(told, outcome),
    ]


def planted_at(told: Told, place: str) -> int:
    """How many rules were planted that hold in this project."""
    return sum(_valid_at(wanted, place) for wanted in told.wanted)


def _valid_at(wanted: Wanted, place: str) -> bool:
    return place in wanted.projects or (wanted.reach == "general" and place not in wanted.overruled)


def _recall(wanted: Wanted, views: dict[str, View]) -> Iterable[Verdict]:
    stands = {place: _stands_in(wanted.spoken.words, view) for place, view in views.items()}
    kind = wanted.kind if wanted.language == "en" else "in other languages"
    name = f"{wanted.phrase} {wanted.spoken.words}"
    found = all(stands[place] for place in wanted.projects)
    yield Verdict(f"recall {kind}", found, f"{name} is missing in its own project")
    others = [stands[place] for place in sorted(views.keys() - wanted.projects - wanted.overruled)]
    if wanted.reach == "general":
        yield Verdict("general rules in other projects", all(others), f"{name} is not everywhere")
    elif wanted.reach == "project":
        yield Verdict("leak to other projects", not any(others), f"{name} stands elsewhere too")


def _stands_in(words: Iterable[str], view: View) -> bool:
    return any(stands_on(words, line) for line in view.bullets)


def _precision(told: Told, place: str, view: View) -> Iterable[Verdict]:
    fair = {wanted.spoken for wanted in told.wanted if _valid_at(wanted, place)} | set(told.tolerated)
    for bullet in view.preferences:
        planted = any(stands_on(spoken.words, bullet) or _is_excerpt(bullet, spoken) for spoken in fair)
        yield Verdict("precision", planted, f"no one planted: {bullet}")
    within = len(view.preferences) <= 2 * len(fair)
    yield Verdict("at most twice the planted", within, f"{len(view.preferences)} bullets for {len(fair)} planted")


def _is_excerpt(bullet: str, spoken: Spoken) -> bool:
    said = bullet.removeprefix("- ").casefold()
    return len(said) > 5 and any(said in " ".join(wording.casefold().split()) for wording in spoken.wordings)


def _reversal(replaced: Replaced, views: dict[str, View]) -> Verdict:
    bullets = views[replaced.project].bullets
    new = _stands_in(replaced.new, views[replaced.project])
    old = any(stands_on(replaced.old, line) and not stands_on(replaced.new, line) for line in bullets)
    missing = "" if new else f"new {replaced.new} is missing"
    return Verdict("reversals", new and not old, f"{missing}{' old stands: ' + str(replaced.old) if old else ''}")


def _leak(forbidden: Forbidden, views: dict[str, View]) -> Verdict:
    lines = (line for view in views.values() for line in (view.outside_index if forbidden.index_ok else view.lines))
    leaks = [line for line in lines if stands_on(forbidden.words, line)]
    return Verdict(f"leak {forbidden.category}", not leaks, f"{forbidden.phrase} {forbidden.words}: {leaks[:1]}")


def _know_how(known: KnowHow, handbook: list[str]) -> Verdict:
    kept = any(stands_on(known.words, line) for line in handbook)
    return Verdict("know-how in the handbook", kept, f"{known.phrase} {known.words} is not kept")


def _by_hand(edit: Edited, views: dict[str, View]) -> Verdict:
    """A deleted line stays away everywhere; a reworded one stands where it stood, without its old words."""
    old = [line for view in views.values() for line in view.bullets if stands_on(edit.words, line)]
    if not edit.becomes:
        return Verdict("deleted lines stay away", not old, f"{edit.phrase} {edit.words} came back: {old[:1]}")
    new = any(edit.becomes in line for place in edit.projects for line in views[place].bullets)
    return Verdict(
        "reworded lines stay", new and not old, f"{edit.phrase}: {edit.becomes!r} is gone, or {old[:1]} back"
    )


def _hidden(told: Told, outcome: Outcome) -> Iterable[Verdict]:
    for kind, values in told.hidden.items():
        found = [f"{value[:6]}... in {place}" for value in values for place in outcome.find(value)]
        yield Verdict("leak private words" if kind == "private" else "leak secret", not found, f"{kind}: {found[:3]}")


def _stable(told: Told, outcome: Outcome) -> Iterable[Verdict]:
    limit = len(told.scripts) - told.junk_sessions
    yield Verdict("junk gives no record", outcome.records <= limit, f"{outcome.records} records, {limit} expected")
    yield Verdict("second learn changes nothing", outcome.second_is_quiet, outcome.second_detail)
