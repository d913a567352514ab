"""The words in which a story is told: who does what in which session. What it should leave in memory follows from that.

A phrase (`rule.pnpm`) is named, never written out: its wordings stand in `phrases/*.toml`. The same phrase is a rule
that must be learned when the user says it, and a leak when the assistant, a tool or the host says it.
"""

from dataclasses import dataclass

from support.compose import HostKind

__all__ = [
    "Answer",
    "ByHand",
    "Delegate",
    "Fold",
    "FromHost",
    "Run",
    "Say",
    "Sitting",
    "Step",
    "Story",
    "TakeBack",
    "ToolSays",
    "Work",
    "answer",
    "say",
    "work",
]


@dataclass(frozen=True)
class Say:
    """The user says these phrases in one message. `take` picks a wording by number; None lets the seed pick."""

    phrases: tuple[str, ...]
    take: int | None = None


@dataclass(frozen=True)
class Answer:
    """The assistant says these phrases."""

    phrases: tuple[str, ...]
    final: bool = True


@dataclass(frozen=True)
class Work:
    """An ordinary request, some tool calls, an answer: the seed picks which. The request is a one-off."""


@dataclass(frozen=True)
class Run:
    """A command with its output, as the phrase has it."""

    phrase: str


@dataclass(frozen=True)
class ToolSays:
    """A tool returns this phrase: a file that was read, a page, a program's output."""

    phrase: str
    via: str = "read"


@dataclass(frozen=True)
class FromHost:
    """The host program adds this phrase."""

    phrase: str
    kind: HostKind = HostKind.REMINDER


@dataclass(frozen=True)
class Fold:
    """The host compacts the talk; this phrase stands in the summary."""

    phrase: str


@dataclass(frozen=True)
class TakeBack:
    """These steps are rewound by the user."""

    steps: "tuple[Step, ...]"


@dataclass(frozen=True)
class Delegate:
    """The assistant hands a task to another agent: its prompt holds `order`, its answer holds `result`."""

    order: str
    result: str


Step = Say | Answer | Work | Run | ToolSays | FromHost | Fold | TakeBack | Delegate


@dataclass(frozen=True)
class Sitting:
    """One session of a story."""

    #: Key of the project ("a", "b", ...); the seed gives it a folder.
    project: str
    steps: tuple[Step, ...]
    #: Nothing in it is worth a record.
    junk: bool = False
    #: The host's switch against learning is on (told in the format of the one host that has it).
    memory_off: bool = False


@dataclass(frozen=True)
class ByHand:
    """When a session was learned, the person edits the lines of a phrase in the memory files, with an editor."""

    #: Number of that sitting, from 0.
    after: int
    phrase: str
    #: What they write in its place; empty: they delete the lines.
    becomes: str = ""


@dataclass(frozen=True, kw_only=True)
class Story:
    """Some sessions of one person, oldest first."""

    name: str
    sittings: tuple[Sitting, ...]
    #: (old, new): the later phrase of the same scope replaces the earlier one.
    reversals: tuple[tuple[str, str], ...] = ()
    #: (general phrase, project): a rule of that project overrides the general one there, so both answers are right.
    exceptions: tuple[tuple[str, str], ...] = ()
    #: What the person does to memory between the sessions; the story is then learned session by session.
    by_hand: tuple[ByHand, ...] = ()
    #: The sessions are spread over all hosts.
    mixed: bool = False


def say(*phrases: str, take: int | None = None) -> Say:
    return Say(phrases, take)


def answer(*phrases: str, final: bool = True) -> Answer:
    return Answer(phrases, final)


def work(times: int = 1) -> tuple[Work, ...]:
    return (Work(),) * times
