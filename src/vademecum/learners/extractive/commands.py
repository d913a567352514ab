"""Shell commands: which program ran, to what end, and whether it worked."""

import re
from dataclasses import dataclass
from functools import lru_cache

from vademecum.learners.extractive.goals import Goal, goal_of_program
from vademecum.learners.extractive.orders import shows_order
from vademecum.learners.extractive.verdicts import failed
from vademecum.secrets import holds_mask
from vademecum.sessions.model import ToolCall

__all__ = ["Command", "goal_of", "read_command", "simplify"]

MAX_COMMAND_CHARS = 200

#: A pipeline or a fallback hides the exit code; then the program's own verdict decides.
_HIDES_EXIT_CODE = re.compile(r"\||;\s*(?:echo|true)")
_DESTRUCTIVE = re.compile(
    r"""
      \brm\s+-\w*[rf] | --force(?!-with) | \bpush\s+(?:\S+\s+){0,6}-f\b | reset\s+--hard | clean\s+-\w*[fd] | \bdd\s+if=
    | \bmkfs | \bshutdown\b | \bkill(?:all)?\b | \bpkill\b | drop\s+(?:table|database) | truncate\s+table
    | \bdestroy\b | \bprune\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CHAIN = re.compile(r"&&|;|\|\|")
_ENVIRONMENT = re.compile(r"^(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)\s+)+")
_LEADING = re.compile(
    r"""
      \( | (?:cd|pushd)\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*
    | set\s+-\S+(?:\s+pipefail)?\s*(?:&&|;)\s* | (?:source|\.)\s+\S+\s*(?:&&|;)\s*
    | export\s+[^;&]{1,120}(?:&&|;)\s* | timeout\s+(?:-\S+\s+){0,4}\S+\s+ | time\s+
    """,
    re.VERBOSE,
)
_TRAILING = re.compile(
    r"""
    \s{0,9}(?:
      2>&1 | &>\s*\S+ | [12]?>>?\s*(?:/dev/null|/tmp/\S+)
    | \|&?\s*(?:tail|head|tee|grep|egrep|rg|less|cat|sed|awk|wc|sort|uniq|cut)\b[^|;&]*
    | (?:;|&&|\|\|)\s*echo\b[^;|&]* | \|\|\s*true | & | \)
    )\s*\Z
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One shell command that ran."""

    #: As somebody would type it again: without the way there and without output plumbing.
    text: str
    #: First word of `text` without environment settings ("pytest", "pnpm").
    program: str
    goal: Goal | None
    #: None: not known.
    failed: bool | None
    output: str
    #: May be kept as knowledge: short, on one line, nothing masked, nothing destructive, no instruction in it.
    repeatable: bool


def read_command(call: ToolCall) -> Command | None:
    """The shell command of this call, or None where the tool runs none."""
    shape = _shape(call.command)
    if shape is None:
        return None
    return Command(
        text=shape.text,
        program=shape.program,
        goal=shape.goal,
        failed=failed(call, hides_exit_code=shape.hides_exit_code, has_goal=shape.goal is not None),
        output=call.output,
        repeatable=shape.repeatable,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What can be said of a command before it has run."""

    text: str
    program: str
    goal: Goal | None
    repeatable: bool
    hides_exit_code: bool


@lru_cache(maxsize=2048)
def _shape(raw: str) -> _Shape | None:
    text = simplify(raw)
    bare = _ENVIRONMENT.sub("", text)
    if not bare:
        return None
    return _Shape(
        text=text,
        program=bare.split(maxsplit=1)[0],
        goal=goal_of(text),
        repeatable=_is_repeatable(text, raw),
        hides_exit_code=bool(_HIDES_EXIT_CODE.search(raw)),
    )


def _is_repeatable(text: str, raw: str) -> bool:
    if len(text) > MAX_COMMAND_CHARS or "\n" in text or holds_mask(raw) or "<<" in text:
        return False
    return not _DESTRUCTIVE.search(raw) and not shows_order(text)


def simplify(command: str) -> str:
    """Strip `cd ... &&`, time limits and output plumbing; environment settings stay, for they may matter."""
    text = command.strip()[: 4 * MAX_COMMAND_CHARS]
    for find in (_LEADING.match, _TRAILING.search):
        # Each round takes one layer off; nobody writes more than a few.
        for _ in range(8):
            match = find(text)
            if match is None:
                break
            text = (text[: match.start()] + text[match.end() :]).strip()
    return text


def goal_of(command: str) -> Goal | None:
    """What a simplified command is for; of `a && b` the last part that has a goal speaks."""
    for part in reversed(_CHAIN.split(command)):
        goal = goal_of_program(_ENVIRONMENT.sub("", part.strip()))
        if goal is not None:
            return goal
    return None
