"""The handbook, `MEMORY.md`: task groups by project, searched and not injected.

# Task Group: /srv/demo
scope: what was learned in /srv/demo
applies_to: cwd=/srv/demo; reuse_rule=in this directory and below it

## Task 1: fix the flaky test, success
### rollout_summary_files
- rollout_summaries/2026-11-02T10-00-00-ab12-fix.md (cwd=/srv/demo, updated_at=2026-11-02T10:04:00Z, session_id: ...)
### keywords
- pytest, flaky

## User preferences
## Reusable knowledge
## Failures and how to do differently
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts.bullets import Bullet, parse_bullet, render_bullet
from vademecum.artifacts.raw_memory import Outcome
from vademecum.artifacts.sections import Section, parse_sections
from vademecum.artifacts.times import format_time

__all__ = [
    "EVERYWHERE",
    "FAILURES_HEADING",
    "HANDBOOK_PATH",
    "KNOWLEDGE_HEADING",
    "MAX_HANDBOOK_BYTES",
    "PREFERENCES_HEADING",
    "HandbookGroup",
    "HandbookTask",
    "TaskFile",
    "TaskGroup",
    "check_handbook",
    "group_project",
    "parse_handbook",
    "render_handbook",
    "render_task_file",
]

HANDBOOK_PATH = "MEMORY.md"
#: The name of the group whose rules hold in every project.
EVERYWHERE = "everywhere"
#: A landing takes 256 KB: this leaves room for what a person adds.
MAX_HANDBOOK_BYTES = 200_000
#: How many tasks a group may show; the next step is taken where the file is too large.
_STEPS = (10_000, 700, 400, 200, 100, 50, 20, 10, 5, 2)
_BULLETS_PER_TASK = 10
_GROUP = "# Task Group: "
PREFERENCES_HEADING = "## User preferences"
KNOWLEDGE_HEADING = "## Reusable knowledge"
FAILURES_HEADING = "## Failures and how to do differently"


class TaskFile(msgspec.Struct, frozen=True, kw_only=True):
    """The rollout summary that a task rests on."""

    path: str
    cwd: str
    updated_at: datetime
    session_id: str


class HandbookTask(msgspec.Struct, frozen=True, kw_only=True):
    """One task that was done, with where its story stands."""

    title: str
    outcome: Outcome
    files: tuple[TaskFile, ...]
    keywords: tuple[str, ...]


class TaskGroup(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned in one project, or (project empty) what holds everywhere."""

    project: str
    tasks: tuple[HandbookTask, ...] = ()
    preferences: tuple[Bullet, ...] = ()
    knowledge: tuple[Bullet, ...] = ()
    failures: tuple[Bullet, ...] = ()


class HandbookGroup(msgspec.Struct, frozen=True, kw_only=True):
    """One task group as it stands in the file, whoever wrote in it."""

    #: The project; empty: everywhere.
    project: str
    #: In file order; every path begins with the heading of the group.
    sections: tuple[Section, ...]

    @property
    def bullets(self) -> list[Bullet]:
        """All bullets of the group in file order; those of a person and the lines below a task have no key."""
        return [bullet for section in self.sections for bullet in _bullets(section)]

    @property
    def preferences(self) -> list[Bullet]:
        """The bullets under its user preferences, in file order."""
        return [b for section in self.sections if section.path[1:] == (PREFERENCES_HEADING,) for b in _bullets(section)]


def _bullets(section: Section) -> list[Bullet]:
    return [bullet for bullet in map(parse_bullet, section.lines) if bullet]


def render_handbook(groups: list[TaskGroup]) -> str:
    """The file, below 200,000 bytes; empty where there is nothing to say.

    The last tasks of every group give way first, then the last bullets, then whole groups, the last first.
    """
    kept = list(groups)
    text = ""
    for most in _STEPS:
        text = _render_all(kept, most)
        if len(text.encode()) < MAX_HANDBOOK_BYTES:
            return text
    while kept and len(text.encode()) >= MAX_HANDBOOK_BYTES:
        kept.pop()
        text = _render_all(kept, _STEPS[-1])
    return text


def _render_all(groups: list[TaskGroup], most: int) -> str:
    bullets = most * _BULLETS_PER_TASK
    return "\n".join(
        _render_group(
            msgspec.structs.replace(
                group,
                tasks=group.tasks[:most],
                preferences=group.preferences[:bullets],
                knowledge=group.knowledge[:bullets],
                failures=group.failures[:bullets],
            )
        )
        for group in groups
    )


def _render_group(group: TaskGroup) -> str:
    name = group.project or EVERYWHERE
    reuse = "in this directory and below it" if group.project else "in every project"
    lines = [
        f"{_GROUP}{name}",
        f"scope: what was learned {'in ' + name if group.project else 'for every project'}",
        f"applies_to: cwd={group.project or '*'}; reuse_rule={reuse}",
    ]
    for number, task in enumerate(group.tasks, 1):
        lines += ["", f"## Task {number}: {task.title}, {task.outcome}", "### rollout_summary_files"]
        lines += map(render_task_file, task.files)
        if task.keywords:
            lines += ["### keywords", f"- {', '.join(task.keywords)}"]
    bodies = (
        (PREFERENCES_HEADING, group.preferences),
        (KNOWLEDGE_HEADING, group.knowledge),
        (FAILURES_HEADING, group.failures),
    )
    for heading, bullets in bodies:
        if bullets:
            lines += ["", heading, *map(render_bullet, bullets)]
    return "\n".join(lines) + "\n"


def render_task_file(file: TaskFile) -> str:
    """The line by which a task points to its rollout summary."""
    # `session_id=` is how a cookie of a login is written: the secret scanner would rightly mask what follows it.
    return f"- {file.path} (cwd={file.cwd}, updated_at={format_time(file.updated_at)}, session_id: {file.session_id})"


def group_project(headings: Sequence[str]) -> str | None:
    """The project of the task group that a section with these headings stands in; empty: everywhere, None: no group."""
    if not headings or not headings[0].startswith(_GROUP):
        return None
    name = headings[0].removeprefix(_GROUP).strip()
    return "" if name == EVERYWHERE else name


def parse_handbook(text: str) -> list[HandbookGroup]:
    """The task groups in file order; what stands in no group, such as a chapter of a person's own, is left out."""
    groups: list[tuple[str, list[Section]]] = []
    for section in parse_sections(text):
        project = group_project(section.path)
        if project is None:
            continue
        if len(section.path) == 1:
            groups.append((project, []))
        groups[-1][1].append(section)
    return [HandbookGroup(project=project, sections=tuple(sections)) for project, sections in groups]


def check_handbook(text: str, *, known_paths: frozenset[str]) -> list[str]:
    """What breaks the grammar, one sentence each; empty where all is well.

    `known_paths` are the memory paths that exist in the same tree: a task may only point to one of them.
    """
    problems: list[str] = []
    for section in parse_sections(text):
        if not section.path and any(map(str.strip, section.lines)):
            problems.append("MEMORY.md: there is text above the first task group")
        if section.path and group_project(section.path) is None:
            problems.append(f"MEMORY.md: {section.path[0]!r} is no task group")
        if section.title == "rollout_summary_files":
            problems += [
                f"MEMORY.md: {path} does not exist"
                for path in (line[2:].split(" ", 1)[0] for line in section.lines if line.startswith("- "))
                if path not in known_paths
            ]
    return problems
