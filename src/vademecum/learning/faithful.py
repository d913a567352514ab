"""What is asked of a consolidation that a model wrote, beyond what is asked of every one.

The built-in learner cannot break these rules. A model can: it may cite turns that do not exist, spread a rule of one
project over all of them, make a rule of a single request, write again what a person removed, or pass over a note.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from vademecum.artifacts import (
    EVERYWHERE,
    HANDBOOK_PATH,
    PREFERENCE_KINDS,
    PREFERENCES_HEADING,
    RENDERED,
    SUMMARY_PATH,
    Bullet,
    Kind,
    Reach,
    check_form_of_handbook,
    check_form_of_summary,
    keyed_bullets,
    parse_bullet,
    parse_handbook,
    parse_summary,
)
from vademecum.errors import LandingRefused
from vademecum.learners import ConsolidationTask, Verdict, false_verdict, is_of_the_words
from vademecum.learning.given import Given, Statement
from vademecum.learning.last_word import scopes_of
from vademecum.learning.removals import Removals
from vademecum.learning.sources import text_of
from vademecum.memfs import Frozen, Violation

__all__ = ["refuse_false_verdict", "unfaithful"]

_FILE = re.compile(r"rollout_summaries/[^\s()<>]+\.md")
_SESSION_ID = re.compile(r"session_id: (.+)\)$")
#: What a consolidation may write beside both artefacts: they wait for a person's yes.
_SKILLS = "skills/"
_SHOWN_CHARACTERS = 60


def unfaithful(
    written: Frozen, texts: Mapping[str, str], paths: frozenset[str], task: ConsolidationTask
) -> Iterator[Violation]:
    """Where the work departs from its input.

    Parameters
    ----------
    texts: path -> both artefacts without a person's part.
    paths: all memory paths, with the rollout summaries that land beside the work.
    """
    for path in written.edits:
        if path not in RENDERED and not path.startswith(_SKILLS):
            yield Violation(path=path, reason="is no file for a consolidation to write")
    former = text_of(written.base, HANDBOOK_PATH)
    for problem in check_form_of_handbook(texts[HANDBOOK_PATH], former=former):
        yield Violation(reason=problem)
    for problem in check_form_of_summary(texts[SUMMARY_PATH]):
        yield Violation(reason=problem)
    yield from _dangling(texts, paths, task)
    given = Given(task)
    yield from _unsupported(texts[HANDBOOK_PATH], former, task, given)
    yield from _lost(texts[HANDBOOK_PATH], former, task, given)
    yield from _not_of_the_handbook(texts, text_of(written.base, SUMMARY_PATH))
    yield from _ignored_notes(written, task)


def refuse_false_verdict(verdict: Verdict, written: Frozen, given: Frozen, task: ConsolidationTask) -> None:
    """A model says what it did: nothing lands that nobody speaks for.

    Raises LandingRefused where the verdict is not what became of the draft (`given`: as it was handed over).
    """
    if problem := false_verdict(verdict, has_changed=written.differs_from(given)):
        raise LandingRefused(problem)
    if verdict is Verdict.NOTHING_TO_SAY:
        ignored = list(_ignored_notes(written, task))
        if ignored:
            raise LandingRefused("; ".join(map(str, ignored)), paths=tuple(item.path for item in ignored if item.path))


def _ignored_notes(written: Frozen, task: ConsolidationTask) -> Iterator[Violation]:
    """The notes that no artefact names; what a person removed from memory since they wrote it is not waited for."""
    named = "".join(text_of(written, path) for path in RENDERED)
    for note in task.notes:
        is_removed = any(note.path in item.sources and note.created_at <= item.until for item in task.removed)
        if note.path not in named and not is_removed:
            yield Violation(path=note.path, reason=f"is a note, and no bullet of {HANDBOOK_PATH} has it as a source")


def _dangling(texts: Mapping[str, str], paths: frozenset[str], task: ConsolidationTask) -> Iterator[Violation]:
    """Pointers to files that do not exist, or to another session than the file is about."""
    session_of = {session.path: session.summary.session_id for session in task.sessions}
    for path, text in texts.items():
        for line in text.split("\n"):
            for file in _FILE.findall(line):
                if file not in paths:
                    yield Violation(path=path, reason=f"points to {file}, which does not exist")
                elif (named := _SESSION_ID.search(line)) and named[1] != session_of.get(file, named[1]):
                    yield Violation(path=path, reason=f"gives {file} the session {named[1]}: it is {session_of[file]}")


def _not_of_the_handbook(texts: Mapping[str, str], former: str) -> Iterator[Violation]:
    """Bullets of the summary that the handbook does not hold, holds for another project, or in other words.

    `former`: the summary that stood there.
    """
    homes = scopes_of(texts[HANDBOOK_PATH])
    held, stood = keyed_bullets(texts[HANDBOOK_PATH]), keyed_bullets(former)
    for section in parse_summary(texts[SUMMARY_PATH]).sections:
        for bullet in filter(None, map(parse_bullet, section.lines)):
            home = homes.get(bullet.key)
            if bullet.key and home is None:
                reason = f"holds a bullet that {HANDBOOK_PATH} does not: {_shown(bullet)}"
                yield Violation(path=SUMMARY_PATH, reason=reason)
            elif bullet.key and home != section.name:
                reason = f"holds a bullet of {home or EVERYWHERE} below {section.name or EVERYWHERE}: {_shown(bullet)}"
                yield Violation(path=SUMMARY_PATH, reason=reason)
            elif bullet.key and not bullet.edited:
                grounds = [known[bullet.key].text for known in (held, stood) if bullet.key in known]
                if not is_of_the_words(bullet.text, grounds):
                    reason = f"holds a bullet in words that {HANDBOOK_PATH} does not hold: {_shown(bullet)}"
                    yield Violation(path=SUMMARY_PATH, reason=reason)


def _unsupported(handbook: str, former: str, task: ConsolidationTask, given: Given) -> Iterator[Violation]:
    known = _places(former)
    removals, removed_keys = Removals(task.removed, given.said_at), _keys(task)
    for bullet, place in _bullets(handbook):
        before = known.get(bullet.key)
        fault = _why_not_new(bullet, place, given) if before is None else _why_not_moved(bullet, place, *before, given)
        if not fault and bullet.key in removed_keys:
            fault = "that a person removed"
        # One that stood there is what a person left standing.
        if not fault and before is None and removals.brings_back(bullet, place.scope):
            fault = "that says what a person removed"
        if place.is_preference and not fault and not bullet.edited:
            fault = _why_misquoted(bullet, before[0].text if before else "", given)
        if fault:
            yield Violation(path=HANDBOOK_PATH, reason=f"holds a bullet {fault}: {_shown(bullet)}")


def _lost(handbook: str, former: str, task: ConsolidationTask, given: Given) -> Iterator[Violation]:
    """Preferences that stood there and are gone, although what they rest on is there still."""
    removed = _keys(task)
    kept = {source for bullet, _ in _bullets(handbook) for source in bullet.sources}
    for key, (bullet, place) in _places(former).items():
        alive = [source for source in bullet.sources if given.knows(source)]
        if place.is_preference and alive and key not in removed and not bullet.superseded and kept.isdisjoint(alive):
            yield Violation(path=HANDBOOK_PATH, reason=f"has lost a preference that nobody took back: {_shown(bullet)}")


def _keys(task: ConsolidationTask) -> frozenset[str]:
    """The keys of what a person removed."""
    return frozenset(item.key for item in task.removed)


class _Place(msgspec.Struct, frozen=True):
    #: The project; empty: everywhere.
    scope: str
    is_preference: bool


def _bullets(handbook: str) -> Iterator[tuple[Bullet, _Place]]:
    """The bullets with keys, and where they stand."""
    for group in parse_handbook(handbook):
        for section in group.sections:
            place = _Place(group.project, section.path[1:] == (PREFERENCES_HEADING,))
            yield from ((bullet, place) for bullet in map(parse_bullet, section.lines) if bullet and bullet.key)


def _places(handbook: str) -> dict[str, tuple[Bullet, _Place]]:
    return {bullet.key: (bullet, place) for bullet, place in _bullets(handbook)}


def _why_not_moved(bullet: Bullet, place: _Place, before: Bullet, former: _Place, given: Given) -> str:
    """Why a bullet that stood in the memory may not stand there now; empty where it may."""
    if place.scope != former.scope:
        return f"that was moved from {former.scope or EVERYWHERE} to {place.scope or EVERYWHERE}"
    if place.is_preference and not former.is_preference:
        return f"that was moved to {PREFERENCES_HEADING!r}"
    return _missing((source for source in bullet.sources if source not in before.sources), given)


def _missing(sources: Iterable[str], given: Given) -> str:
    """That one of these sources is none; empty where all are there."""
    gone = next((source for source in sources if not given.knows(source)), "")
    return f"with the source {gone}, which does not exist" if gone else ""


def _why_misquoted(bullet: Bullet, former: str, given: Given) -> str:
    """That a bullet says what none of its sources says; empty where it does not. `former`: its text so far."""
    grounds = (former, *map(given.words, bullet.sources))
    return "" if is_of_the_words(bullet.text, grounds) else "in words that its sources do not hold"


def _why_not_new(bullet: Bullet, place: _Place, given: Given) -> str:
    """Why a new bullet may not stand there; empty where it may."""
    if fault := _missing(bullet.sources, given):
        return fault
    if any(map(given.is_note, bullet.sources)):
        return ""
    found = given.statements(bullet.sources)
    if place.is_preference and (fault := _why_no_preference(found)):
        return fault
    return _why_not_in(place.scope, found)


def _why_no_preference(found: list[Statement]) -> str:
    spoken = [statement for statement in found if statement.evidence.kind in PREFERENCE_KINDS]
    if not spoken:
        return f"under {PREFERENCES_HEADING!r} that rests on no words of the person"
    sessions = {statement.session_id for statement in spoken}
    if all(statement.evidence.kind is Kind.REQUEST for statement in spoken) and len(sessions) < 2:
        return f"under {PREFERENCES_HEADING!r} that was asked for once only: a one-off stays with its task"
    return ""


def _why_not_in(scope: str, found: list[Statement]) -> str:
    projects = {statement.project for statement in found}
    if scope:
        return "" if scope in projects else f"of {', '.join(sorted(projects))} under the project {scope}"
    general = any(statement.evidence.reach is Reach.GENERAL for statement in found)
    return "" if general or len(projects) > 1 else f"for every project that was said for {projects.pop()} only"


def _shown(bullet: Bullet) -> str:
    return bullet.text[:_SHOWN_CHARACTERS]
