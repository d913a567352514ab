"""From sessions to memory: which sessions, what they teach, and how it becomes files."""

from vademecum.learning.consolidation import Consolidation, ConsolidationStatus, Stage, consolidate
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.extraction import Extractor, Listener, extract_sessions
from vademecum.learning.rehearsal import Rehearsal, Rehearsed, rehearse
from vademecum.learning.rollouts import adopt_rollout_summaries
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
    "Skip",
    "Stage",
    "Walk",
    "Window",
    "adopt_rollout_summaries",
    "consolidate",
    "extract_sessions",
    "rehearse",
    "walk_over",
    "why_not",
]
