"""A learner that has a model's place: it asks for prompts, and its answers are texts that a test wrote."""

import json

from vademecum.artifacts import (
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Bullet,
    TaskFile,
    bullet_key,
    render_bullet,
    render_task_file,
    session_source,
)
from vademecum.learners.answers import read_extraction, read_verdict

RAW = """\
---
description: {title}
outcome: success
cwd: /srv/shop
keywords: pnpm
---

### Task 1: {title}
outcome: success
{evidence}
"""


def answer(
    *evidence, recap="# The tests run again.\n", slug="fix_tests", outcome="success", title="fix the tests", **more
):
    """What a model answers to an extraction: lines of evidence without their dash."""
    raw = RAW.format(title=title, evidence="\n".join(f"- {line}" for line in evidence))
    return json.dumps({"raw_memory": raw, "rollout_summary": recap, "rollout_slug": slug, "outcome": outcome} | more)


def bullet(text, scope, *sources):
    """A line of memory with the mark that its first source gives it."""
    return render_bullet(Bullet(text=text, key=bullet_key(scope, sources[0]), sources=sources))


def source(session, turn, ordinal=1):
    return session_source(session, turn, ordinal)


def group(project, *, tasks=(), preferences=(), knowledge=()):
    """One task group of the handbook."""
    lines = [
        f"# Task Group: {project or 'everywhere'}",
        "scope: what was learned there",
        f"applies_to: cwd={project or '*'}; reuse_rule=there",
    ]
    for number, (title, session) in enumerate(tasks, 1):
        summary = session.summary
        file = TaskFile(
            path=session.path, cwd=summary.cwd, updated_at=summary.updated_at, session_id=summary.session_id
        )
        lines += ["", f"## Task {number}: {title}, success", "### rollout_summary_files", render_task_file(file)]
    for heading, bullets in (("## User preferences", preferences), ("## Reusable knowledge", knowledge)):
        if bullets:
            lines += ["", heading, *bullets]
    return "\n".join(lines) + "\n"


def summary_of(*, preferences=(), index=()):
    """A summary with these lines below two of its headings."""
    parts = ("v1", "", "## User Profile", "Works on a shop.", "", "## User preferences", *preferences, "")
    return "\n".join([*parts, "## General Tips", "", "## What's in Memory", *index]) + "\n"


class ScriptedLearner:
    """`answers`: one text per session. `write`: what a consolidation does in the draft; it returns the last answer."""

    name = "scripted"
    version = 1
    models = ("scripted",)
    setup = ""

    def __init__(self, *answers, write=None, input_tokens=60_000, files_tokens=0):
        self.answers, self.write = list(answers), write
        self.input_tokens, self.files_tokens = input_tokens, files_tokens
        self.prompts, self.drafts = [], []

    def extract(self, task):
        self.prompts.append(task.prompt)
        said = self.answers.pop(0)
        if isinstance(said, Exception):
            raise said
        return read_extraction(said)

    def consolidate(self, task, draft):
        self.prompts.append(task.prompt)
        self.drafts.append({file.name: file.read_text("utf-8") for file in draft.inputs.iterdir()})
        return read_verdict(self.write(task, draft) or '{"verdict": "wrote"}')


def writing(handbook, summary):
    """A consolidation that writes both artefacts, made of the task by two functions, or texts."""

    def write(task, draft):
        for path, made in ((HANDBOOK_PATH, handbook), (SUMMARY_PATH, summary)):
            draft.write(path, made(task) if callable(made) else made)

    return write
