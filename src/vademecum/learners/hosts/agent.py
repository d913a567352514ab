"""What is asked of an agent program, and what comes back: the seam between the learner and each host."""

from pathlib import Path
from typing import Protocol

import msgspec

__all__ = ["Agent", "Answer", "Errand"]


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """One request to an agent."""

    #: The whole prompt, the mark of our sessions in its first line.
    prompt: str
    #: Where the agent works: the draft, or an empty folder.
    folder: Path
    #: A private folder for what the program needs beside it; deleted afterwards.
    scratch: Path
    #: Whether it may change files in `folder`. Otherwise it gets no tools, and is to answer only.
    may_write: bool


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent said last, and what it took."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    #: US dollars by the host's own reckoning; None where it does not say.
    cost_usd: float | None = None


class Agent(Protocol):
    """One agent program, run headless with nothing but what an errand needs."""

    @property
    def name(self) -> str:
        """As `vade learn --learner` spells it."""
        ...

    @property
    def input_tokens(self) -> int:
        """How large a prompt it can read, by our own estimate of tokens."""
        ...

    @property
    def reads_files(self) -> bool:
        """Whether it can open the files of a draft; otherwise they have to stand in the prompt."""
        ...

    def ask(self, errand: Errand) -> Answer:
        """Run the program once. Raises LearnerFailed, in the class that says which trouble it was."""
        ...
