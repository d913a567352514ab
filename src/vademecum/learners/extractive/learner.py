"""The built-in learner: deterministic, quotes evidence, needs no key, no model and no network."""

from vademecum.artifacts import render_raw_memory, slugify
from vademecum.learners.extractive.consolidate import consolidate
from vademecum.learners.extractive.extract import extract
from vademecum.learners.extractive.recap import render_recap
from vademecum.learners.protocol import Consolidated, ConsolidationTask, Extraction, ExtractionTask, Verdict
from vademecum.memfs import Draft
from vademecum.secrets import mask

__all__ = ["ExtractiveLearner"]


class ExtractiveLearner:
    """Reads preferences from human words and knowledge from tools."""

    name = "extractive"
    version = 1
    input_tokens = 0
    files_tokens = 0
    models: tuple[str, ...] = ()
    setup = ""

    def extract(self, task: ExtractionTask) -> Extraction:
        """What the session teaches; all empty where it teaches nothing durable."""
        memory = extract(task.session)
        if memory is None:
            return Extraction()
        return Extraction(
            raw_memory=render_raw_memory(memory),
            rollout_summary=render_recap(memory, task),
            rollout_slug=slugify(memory.tasks[0].title if memory.tasks else memory.description),
            outcome=memory.outcome,
        )

    def consolidate(self, task: ConsolidationTask, draft: Draft) -> Consolidated:
        """Write handbook and summary into the draft; the same input gives the same bytes."""
        artefacts = consolidate(task)
        for path, text in artefacts.texts.items():
            draft.write(path, mask(text))
        return Consolidated(verdict=Verdict.WROTE, came_back=tuple(map(mask, artefacts.came_back)))
