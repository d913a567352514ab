"""The summary, `memory_summary.md`: small, injected into every session.

First line `v1`, then four headings. Bullets of one project stand under `### <project>`, those that hold everywhere
directly under the heading. A section that did not fit ends with a line that says where the rest is.
"""

import re
from collections.abc import Sequence

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts.bullets import Bullet, render_bullet
from vademecum.artifacts.sections import parse_sections

__all__ = [
    "HEADINGS",
    "INDEX",
    "MAX_SUMMARY_BYTES",
    "PREFERENCES",
    "SUMMARY_PATH",
    "IndexTopic",
    "ProjectPart",
    "SummaryDocument",
    "SummaryParts",
    "SummarySection",
    "check_summary",
    "more_mark",
    "parse_summary",
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
_OLDER = "Older Memory Topics"
#: The root of a project as it stands behind `###`; other names are headings of a person's own.
_PROJECT = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_MORE = re.compile(r"\(([0-9]{1,6}) more in MEMORY\.md\)")
_HIDDEN = re.compile(r"- ([0-9]{1,6}) more projects? stands? in MEMORY\.md")


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


class SummarySection(msgspec.Struct, frozen=True, kw_only=True):
    """What stands under one heading on one project, or everywhere, whoever wrote it."""

    #: The heading as it stands in the file, such as `## User preferences`; empty before the first one.
    heading: str
    #: What stands behind `###`: a project, or a heading of a person's own; empty directly under the heading.
    name: str = ""
    #: Bullets with their marks, text and deeper headings (`#### <day>`); neither blank lines nor the mark of `more`.
    lines: tuple[str, ...] = ()
    #: How many found no room here and stand in the handbook.
    more: int = 0

    @property
    def is_project(self) -> bool:
        """Whether the name is the root of a project."""
        return _PROJECT.match(self.name) is not None

    @property
    def topics(self) -> int:
        """How many topics the index holds or counts here."""
        return sum(line.startswith("- ") for line in self.lines) + self.more

    @property
    def newest_day(self) -> str:
        """The first day of the index, `2026-11-02`; empty where there is none."""
        return next((line.removeprefix("#### ") for line in self.lines if line.startswith("#### ")), "")


class SummaryDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The summary, taken apart."""

    #: Whether the first line is `v1`; without it everything is text.
    is_versioned: bool
    #: Those that hold something, in file order; what stands twice under the same heading and name is one.
    sections: tuple[SummarySection, ...]
    #: How many projects found no room and stand in the handbook only.
    hidden_projects: int


def more_mark(count: int) -> str:
    """The line that says how many more stand in the handbook."""
    return f"({count} more in MEMORY.md)"


def render_summary(parts: SummaryParts) -> str:
    """The file, below 9,000 bytes: index topics give way first, then tips, then preferences, the last of each first."""
    limits = _Limits(preferences=1_000, tips=200, topics=200)
    while True:
        text = _render(parts, limits)
        if len(text.encode()) < TARGET_BYTES:
            return text
        if not limits.tighten(parts):
            return _render(SummaryParts(profile=parts.profile[:0], parts=()), limits)


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
        stand = "stands" if len(hidden) == 1 else "stand"
        lines += [f"### {_OLDER}", f"- {plural(len(hidden), 'more project')} {stand} in MEMORY.md", ""]
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
            lines.append(more_mark(len(bullets) - limit))
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
        lines.append(more_mark(len(part.topics) - limit))
    return [*lines, ""]


def parse_summary(text: str) -> SummaryDocument:
    """Take the summary apart. Nothing is an error: a person may write in it as they like."""
    first, _, rest = text.partition("\n")
    is_versioned = first.strip() == "v1"
    found: dict[tuple[str, str], list[str]] = {}
    for section in parse_sections(rest if is_versioned else text):
        heading, name, deeper = _place(section.path)
        lines = found.setdefault((heading, name), [])
        lines += [*deeper, *(line.rstrip() for line in section.lines if line.strip())]
    older = found.get((INDEX, _OLDER), [])
    return SummaryDocument(
        is_versioned=is_versioned,
        sections=tuple(_section(heading, name, lines) for (heading, name), lines in found.items() if lines),
        hidden_projects=_counted(_HIDDEN, older),
    )


def _place(path: Sequence[str]) -> tuple[str, str, Sequence[str]]:
    """The heading (`##`, also below a title that a person put above), the name (`###`), what is deeper than both."""
    above = [line for line in path if line.startswith(("# ", "## "))]
    below = path[len(above) :]
    named = below[:1] if below and below[0].startswith("### ") else ()
    name = named[0].removeprefix("### ").strip() if named else ""
    return above[-1] if above else "", name, below[len(named) :][-1:]


def _section(heading: str, name: str, lines: list[str]) -> SummarySection:
    kept = tuple(line for line in lines if _MORE.fullmatch(line) is None)
    return SummarySection(heading=heading, name=name, lines=kept, more=_counted(_MORE, lines))


def _counted(mark: re.Pattern[str], lines: Sequence[str]) -> int:
    return sum(int(found[1]) for found in map(mark.fullmatch, lines) if found)


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
