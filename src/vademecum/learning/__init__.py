"""From sessions to memory: which sessions, what they teach, and how it becomes files."""

from vademecum.learning.consolidation import Consolidation, ConsolidationStatus, Stage, consolidate
from vademecum.learning.eligibility import Skip, Window
from vademecum.learning.extraction import Listener, extract_sessions
from vademecum.learning.rehearsal import Rehearsed, rehearse
from vademecum.learning.rollouts import adopt_rollout_summaries
from vademecum.learning.walk import ExtractionReport, Learned, Problem, Progress

__all__ = [
    "Consolidation",
    "ConsolidationStatus",
    "ExtractionReport",
    "Learned",
    "Listener",
    "Problem",
    "Progress",
    "Rehearsed",
    "Skip",
    "Stage",
    "Window",
    "adopt_rollout_summaries",
    "consolidate",
    "extract_sessions",
    "rehearse",
]
