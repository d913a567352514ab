"""The summary, `memory_summary.md`: small, injected into every session.

First line `v1`, then four headings. Bullets of one project stand under `### <project>`, those that hold everywhere
directly under the heading. A section that did not fit ends with a line that says where the rest is.
"""

import msgspec

from vademecum.artifacts.bullets import Bullet, render_bullet

__all__ = [
    "HEADINGS",
    "INDEX",
    "MAX_SUMMARY_BYTES",
    "PREFERENCES",
    "PROFILE",
    "SUMMARY_PATH",
    "TIPS",
    "IndexTopic",
    "ProjectPart",
    "SummaryParts",
    "check_summary",
    "render_summary",
]

SUMMARY_PATH = "memory_summary.md"
PROFILE = "## User Profile"
PREFERENCES = "## User preferences"
TIPS = "## General Tips"
INDEX = "## What's in Memory"
HEADINGS = (PROFILE, PREFERENCES, TIPS, INDEX)
#: What is accepted from any writer.
MAX_SUMMARY_BYTES = 10_000
#: What our own rendering stays below.
TARGET_BYTES = 9_000
_OLDER = "### Older Memory Topics"


class IndexTopic(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the index: what was done, and the file that tells more."""

    #: Memory day, `2026-11-02`.
    day: str
    title: str
    keywords: tuple[str, ...]
    path: str


class ProjectPart(msgspec.Struct, frozen=True, kw_only=True):
    """What the summary says on one project; an empty project means everywhere."""

    project: str
    preferences: tuple[Bullet, ...] = ()
    tips: tuple[Bullet, ...] = ()
    topics: tuple[IndexTopic, ...] = ()


class SummaryParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the summary is made of; parts come most useful first."""

    profile: tuple[str, ...]
    parts: tuple[ProjectPart, ...]


def render_summary(parts: SummaryParts) -> str:
    """The file, below 9,000 bytes: index topics give way first, then tips, then preferences, the last of each first."""
    limits = _Limits(preferences=1_000, tips=200, topics=200)
    while True:
        text = _render(parts, limits)
        if len(text.encode()) < TARGET_BYTES or not limits.tighten(parts):
            return text


class _Limits:
    """How many bullets of each kind one part may show; tightened until the file fits."""

    def __init__(self, *, preferences: int, tips: int, topics: int) -> None:
        self.preferences, self.tips, self.topics = preferences, tips, topics
        self.parts = 1_000

    def tighten(self, parts: SummaryParts) -> bool:
        """Take the next step down; False where nothing is left to take."""
        longest_topics = max((len(part.topics) for part in parts.parts), default=0)
        longest_tips = max((len(part.tips) for part in parts.parts), default=0)
        longest = max((len(part.preferences) for part in parts.parts), default=0)
        if min(self.topics, longest_topics) > 2:
            self.topics = min(self.topics, longest_topics) - 1
        elif min(self.tips, longest_tips) > 2:
            self.tips = min(self.tips, longest_tips) - 1
        elif min(self.preferences, longest) > 3:
            self.preferences = max(3, min(self.preferences, longest) * 9 // 10)
        elif min(self.parts, len(parts.parts)) > 1:
            self.parts = min(self.parts, len(parts.parts)) - 1
        elif min(self.preferences, longest) > 0:
            self.preferences = min(self.preferences, longest) - 1
        else:
            return False
        return True


def _render(parts: SummaryParts, limits: _Limits) -> str:
    shown, hidden = parts.parts[: limits.parts], parts.parts[limits.parts :]
    lines = ["v1", "", PROFILE, "", *parts.profile, ""]
    lines += _bullet_section(PREFERENCES, shown, limits.preferences, [part.preferences for part in shown])
    lines += _bullet_section(TIPS, shown, limits.tips, [part.tips for part in shown])
    lines += [INDEX, ""]
    for part in shown:
        if part.topics:
            lines += _index(part, limits.topics)
    if hidden:
        lines += [_OLDER, f"- {len(hidden)} more projects stand in MEMORY.md", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _bullet_section(
    heading: str, parts: tuple[ProjectPart, ...], limit: int, bullets_of: list[tuple[Bullet, ...]]
) -> list[str]:
    lines = [heading, ""]
    pairs = sorted(zip(parts, bullets_of, strict=True), key=lambda pair: bool(pair[0].project))
    for part, bullets in pairs:
        if not bullets:
            continue
        lines += [f"### {part.project}"] if part.project else []
        lines += map(render_bullet, bullets[:limit])
        if len(bullets) > limit:
            lines.append(f"({len(bullets) - limit} more in MEMORY.md)")
        lines.append("")
    return lines


def _index(part: ProjectPart, limit: int) -> list[str]:
    lines = [f"### {part.project or 'no project'}"]
    day = ""
    for topic in part.topics[:limit]:
        if topic.day != day:
            day = topic.day
            lines.append(f"#### {day}")
        keywords = f" ({', '.join(topic.keywords[:6])})" if topic.keywords else ""
        lines.append(f"- {topic.title}{keywords}: {topic.path}")
    if len(part.topics) > limit:
        lines.append(f"({len(part.topics) - limit} more in MEMORY.md)")
    return [*lines, ""]


def check_summary(text: str) -> list[str]:
    """What breaks the grammar, one sentence each; empty where all is well."""
    problems: list[str] = []
    lines = [line.strip() for line in text.split("\n")]
    if lines[0] != "v1":
        problems.append("memory_summary.md: the first line is not `v1`")
    problems += [
        f"memory_summary.md: the heading `{heading}` is missing" for heading in HEADINGS if heading not in lines
    ]
    size = len(text.encode())
    if size > MAX_SUMMARY_BYTES:
        problems.append(f"memory_summary.md: {size} bytes are more than {MAX_SUMMARY_BYTES}")
    return problems
