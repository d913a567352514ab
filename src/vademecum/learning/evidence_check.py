"""Evidence must stand in the turn that it names: a preference that the user did not say is dropped."""

from vademecum.artifacts import PREFERENCE_KINDS, Evidence, parse_evidence
from vademecum.sessions import Role, Session

__all__ = ["keep_proven"]


def keep_proven(raw_memory: str, session: Session) -> tuple[str, int]:
    """The raw memory without preferences that no human turn holds, and how many were dropped.

    Compared without regard to white space and quotation marks: a quote may be cleaned, not invented.
    """
    said = {m.index: _plain(m.text) for m in session.messages if m.role is Role.HUMAN}
    kept: list[str] = []
    dropped = 0
    for line in raw_memory.split("\n"):
        evidence = parse_evidence(line)
        if evidence and evidence.kind in PREFERENCE_KINDS and not _was_said(evidence, said):
            dropped += 1
        else:
            kept.append(line)
    return "\n".join(kept), dropped


def _was_said(evidence: Evidence, said: dict[int, str]) -> bool:
    words = _plain(evidence.text)
    return bool(words) and words in said.get(evidence.turn, "")


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
