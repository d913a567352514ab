"""From sessions to memory: which sessions, what they teach, and how it becomes files."""

from vademecum.learning.allowance import Allowance
from vademecum.learning.catching_up import catch_up
from vademecum.learning.citing import Citing
from vademecum.learning.consolidation import consolidate
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.evidence_check import holds_words
from vademecum.learning.extraction import Extractor, Listener
from vademecum.learning.forgetting import follow_archive, forget_bullets, forget_sessions, has_followed
from vademecum.learning.last_word import archive, scopes_of
from vademecum.learning.metering import NO_LIMITS, Budget
from vademecum.learning.outcome import Consolidation, ConsolidationStatus
from vademecum.learning.rehearsal import Rehearsal, Rehearsed
from vademecum.learning.reunion import keep_switched_off, reunite, told_of_loss
from vademecum.learning.review import accept, reject
from vademecum.learning.rollouts import adopt_rollout_summaries, rollout_path, unknown_rollouts
from vademecum.learning.said import Said
from vademecum.learning.selection import SelectionRules
from vademecum.learning.sources import Sources, text_of
from vademecum.learning.stage import Review, Stage
from vademecum.learning.switched_off import follow_switched_off
from vademecum.learning.undone import bury_undone, recent_undos
from vademecum.learning.walk import (
    ExtractionReport,
    Learned,
    Problem,
    Progress,
    Walk,
    Walks,
    fingerprints,
    marked,
    walk_over,
)
from vademecum.learning.why import Explained, Explainer

__all__ = [
    "NO_LIMITS",
    "Allowance",
    "Budget",
    "Citing",
    "Consolidation",
    "ConsolidationStatus",
    "Explained",
    "Explainer",
    "ExtractionReport",
    "Extractor",
    "Learned",
    "Listener",
    "Problem",
    "Progress",
    "Rehearsal",
    "Rehearsed",
    "Review",
    "Said",
    "SelectionRules",
    "Skip",
    "Sources",
    "Stage",
    "Walk",
    "Walks",
    "Window",
    "accept",
    "adopt_rollout_summaries",
    "archive",
    "bury_undone",
    "catch_up",
    "consolidate",
    "fingerprints",
    "follow_archive",
    "follow_switched_off",
    "forget_bullets",
    "forget_sessions",
    "has_followed",
    "holds_words",
    "keep_switched_off",
    "marked",
    "recent_undos",
    "reject",
    "reunite",
    "rollout_path",
    "scopes_of",
    "text_of",
    "told_of_loss",
    "unknown_rollouts",
    "walk_over",
    "why_not",
]
