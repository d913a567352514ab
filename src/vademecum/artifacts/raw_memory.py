"""Raw memory: what one session taught, in a strict form that consolidation reads and a record is rebuilt from.

---
description: ...
outcome: success
cwd: /srv/demo
keywords: pnpm, vitest
---

### Task 1: fix the flaky test
outcome: success
- [t4] rule/project 2026-11-02T10:00:00Z: use pnpm here, never npm
"""

import re
from enum import StrEnum

import msgspec

from vademecum.artifacts.bullets import session_source
from vademecum.artifacts.evidence import Evidence, parse_evidence, render_evidence
from vademecum.artifacts.plain import plain_line

__all__ = ["Outcome", "RawMemory", "TaskMemory", "evidence_by_source", "parse_raw_memory", "render_raw_memory"]


class Outcome(StrEnum):
    """How a task ended, as far as the session shows."""

    SUCCESS = "success"  #: done or right, by the user's words or by a check that ran
    PARTIAL = "partial"  #: real progress, not complete or not verified
    FAIL = "fail"  #: not done, wrong, or the user is unhappy
    UNCERTAIN = "uncertain"  #: no clear sign


class TaskMemory(msgspec.Struct, frozen=True, kw_only=True):
    """One distinct task of a session."""

    #: Near-verbatim request, one line.
    title: str
    outcome: Outcome
    evidence: tuple[Evidence, ...]


class RawMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one session taught."""

    #: One dense line.
    description: str
    outcome: Outcome
    #: The directory that the session worked in; empty where none is known.
    cwd: str
    keywords: tuple[str, ...]
    tasks: tuple[TaskMemory, ...]


_TASK = re.compile(r"^### Task \d+: (.+)$")


def _one_line(text: str) -> str:
    return plain_line(text)


def render_raw_memory(memory: RawMemory) -> str:
    """The text, ending with a newline."""
    lines = [
        "---",
        f"description: {_one_line(memory.description)}",
        f"outcome: {memory.outcome}",
        f"cwd: {_one_line(memory.cwd)}".rstrip(),
        f"keywords: {', '.join(map(_one_line, memory.keywords))}".rstrip(),
        "---",
    ]
    for number, task in enumerate(memory.tasks, 1):
        lines += ["", f"### Task {number}: {_one_line(task.title)}", f"outcome: {task.outcome}"]
        lines += map(render_evidence, task.evidence)
    return "\n".join(lines) + "\n"


def parse_raw_memory(text: str) -> RawMemory:
    """The memory in this text. Tolerant: unknown header keys and lines that are no evidence are passed over."""
    header, body = _split_header(text)
    return RawMemory(
        description=header.get("description", ""),
        outcome=_outcome(header.get("outcome", "")),
        cwd=header.get("cwd", ""),
        keywords=tuple(word for word in map(str.strip, header.get("keywords", "").split(",")) if word),
        tasks=tuple(_parse_tasks(body)),
    )


def evidence_by_source(session_id: str, raw_memory: str) -> dict[str, Evidence]:
    """What a session said, by the names that bullets give to their sources, in the order of the text."""
    return {
        session_source(session_id, item.turn, item.ordinal): item
        for task in parse_raw_memory(raw_memory).tasks
        for item in task.evidence
    }


def _split_header(text: str) -> tuple[dict[str, str], list[str]]:
    lines = text.splitlines()
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        return {}, lines
    end = lines.index("---", 1)
    pairs = (line.partition(":") for line in lines[1:end])
    return {key.strip(): value.strip() for key, _, value in pairs}, lines[end + 1 :]


def _outcome(text: str) -> Outcome:
    return next((outcome for outcome in Outcome if outcome.value == text), Outcome.UNCERTAIN)


def _parse_tasks(lines: list[str]) -> list[TaskMemory]:
    tasks: list[TaskMemory] = []
    for line in lines:
        if match := _TASK.match(line):
            tasks.append(TaskMemory(title=match[1].strip(), outcome=Outcome.UNCERTAIN, evidence=()))
        elif tasks and line.startswith("outcome:"):
            tasks[-1] = msgspec.structs.replace(tasks[-1], outcome=_outcome(line.partition(":")[2].strip()))
        elif tasks and (evidence := parse_evidence(line)):
            tasks[-1] = msgspec.structs.replace(tasks[-1], evidence=(*tasks[-1].evidence, evidence))
    return tasks
