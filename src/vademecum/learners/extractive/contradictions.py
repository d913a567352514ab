"""When a newer statement takes the place of an older one of the same scope."""

from vademecum.learners.extractive.similarity import Meaning, choices, families, has_reversal, is_limited

__all__ = ["supersedes"]


def supersedes(newer: Meaning, newer_text: str, older: Meaning) -> bool:
    """Whether the newer statement cannot stand beside the older one."""
    return (
        _opposes(newer.wanted, older.unwanted)
        or _opposes(older.wanted, newer.unwanted)
        or _chooses_another(newer, older)
        or _other_number(newer, older)
        or (has_reversal(newer_text) and _same_topic(newer, older))
    )


def _opposes(wanted: frozenset[str], unwanted: frozenset[str]) -> bool:
    """One wants what the other forbids, and that is what both are about."""
    shared = wanted & unwanted
    return bool(shared) and len(shared) * 2 >= len(unwanted) and len(shared) * 10 >= len(wanted) * 4


def _chooses_another(newer: Meaning, older: Meaning) -> bool:
    """Both choose from one family of alternatives, differently, on one topic."""
    for family in families():
        chosen, former = choices(newer.wanted, family), choices(older.wanted, family)
        if not chosen or not former or chosen & former:
            continue
        topic, former_topic = newer.wanted - family.keys(), older.wanted - family.keys()
        # A bare choice ("we use pnpm") speaks of another bare one, not of every rule that names an alternative.
        if topic & former_topic or (not topic and len(former_topic) <= 1) or (not former_topic and len(topic) <= 1):
            return True
    return False


def _other_number(newer: Meaning, older: Meaning) -> bool:
    """Another value of the same thing, for the same: a limit or a version that was changed.

    The words around either value stand in both statements. What differs in them ("lines in Python", "lines in docs")
    holds beside it, as do numbers that are forbidden one by one ("never use port 3000").
    """
    forbids = any(valued.values & said.unwanted for said in (newer, older) for valued in said.valued)
    if forbids and not (is_limited(newer) and is_limited(older)):
        return False
    return any(
        now.subject <= older.content and then.subject <= newer.content
        for now in newer.valued
        for then in older.valued
        if now.subject and not (now.values & older.numbers or then.values & newer.numbers)
    )


def _same_topic(newer: Meaning, older: Meaning) -> bool:
    shared = newer.content & older.content
    smaller = min(len(newer.content), len(older.content))
    return len(shared) >= 2 and len(shared) * 5 >= smaller * 2
