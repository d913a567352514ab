"""Whether a note is what the user said: only then an agent that writes it down speaks for them.

Compared statement by statement: case, width, punctuation and marks of emphasis do not count, nor does what leads in
("please remember that ..."). Everything else does: half of "never delete the database" is another statement, and so is
a line without the one that leads in to it, what stands in quotation marks, and what is taken back in the next breath.
In doubt it was not said: the person can still confirm it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from vademecum.artifacts.lead_in_words import asks_to_keep, attributes, only_negates, retracts, takes_back
from vademecum.artifacts.lead_ins import LIST_ITEM, LeadIns, introduces, lead_ins_of
from vademecum.artifacts.said_words import Sentence, sentences_of, without_shown, words_of

__all__ = ["is_said"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """One sentence of a message with what stands around it."""

    sentence: Sentence
    lead_ins: LeadIns
    is_item: bool
    #: Which block of lines without a gap it stands in.
    block: int
    begins_line: bool
    ends_line: bool


def is_said(note: str, human_texts: Iterable[str]) -> bool:
    """Whether the note is a whole message of these, or each of its sentences a whole statement in one."""
    claimed = {sentence.words for sentence in sentences_of(note)} - {""}
    if not claimed:
        return False
    whole = words_of(note)
    said: set[str] = set()
    for text in human_texts:
        placed = list(_placed(without_shown(text)))
        if whole in _wholes(placed):
            return True
        said |= set(_statements(placed))
    return claimed <= said


def _placed(text: str) -> Iterator[_Placed]:
    lines = text.splitlines()
    block = 0
    for line, lead_ins in zip(lines, lead_ins_of(lines), strict=True):
        block += not line.strip()
        item = LIST_ITEM.match(line)
        sentences = sentences_of(line[item.end() :] if item else line)
        for at, sentence in enumerate(sentences):
            yield _Placed(
                sentence=sentence,
                lead_ins=lead_ins,
                is_item=bool(item),
                block=block,
                begins_line=at == 0,
                ends_line=at == len(sentences) - 1,
            )


def _wholes(placed: Sequence[_Placed]) -> Iterator[str]:
    """The message, and each lead-in with all that it leads in to or one line of it, as one statement."""
    if len(placed) > 1 and all(map(_may_be_joined, placed)):
        yield " ".join(one.sentence.words for one in placed)
    for introduced, group in groupby(placed, key=lambda one: one.lead_ins.introduced):
        members = list(group)
        if not introduced or any(one.lead_ins.is_beside for one in members):
            continue
        lines = [one.sentence.words for one in members]
        heads = " ".join(map(words_of, introduced))
        yield " ".join([heads, *lines])
        yield from (f"{heads} {line}" for line in lines)


def _may_be_joined(one: _Placed) -> bool:
    return one.sentence.is_statement and not (one.is_item and only_negates(one.sentence.text))


def _statements(placed: Sequence[_Placed]) -> Iterator[str]:
    in_document = False
    for at, one in enumerate(placed):
        in_document = in_document or _is_of_document(one)
        if in_document and not one.sentence.is_request:
            continue
        before = placed[at - 1] if at else None
        after = placed[at + 1] if at + 1 < len(placed) else None
        if _stands_alone(one) and not _is_lent(one, before) and not _is_taken_back(one, after):
            yield one.sentence.words


def _is_of_document(one: _Placed) -> bool:
    """Whether somebody else's prose begins here: no line says where it ends, so only a request to remember does."""
    return not one.is_item and any(introduces(line) and attributes(line) for line in one.lead_ins.introduced)


def _stands_alone(one: _Placed) -> bool:
    """Whether the sentence says by itself what it says where it stands."""
    sentence, lead_ins = one.sentence, one.lead_ins
    if not sentence.is_statement:
        return False
    if one.begins_line and not sentence.is_request and takes_back(lead_ins.runs_on_from):
        return False
    return all(asks_to_keep(line) if introduces(line) else not takes_back(line) for line in lead_ins.introduced)


def _is_lent(one: _Placed, before: _Placed | None) -> bool:
    """Whether the sentence right before it says that somebody else says so, or is the "never!" that belongs to it."""
    if before is None or before.block != one.block or one.is_item or one.sentence.is_request:
        return False
    return attributes(before.sentence.text) or _breaks_off(before.sentence)


def _breaks_off(sentence: Sentence) -> bool:
    return sentence.is_fragment and takes_back(sentence.text) and not retracts(sentence.text)


def _is_taken_back(one: _Placed, after: _Placed | None) -> bool:
    """Whether what comes next rejects it, lends it to somebody, or goes on with it."""
    if after is None:
        return False
    if retracts(after.sentence.text):
        return True
    if after.block != one.block or after.is_item:
        return False
    goes_on = one.ends_line and bool(after.lead_ins.runs_on_from)
    return attributes(after.sentence.text) or (goes_on and takes_back(after.sentence.text))
