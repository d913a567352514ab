"""The grammars: what memory files look like, how they are read, rendered, merged and checked."""

from vademecum.artifacts.bullets import Bullet, bullet_key, parse_bullet, render_bullet, session_source, strip_marks
from vademecum.artifacts.citations import strip_citations
from vademecum.artifacts.evidence import PREFERENCES as PREFERENCE_KINDS
from vademecum.artifacts.evidence import Evidence, Kind, Reach, parse_evidence, render_evidence
from vademecum.artifacts.fence import fence_lines, neutralise, strip_memory_blocks
from vademecum.artifacts.handbook import (
    EVERYWHERE,
    HANDBOOK_PATH,
    HandbookTask,
    TaskFile,
    TaskGroup,
    check_handbook,
    group_preferences,
    render_handbook,
)
from vademecum.artifacts.merge import HandEdits, apply_hand_edits, hand_edits, is_merge_mark
from vademecum.artifacts.notes import MAX_NOTE_CHARACTERS, NOTES_FOLDER, Note, note_path, parse_note, render_note
from vademecum.artifacts.raw_memory import Outcome, RawMemory, TaskMemory, parse_raw_memory, render_raw_memory
from vademecum.artifacts.rollout_summary import (
    ROLLOUT_FOLDER,
    RolloutSummary,
    parse_rollout_summary,
    render_rollout_summary,
    rollout_stem,
    slugify,
)
from vademecum.artifacts.sections import Section, parse_sections, render_sections
from vademecum.artifacts.summary import (
    HEADINGS,
    INDEX,
    PREFERENCES,
    PROFILE,
    SUMMARY_PATH,
    TIPS,
    IndexTopic,
    ProjectPart,
    SummaryParts,
    check_summary,
    render_summary,
)
from vademecum.artifacts.times import format_day, format_stem_time, format_time, parse_time
from vademecum.artifacts.tool_names import OUR_TOOLS, is_our_command, is_our_tool

__all__ = [
    "EVERYWHERE",
    "HANDBOOK_PATH",
    "HEADINGS",
    "INDEX",
    "MAX_NOTE_CHARACTERS",
    "NOTES_FOLDER",
    "OUR_TOOLS",
    "PREFERENCES",
    "PREFERENCE_KINDS",
    "PROFILE",
    "ROLLOUT_FOLDER",
    "SUMMARY_PATH",
    "TIPS",
    "Bullet",
    "Evidence",
    "HandEdits",
    "HandbookTask",
    "IndexTopic",
    "Kind",
    "Note",
    "Outcome",
    "ProjectPart",
    "RawMemory",
    "Reach",
    "RolloutSummary",
    "Section",
    "SummaryParts",
    "TaskFile",
    "TaskGroup",
    "TaskMemory",
    "apply_hand_edits",
    "bullet_key",
    "check_handbook",
    "check_summary",
    "fence_lines",
    "format_day",
    "format_stem_time",
    "format_time",
    "group_preferences",
    "hand_edits",
    "is_merge_mark",
    "is_our_command",
    "is_our_tool",
    "neutralise",
    "note_path",
    "parse_bullet",
    "parse_evidence",
    "parse_note",
    "parse_raw_memory",
    "parse_rollout_summary",
    "parse_sections",
    "parse_time",
    "render_bullet",
    "render_evidence",
    "render_handbook",
    "render_note",
    "render_raw_memory",
    "render_rollout_summary",
    "render_sections",
    "render_summary",
    "rollout_stem",
    "session_source",
    "slugify",
    "strip_citations",
    "strip_marks",
    "strip_memory_blocks",
]
