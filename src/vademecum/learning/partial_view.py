"""What of a handbook is shown to a learner that can read only so much at once, and what waits for its next run.

Of a learner that cannot open files, both artefacts take room beside the prompt. Where they take more than there is, it
is given the task groups that the new records concern, and the engine puts the others back behind its work.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import (
    EVERYWHERE,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    HandbookPart,
    handbook_parts,
    with_hidden_parts,
    without_parts,
)
from vademecum.errors import InputTooLarge, LandingRefused
from vademecum.learners import ConsolidationTask, tokens_of
from vademecum.state import Record, RecordState

__all__ = ["PartialView"]

_FILE = re.compile(r"rollout_summaries/[^\s()<>]+\.md")


class PartialView:
    """The part of both artefacts that one run works on.

    Parameters
    ----------
    texts: path -> both artefacts, as a learner would be shown them.
    room_tokens: how much of them it can be shown; 0: all.
    exists: whether a rollout summary is there and in memory; a group that points to another one has to be mended.
    """

    def __init__(self, texts: Mapping[str, str], room_tokens: int, exists: Callable[[str], bool]) -> None:
        self.texts = texts
        self.whole = texts.get(HANDBOOK_PATH, "")
        self._room = room_tokens - tokens_of(texts.get(SUMMARY_PATH, ""))
        self._is_whole = not room_tokens or tokens_of(self.whole) <= self._room
        self._parts = [] if self._is_whole else handbook_parts(self.whole)
        self._always = {part.heading for part in self._parts if _is_for_all(part) or not _is_sound(part, exists)}
        #: The projects whose groups stay out.
        self.hidden: tuple[str, ...] = ()

    def batch_of(self, changed: Sequence[Record]) -> list[Record]:
        """The records that can be taken in together, of those that wait; `hidden` is what the others concern.

        What is to be forgotten comes in any case. Of the rest as many as fit, in their order, and at least one.
        """
        if self._is_whole:
            return list(changed)
        batch = [record for record in changed if record.state is not RecordState.ACTIVE]
        shown = self._always.union(*map(self._concerned, batch))
        active = [record for record in changed if record.state is RecordState.ACTIVE]
        for record in active:
            if self._cost(more := shown | self._concerned(record)) <= self._room:
                batch.append(record)
                shown = more
        if not batch and active:
            batch = [min(active, key=lambda record: self._cost(self._concerned(record)))]
            shown |= self._concerned(batch[0])
        self.hidden = tuple(part.project for part in self._parts if part.project and part.heading not in shown)
        return batch

    def of_what_is_shown(self, task: ConsolidationTask) -> ConsolidationTask:
        """The task without the sessions of hidden groups: nothing is to be written of them."""
        sessions = (s for s in task.sessions if (s.summary.project or s.summary.cwd) not in self.hidden)
        return msgspec.structs.replace(task, sessions=tuple(sessions))

    def shown(self, learner: str) -> str:
        """The handbook without what is hidden. Raises InputTooLarge where even that is too much for the learner."""
        if self._is_whole:
            return self.whole
        text = without_parts(self.whole, self.hidden)
        if (taken := tokens_of(text)) > self._room:
            shown = [part.project for part in self._parts if part.project and part.project not in self.hidden]
            raise InputTooLarge(
                f"{learner} can be shown {max(self._room, 0):,} tokens of {HANDBOOK_PATH} beside {SUMMARY_PATH}, and "
                f"what it has to see together takes {taken:,}: {', '.join([EVERYWHERE, *shown])}",
                next_step="Let a learner that opens files itself do it (docs/security.md says which): `vade config set "
                f"memories.learner NAME`, then `vade learn`. Or shorten these parts of {HANDBOOK_PATH} by hand.",
            )
        return text

    def joined(self, written: str) -> str:
        """The work of the learner with what it was not shown. Raises LandingRefused where it wrote some of that."""
        if not self.hidden:
            return written
        doubled = [part.project for part in handbook_parts(written) if part.project in self.hidden]
        if doubled:
            raise LandingRefused(
                f"{HANDBOOK_PATH}: {', '.join(filter(None, doubled))} was not shown and stays as it is: take your "
                f"{plural(len(doubled), 'group')} of this name out",
                paths=(HANDBOOK_PATH,),
            )
        return with_hidden_parts(written, self.whole, self.hidden)

    def _concerned(self, record: Record) -> frozenset[str]:
        """The headings of the parts that a record may change: its project's, and those that rest on its session."""
        project = record.project or record.cwd
        return frozenset(
            part.heading for part in self._parts if part.project == project or record.session_id in part.text
        )

    def _cost(self, headings: Iterable[str]) -> int:
        wanted = set(headings)
        return tokens_of("".join(part.text for part in self._parts if part.heading in wanted))


def _is_for_all(part: HandbookPart) -> bool:
    return not part.project


def _is_sound(part: HandbookPart, exists: Callable[[str], bool]) -> bool:
    return all(map(exists, _FILE.findall(part.text)))
