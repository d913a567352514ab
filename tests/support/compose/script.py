"""What happened in one session, in words that no host owns: the input of every writer in this folder."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

__all__ = [
    "Assistant",
    "Compaction",
    "HostKind",
    "HostText",
    "Human",
    "Rewound",
    "Script",
    "SubAgent",
    "Tool",
    "Turn",
    "live_turns",
    "shell",
]

DEFAULT_START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class HostKind(StrEnum):
    """Where text comes from that the host program adds on its own."""

    REMINDER = "reminder"  #: a system reminder in the middle of a conversation
    HOOK = "hook"  #: what a user's hook script printed
    AGENTS_MD = "agents_md"  #: the instructions file of the repository
    ENVIRONMENT = "environment"  #: working directory, shell, date


@dataclass(frozen=True, kw_only=True)
class Human:
    """The user's own words."""

    text: str
    seconds: float = 40


@dataclass(frozen=True, kw_only=True)
class Assistant:
    """The assistant's words: commentary between tool calls, or the final answer of a turn."""

    text: str
    final: bool = True
    seconds: float = 6


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool call with its result.

    `tool` is `shell` (input `command`), `read` (`path`), `write` (`path`, `content`), `edit` (`path`, `old`, `new`), or
    `SERVER/TOOL` for a tool of an MCP server (any input).
    """

    tool: str
    input: Mapping[str, str]
    output: str
    failed: bool = False
    seconds: float = 3


@dataclass(frozen=True, kw_only=True)
class HostText:
    """Text that stands in the file beside the user's words and is not theirs."""

    text: str
    kind: HostKind = HostKind.REMINDER
    seconds: float = 0.2


@dataclass(frozen=True, kw_only=True)
class Compaction:
    """The host replaced the talk so far by a summary which a model wrote."""

    summary: str
    seconds: float = 30


@dataclass(frozen=True, kw_only=True)
class Rewound:
    """Turns that the user took back: the talk went on from the place before them."""

    turns: tuple["Turn", ...]
    seconds: float = 0


@dataclass(frozen=True, kw_only=True)
class SubAgent:
    """A task that the assistant gave to another agent: its prompt, its own turns, what it returned."""

    prompt: str
    result: str
    turns: tuple["Turn", ...] = ()
    seconds: float = 4


Turn = Human | Assistant | Tool | HostText | Compaction | Rewound | SubAgent


def shell(command: str, output: str = "", *, failed: bool = False) -> Tool:
    """A command that the assistant ran."""
    return Tool(tool="shell", input={"command": command}, output=output, failed=failed)


@dataclass(frozen=True, kw_only=True)
class Script:
    """One session. The same script and seed give the same bytes in every run."""

    #: Tells sessions apart; with `seed` it decides all ids.
    label: str
    cwd: str
    turns: tuple[Turn, ...]
    started_at: datetime = DEFAULT_START
    branch: str = "main"
    seed: int = 0
    #: What the host shows in its list; hosts without titles drop it.
    title: str = "Work on the project"
    #: True: the host's own "do not learn from this thread" switch is on, where it has one.
    memory_off: bool = False

    @property
    def opening(self) -> str:
        """The first words of the user on the live branch, or an empty string."""
        return next((turn.text for turn in live_turns(self.turns) if isinstance(turn, Human)), "")


def live_turns(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The turns that were not taken back."""
    return (turn for turn in turns if not isinstance(turn, Rewound))


@dataclass
class Clock:
    """The time of each line: it moves by the seconds of the turns."""

    now: datetime
    start: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.now

    def tick(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now


def iso(moment: datetime) -> str:
    """`2026-11-02T09:00:00.000Z`, as all four hosts write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
