"""Before a model consolidates: a batch that fits its window, a draft that shows which lines are a person's, a prompt.

A learner that renders everything anew never sees the person's lines: they are put back behind its work. A model edits
what lies there. So the draft is given to it as it will land, with the person's lines between their marks; they are
taken out of what it wrote before they are put back.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from vademecum.artifacts import (
    HANDBOOK_PATH,
    RENDERED,
    HandEdits,
    apply_hand_edits,
    hand_edits,
    without_lines_of,
    without_yours,
)
from vademecum.errors import VademecumError
from vademecum.learners import ConsolidationTask, LearnedSession, Learner, tokens_of
from vademecum.learners.answers import repair_request
from vademecum.learning.inputs import inputs_of, session_text
from vademecum.learning.last_word import put_back
from vademecum.learning.partial_view import PartialView
from vademecum.learning.prompting import consolidation_prompt
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.learning.sources import text_of
from vademecum.learning.stage import Stage
from vademecum.memfs import Draft, Frozen, Tree
from vademecum.private import replace_private_file
from vademecum.secrets import mask
from vademecum.state import Record, RecordState

__all__ = ["Briefing", "batch_of", "brief", "view_of"]

#: What new sessions may take of a model's window: the rest is for instructions, notes, changes and its own work.
_BATCH_SHARE = 0.4


class Briefing(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is given."""

    task: ConsolidationTask
    #: The draft as it was handed over, with the parts of the handbook that it did not show.
    given: Frozen
    view: PartialView

    def repair(self, error: VademecumError) -> ConsolidationTask:
        """The same once more, for a model whose work was refused: it lies in the draft as it left it."""
        prompt = self.task.prompt
        if prompt is None:
            return self.task
        more = f"{prompt.data}\nYou did so, and the files lie as you left them. {repair_request(error)}\n"
        return msgspec.structs.replace(self.task, prompt=msgspec.structs.replace(prompt, data=more))

    def whole(self, written: Frozen) -> Frozen:
        """What the model wrote, with the parts of the handbook that it was not shown. Raises LandingRefused."""
        if not self.view.hidden:
            return written
        text = self.view.joined(text_of(written, HANDBOOK_PATH))
        edits = {path: data for path, data in written.edits.items() if path != HANDBOOK_PATH}
        if text != text_of(written.base, HANDBOOK_PATH):
            edits[HANDBOOK_PATH] = text.encode()
        return msgspec.structs.replace(written, edits=dict(sorted(edits.items())))

    def own_words(self, written: Frozen) -> dict[str, str]:
        """Path -> both artefacts without the person's lines that the draft showed."""
        return {path: without_yours(text_of(written, path), text_of(self.given, path)) for path in RENDERED}


def batch_of(changed: Sequence[Record], tokens: int) -> list[Record]:
    """The records that one run takes in, oldest first: all that fit its window, and at least one.

    What is not in it stays input for the next run: were it marked as seen, what it teaches would be lost.
    """
    waiting = [record for record in changed if record.state is RecordState.ACTIVE]
    batch = [record for record in changed if record.state is not RecordState.ACTIVE]  # to forget takes no room
    left = tokens * _BATCH_SHARE
    for count, record in enumerate(sorted(waiting, key=lambda record: (record.updated_at, record.session_id))):
        left -= tokens_of(session_text(LearnedSession(path=rollout_path(record.stem), summary=summary_of(record))))
        if left < 0 and count:
            break
        batch.append(record)
    return batch


def brief(
    stage: Stage, draft: Draft, task: ConsolidationTask, view: PartialView, learner: Learner, *, new: Iterable[str]
) -> Briefing:
    """Prepare the draft and write the prompt.

    `new`: ids of the sessions that this run takes in. Raises InputTooLarge where the learner cannot be shown what they
    concern.
    """
    tree = draft.base
    for path, text in view.texts.items():
        draft.write(path, text)
    told = view.of_what_is_shown(task)
    inputs = inputs_of(told, tree, stage.repository.baseline())
    for name, text in inputs.files().items():
        replace_private_file(draft.inputs / name, text.encode())
    given = draft.freeze()
    texts = {path: text_of(given, path) for path in RENDERED}
    if view.hidden or learner.files_tokens:
        texts[HANDBOOK_PATH] = view.shown(learner.name)
        if view.hidden:
            draft.write(HANDBOOK_PATH, texts[HANDBOOK_PATH])
    prompt = consolidation_prompt(told, inputs, texts, learner.input_tokens, new=frozenset(new), hidden=view.hidden)
    return Briefing(task=msgspec.structs.replace(task, prompt=prompt), given=given, view=view)


def view_of(stage: Stage, tree: Tree, ancestor: Mapping[str, str], room_tokens: int) -> PartialView:
    """What of both artefacts can be shown to a learner with so much room for them; 0: all."""
    resting = {rollout_path(head.stem) for head in stage.state.records.heads(RecordState.RETIRED)}
    return PartialView(_shown(stage, tree, ancestor), room_tokens, lambda path: tree.has(path) and path not in resting)


def _shown(stage: Stage, tree: Tree, ancestor: Mapping[str, str]) -> dict[str, str]:
    """Both artefacts as far as they are there, with a person's lines between their marks."""
    there = {path: text_of(tree, path) for path in RENDERED if tree.has(path)}
    generated = {path: without_lines_of(_added(ancestor[path], text), text) for path, text in there.items()}
    shown = put_back({path: generated.get(path, "") for path in RENDERED}, tree, ancestor, stage.state)
    return {path: mask(shown[path]) for path in there}


def _added(ancestor: str, text: str) -> str:
    """A person's lines alone, between their marks."""
    edits = HandEdits(reworded={}, deleted={}, added=hand_edits(ancestor, text).added)
    return apply_hand_edits("", edits, buried=frozenset())
