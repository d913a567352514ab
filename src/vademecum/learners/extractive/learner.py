"""The built-in learner: deterministic, quotes evidence, needs no key, no model and no network."""

import msgspec

from vademecum.artifacts import render_raw_memory, slugify
from vademecum.home import project_root
from vademecum.learners.extractive.consolidate import consolidate
from vademecum.learners.extractive.extract import extract
from vademecum.learners.extractive.recap import render_recap
from vademecum.learners.protocol import ConsolidationTask, Extraction, Verdict
from vademecum.memfs import Draft
from vademecum.secrets import mask
from vademecum.sessions import Session

__all__ = ["ExtractiveLearner"]


class ExtractiveLearner:
    """Reads preferences from human words and knowledge from tools."""

    name = "extractive"

    def extract(self, session: Session) -> Extraction:
        """What the session teaches; all empty where it teaches nothing durable."""
        found = extract(session)
        if found is None:
            return Extraction()
        memory = msgspec.structs.replace(found, cwd=project_root(session.cwd))
        return Extraction(
            raw_memory=render_raw_memory(memory),
            rollout_summary=render_recap(memory, session),
            rollout_slug=slugify(memory.tasks[0].title if memory.tasks else memory.description),
            outcome=memory.outcome,
        )

    def consolidate(self, task: ConsolidationTask, draft: Draft) -> Verdict:
        """Write handbook and summary into the draft; the same input gives the same bytes."""
        for path, text in consolidate(task).items():
            draft.write(path, mask(text))
        return Verdict.WROTE
