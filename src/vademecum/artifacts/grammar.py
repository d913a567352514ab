"""The whole form of both artefacts, asked of a writer who may get it wrong: a model.

`check_handbook` and `check_summary` ask what every reader of ours relies on. What is asked here as well keeps words of
a model out of places where nothing says what they rest on. One fault is one sentence that a model can act on.
"""

import re
from collections import Counter
from collections.abc import Iterator

from vademecum.artifacts.bullets import parse_bullet
from vademecum.artifacts.handbook import (
    FAILURES_HEADING,
    HANDBOOK_PATH,
    KNOWLEDGE_HEADING,
    PREFERENCES_HEADING,
    group_project,
)
from vademecum.artifacts.raw_memory import Outcome
from vademecum.artifacts.sections import Section, parse_sections
from vademecum.artifacts.summary import INDEX, PREFERENCES, PROFILE, SUMMARY_PATH, TIPS, parse_summary

__all__ = ["MAX_PROFILE_CHARACTERS", "check_form_of_handbook", "check_form_of_summary"]

#: The profile is the one place without sources: it stays short.
MAX_PROFILE_CHARACTERS = 1_000
_STATEMENTS = frozenset({PREFERENCES_HEADING, KNOWLEDGE_HEADING, FAILURES_HEADING})
_TASK = re.compile(rf"## Task \d+: \S.*, (?:{'|'.join(Outcome)})")
_FILES, _KEYWORDS = "### rollout_summary_files", "### keywords"
_FILE = re.compile(r"- rollout_summaries/\S+\.md \(cwd=.*, updated_at=\S+, session_id: \S.*\)")
_TOPIC = re.compile(r"- \S.*: rollout_summaries/\S+\.md|- \d+ more projects? stands? in MEMORY\.md")
_SHOWN_CHARACTERS = 80


def check_form_of_handbook(text: str, *, former: str) -> Iterator[str]:
    """Where the handbook leaves its form. Headings that stood in the `former` text are the person's to judge."""
    known = {line.rstrip() for line in former.split("\n") if line.startswith("#")}
    sections = parse_sections(text)
    for section in sections:
        for problem in _misplaced(section, known):
            yield f"{HANDBOOK_PATH}: {problem}"
    groups = Counter(section.path[0] for section in sections if len(section.path) == 1)
    yield from (f"{HANDBOOK_PATH}: {group!r} stands {count} times" for group, count in groups.items() if count > 1)
    tasks = {section.path for section in sections if len(section.path) == 2 and _TASK.fullmatch(section.path[1])}
    pointing = {section.path[:2] for section in sections if section.path[2:] == (_FILES,) and any(section.lines)}
    for path in sorted(tasks - pointing):
        yield f"{HANDBOOK_PATH}: {path[1]!r} names no file under {_FILES!r}"


def _misplaced(section: Section, known: set[str]) -> Iterator[str]:
    if group_project(section.path) is None or section.path[-1] in known - _STATEMENTS - {_FILES, _KEYWORDS}:
        return
    lines = [line for line in section.lines if line.strip()]
    group, *below = section.path
    match below:
        case []:
            names = [line.partition(":")[0] for line in lines]
            if names != ["scope", "applies_to"]:
                yield f"directly below {group!r} belong two lines, `scope: ...` and `applies_to: ...`, and nothing else"
        case [heading] if heading in _STATEMENTS:
            yield from (f"{_shown(line)} below {heading!r} is no bullet" for line in lines if not parse_bullet(line))
        case [task] if _TASK.fullmatch(task):
            yield from (f"{_shown(line)} stands directly below {task!r}" for line in lines)
        case [task, heading] if _TASK.fullmatch(task) and heading == _FILES:
            yield from (
                f"{_shown(line)} below {_FILES!r} is no file line" for line in lines if not _FILE.fullmatch(line)
            )
        case [task, heading] if _TASK.fullmatch(task) and heading == _KEYWORDS:
            yield from (f"{_shown(line)} below {_KEYWORDS!r} is no bullet" for line in lines if not parse_bullet(line))
        case _:
            yield f"the heading {below[-1]!r} has no place there"


def check_form_of_summary(text: str) -> Iterator[str]:
    """Where the summary leaves its form."""
    for section in parse_summary(text).sections:
        where = f"{SUMMARY_PATH}: "
        if section.heading == PROFILE:
            size = sum(map(len, section.lines))
            if size > MAX_PROFILE_CHARACTERS:
                yield f"{where}{size} characters below {PROFILE!r} are more than {MAX_PROFILE_CHARACTERS}"
        elif section.heading in {PREFERENCES, TIPS}:
            for line in section.lines:
                if parse_bullet(line) is None:
                    yield f"{where}{_shown(line)} below {section.heading!r} is no bullet"
        elif section.heading == INDEX:
            for line in section.lines:
                if not line.startswith("#### ") and _TOPIC.fullmatch(line) is None:
                    yield f"{where}{_shown(line)} below {INDEX!r} does not end with the path of a rollout summary"
        else:
            yield f"{where}{section.heading or section.lines[0]!r} has no place there"


def _shown(line: str) -> str:
    return repr(line[:_SHOWN_CHARACTERS])
