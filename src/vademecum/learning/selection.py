"""Selection: which records a consolidation is given, and which of them are put to rest because nobody uses them.

The rule, as `docs/settings.md` tells it. A record rests when for `max_unused_days` nothing of all this happened: its
session went on, it was learned, an answer cited it, a session of its project ended. What a person said as a rule never
rests, nor what they reworded. A record that rests keeps its text and its rollout summary, and comes back by itself as
soon as one of these things happens again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from math import log2

import msgspec

from vademecum.artifacts import RENDERED, hand_edits, keyed_bullets, session_of, spelled_session
from vademecum.learning.sources import text_of
from vademecum.memfs import Tree
from vademecum.state import (
    Candidate,
    Citation,
    CitedKind,
    Record,
    RecordHead,
    RecordState,
    RetiredReason,
    State,
    UsageTotal,
)

__all__ = ["SelectionRules", "let_rest", "reworded_sessions", "select"]

_DAY = timedelta(days=1)
#: What age and use are worth halves in this time.
_HALF_LIFE = 30 * _DAY
#: Stands in the place of the session where a person uses a memory by hand.
_THE_PERSON = "a person's hand"


class SelectionRules(msgspec.Struct, frozen=True, kw_only=True):
    """The one clock and the bounds of a selection."""

    now: datetime
    #: So many records are given to a consolidation, the best.
    most: int
    #: Days after which what nobody uses rests; 0: never.
    max_unused_days: int


def reworded_sessions(tree: Tree, ancestor: Mapping[str, str]) -> frozenset[str]:
    """The sessions, as bullets name them, whose words a person changed. `ancestor`: both files as last left."""
    texts = {path: text_of(tree, path) for path in RENDERED}
    reworded = {key for path, text in texts.items() for key in hand_edits(ancestor[path], text).reworded}
    bullets = (item for text in texts.values() for item in keyed_bullets(text).items())
    return frozenset(session_of(source) for key, bullet in bullets if key in reworded for source in bullet.sources)


def let_rest(state: State, rules: SelectionRules, tree: Tree, reworded: Collection[str]) -> None:
    """Put records to rest, and bring back those that are used again. `tree`: the memory as it stands."""
    cutoff = rules.now - timedelta(days=rules.max_unused_days) if rules.max_unused_days else None
    heads = state.records.resting(cutoff)
    if not heads:
        return
    state.usage.count(_brought_back(heads, rules, tree))
    unused = _unused(state, heads, cutoff) if cutoff else set[str]()
    if unused:
        unused -= state.records.standing()
        unused = {name for name in unused if spelled_session(name) not in reworded}
    with state.transaction():
        for head in heads:
            if _rests(head) and head.session_id not in unused:
                state.records.wake(head.session_id)
            elif head.state is RecordState.ACTIVE and head.session_id in unused:
                state.records.retire(head.session_id, RetiredReason.UNUSED)


def _rests(head: RecordHead) -> bool:
    return head.retired_reason is RetiredReason.UNUSED


def _brought_back(heads: Iterable[RecordHead], rules: SelectionRules, tree: Tree) -> Iterator[Citation]:
    """A person who brings back what had gone, by an undo for one, uses it."""
    gone = [head for head in heads if _rests(head) and head.consolidated_updated_at is None]
    texts = (text_of(tree, path) for path in RENDERED) if gone else ()
    sources = (source for text in texts for bullet in keyed_bullets(text).values() for source in bullet.sources)
    standing = set(map(session_of, sources))
    for head in gone:
        if spelled_session(head.session_id) in standing:
            yield Citation(
                kind=CitedKind.SESSION,
                cited=head.session_id,
                citing_session=_THE_PERSON,
                message_id=tree.revision,
                at=rules.now,
            )


def _unused(state: State, heads: Iterable[RecordHead], cutoff: datetime) -> set[str]:
    """The sessions that nobody used since the cutoff, of those that rest or may.

    What never stood in memory had no chance to be used; what left it for another reason does not come back here.
    """
    worked = state.records.projects_since(cutoff)
    used = {name for name, total in _used(state).items() if total.last_at >= cutoff}
    return {
        head.session_id
        for head in heads
        if head.session_id not in used
        and head.project not in worked
        and max(head.updated_at, head.extracted_at) < cutoff
    }


def _used(state: State) -> dict[str, UsageTotal]:
    return state.usage.totals(CitedKind.SESSION)


def select(state: State, rules: SelectionRules, *, keeps_words: bool, reworded: Collection[str]) -> list[Record]:
    """The active records that a consolidation is given, newest first.

    `keeps_words`: records that hold a person's words come in any case, because the learner writes everything anew from
    what it is given.
    """
    if state.records.counts()[RecordState.ACTIVE] <= rules.most:
        return state.records.all(RecordState.ACTIVE)
    candidates = state.records.candidates()
    chosen = set(_best(candidates, _used(state), rules.now)[: rules.most])
    if keeps_words:
        chosen |= state.records.standing()
        chosen |= {one.session_id for one in candidates if spelled_session(one.session_id) in reworded}
    return state.records.chosen(chosen)


def _best(candidates: Iterable[Candidate], used: Mapping[str, UsageTotal], now: datetime) -> list[str]:
    """Session ids, the best first: by age and use, and the best ones of every project before the many of one."""
    scored = [
        (_score(updated_at, used.get(name), now), updated_at, name, project) for name, project, updated_at in candidates
    ]
    scored.sort(reverse=True)
    rank: defaultdict[str, int] = defaultdict(int)
    covering: list[tuple[float, datetime, str]] = []
    for score, updated_at, name, project in scored:
        rank[project] += 1
        covering.append((score + 1 / rank[project], updated_at, name))
    return [name for _, _, name in sorted(covering, reverse=True)]


def _score(updated_at: datetime, used: UsageTotal | None, now: datetime) -> float:
    """Both halves fade: an old favourite does not always stand before what is new."""
    score = _faded(updated_at, now)
    if used:
        score += (log2(1 + used.count) + log2(1 + used.sessions)) * _faded(used.last_at, now)
    return score


def _faded(moment: datetime, now: datetime) -> float:
    return 0.5 ** (max(now - moment, timedelta(0)) / _HALF_LIFE)
