"""Evidence must stand in the turn that it names: a preference that the user did not say is dropped."""

import re
from collections.abc import Iterable

import msgspec

from vademecum.artifacts import PREFERENCE_KINDS, Evidence, parse_evidence
from vademecum.learners import Extraction
from vademecum.sessions import Role, Session, ToolCall

__all__ = ["evidence_count", "holds_words", "keep_proven"]

_QUOTED = re.compile(r'"([^"]+)"')
_CODE = re.compile(r"`([^`]+)`")


def keep_proven(extraction: Extraction, session: Session, *, is_of_model: bool = False) -> tuple[Extraction, int]:
    """The extraction without preferences that no human turn holds, and how many were dropped.

    Compared without regard to white space and quotation marks: a quote may be cleaned, not invented. What is dropped
    from the raw memory is not quoted in the recap either. Of a model, knowledge is dropped too where it names no turn
    of the session, or quotes code that the session never showed.
    """
    said = {m.index: _plain(m.text) for m in session.messages if m.role is Role.HUMAN}
    shown = _Shown(session) if is_of_model else None
    kept: list[str] = []
    dropped: list[Evidence] = []
    for line in extraction.raw_memory.split("\n"):
        evidence = parse_evidence(line)
        if evidence and not _is_proven(evidence, said, shown):
            dropped.append(evidence)
        else:
            kept.append(line)
    if not dropped:
        return extraction, 0
    recap = _without_quotes(extraction.rollout_summary, dropped)
    return msgspec.structs.replace(extraction, raw_memory="\n".join(kept), rollout_summary=recap), len(dropped)


def evidence_count(extraction: Extraction) -> int:
    """How many lines of evidence it holds."""
    return sum(parse_evidence(line) is not None for line in extraction.raw_memory.split("\n"))


class _Shown:
    """What stood in a session, whoever wrote it."""

    def __init__(self, session: Session) -> None:
        self.turns = frozenset(message.index for message in session.messages)
        texts = (
            text
            for message in session.messages
            for text in (message.text, *(part for call in message.tool_calls for part in _parts_of(call)))
        )
        # Words of two texts must not read as one.
        self._text = "\n".join(map(_plain, texts))

    def holds(self, evidence: Evidence) -> bool:
        """Whether it names a turn, and all code in it was there to be seen."""
        return evidence.turn in self.turns and all(_plain(code) in self._text for code in _CODE.findall(evidence.text))


def _parts_of(call: ToolCall) -> tuple[str, ...]:
    return (call.input, call.command, call.output, *call.edited)


def _is_proven(evidence: Evidence, said: dict[int, str], shown: _Shown | None) -> bool:
    if evidence.kind in PREFERENCE_KINDS:
        return _was_said(evidence, said)
    return shown is None or shown.holds(evidence)


def holds_words(text: str, words: str) -> bool:
    """Whether a text holds these words, without regard to white space and quotation marks."""
    sought = _plain(words)
    return bool(sought) and sought in _plain(text)


def _was_said(evidence: Evidence, said: dict[int, str]) -> bool:
    words = _plain(evidence.text)
    return bool(words) and words in said.get(evidence.turn, "")


def _without_quotes(recap: str, dropped: Iterable[Evidence]) -> str:
    """The recap without the lines that quote what was dropped, nor a label that has nothing below it any more."""
    blocks: list[str] = []
    for block in recap.rstrip("\n").split("\n\n"):
        lines = block.split("\n")
        kept = [line for line in lines if not any(_quotes(line, evidence) for evidence in dropped)]
        if kept == lines or any(not line.endswith(":") for line in kept):
            blocks.append("\n".join(kept))
    return "\n\n".join(blocks) + "\n"


def _quotes(line: str, evidence: Evidence) -> bool:
    words = _plain(evidence.text)
    if not words or line.startswith("#"):
        return False
    names_turn = re.search(rf"\[t{evidence.turn}\b", line) is not None
    return (names_turn and words in _plain(line)) or words in map(_plain, _QUOTED.findall(line))


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
