"""Evidence must stand in the turn that it names: a preference that the user did not say is dropped."""

import re
from collections.abc import Iterable

import msgspec

from vademecum.artifacts import PREFERENCE_KINDS, Evidence, parse_evidence
from vademecum.learners import Extraction
from vademecum.sessions import Role, Session

__all__ = ["holds_words", "keep_proven"]

_QUOTED = re.compile(r'"([^"]+)"')


def keep_proven(extraction: Extraction, session: Session) -> tuple[Extraction, int]:
    """The extraction without preferences that no human turn holds, and how many were dropped.

    Compared without regard to white space and quotation marks: a quote may be cleaned, not invented. What is dropped
    from the raw memory is not quoted in the recap either.
    """
    said = {m.index: _plain(m.text) for m in session.messages if m.role is Role.HUMAN}
    kept: list[str] = []
    dropped: list[Evidence] = []
    for line in extraction.raw_memory.split("\n"):
        evidence = parse_evidence(line)
        if evidence and evidence.kind in PREFERENCE_KINDS and not _was_said(evidence, said):
            dropped.append(evidence)
        else:
            kept.append(line)
    if not dropped:
        return extraction, 0
    recap = _without_quotes(extraction.rollout_summary, dropped)
    return msgspec.structs.replace(extraction, raw_memory="\n".join(kept), rollout_summary=recap), len(dropped)


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
