"""From sessions to memory: which sessions, what they teach, and how it becomes files."""

from vademecum.learning.consolidation import Consolidation, ConsolidationStatus, consolidate
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.extraction import Extractor, Listener, extract_sessions
from vademecum.learning.rehearsal import Rehearsal, Rehearsed, rehearse
from vademecum.learning.review import accept, reject
from vademecum.learning.rollouts import adopt_rollout_summaries
from vademecum.learning.stage import Review, Stage
from vademecum.learning.walk import ExtractionReport, Learned, Problem, Progress, Walk, walk_over

__all__ = [
    "Consolidation",
    "ConsolidationStatus",
    "ExtractionReport",
    "Extractor",
    "Learned",
    "Listener",
    "Problem",
    "Progress",
    "Rehearsal",
    "Rehearsed",
    "Review",
    "Skip",
    "Stage",
    "Walk",
    "Window",
    "accept",
    "adopt_rollout_summaries",
    "consolidate",
    "extract_sessions",
    "rehearse",
    "reject",
    "walk_over",
    "why_not",
]
