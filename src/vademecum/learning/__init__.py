"""From sessions to memory: which sessions, what they teach, and how it becomes files."""

from vademecum.learning.consolidation import (
    Consolidation,
    ConsolidationStatus,
    Stage,
    adopt_rollout_summaries,
    consolidate,
)
from vademecum.learning.eligibility import Skip, Window
from vademecum.learning.extraction import ExtractionReport, Progress, extract_sessions, rehearse

__all__ = [
    "Consolidation",
    "ConsolidationStatus",
    "ExtractionReport",
    "Progress",
    "Skip",
    "Stage",
    "Window",
    "adopt_rollout_summaries",
    "consolidate",
    "extract_sessions",
    "rehearse",
]
