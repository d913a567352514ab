"""What the tools of a session taught: commands that worked, failures and what mended them, files, facts.

Every finding is one line in our own words around quoted commands, paths and error lines. Nothing here reads what a
person or an assistant said.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vademecum.artifacts.evidence import Kind
from vademecum.learners.extractive.commands import Command, read_command
from vademecum.learners.extractive.goals import CHECKS, Goal
from vademecum.learners.extractive.orders import shows_order
from vademecum.learners.extractive.outcomes import Mark
from vademecum.learners.extractive.verdicts import error_line
from vademecum.secrets import holds_mask
from vademecum.sessions.model import Message, ToolCall

__all__ = ["Finding", "Survey", "survey"]

MAX_COMMANDS_PER_GOAL = 3
MAX_FAILURES = 8
MAX_CHANGES = 3
MAX_UNRESOLVED = 3
MAX_FILES = 5
MAX_FACTS = 5

#: A command with one of these goals can be what mended a failure.
_MENDING_GOALS = frozenset({Goal.INSTALL, Goal.MIGRATE, Goal.BUILD, Goal.FORMAT, Goal.RUN})
_MENDING_PROGRAMS = frozenset({
    "mkdir", "cp", "mv", "ln", "chmod", "export", "docker", "sed", "touch", "createdb", "service", "systemctl", "git",
    "corepack", "nvm", "rustup", "pyenv", "asdf", "mise",
})  # fmt: skip
_LOOKING_GIT = re.compile(r"git (?:status|diff|log|show|branch|add|commit|push|blame|ls-files|grep)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of knowledge with the turn that it comes from."""

    kind: Kind
    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Everything that the tools of a session taught."""

    #: In the order of turns.
    findings: tuple[Finding, ...]
    #: Turn -> what its tool calls say about the course of the work, in order.
    marks: Mapping[int, tuple[Mark, ...]]


@dataclass(slots=True, kw_only=True)
class _Failure:
    """A command that failed and has not worked since."""

    command: Command
    turn: int
    error: str
    changes: list[str] = field(default_factory=list[str])


def survey(messages: Sequence[Message], cwd: str) -> Survey:
    """Go through the tool calls of a session in order; paths become relative to `cwd`, others are left out."""
    surveyor = _Surveyor(cwd)
    for message in messages:
        for call in message.tool_calls:
            surveyor.see(call, message.index)
    return Survey(
        findings=tuple(sorted(surveyor.findings(), key=lambda finding: finding.turn)),
        marks={turn: tuple(marks) for turn, marks in surveyor.marks.items()},
    )


class _Surveyor:
    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self.marks: dict[int, list[Mark]] = {}
        self._worked: dict[Goal, dict[str, Finding]] = {}
        self._mended: list[Finding] = []
        self._open: dict[str, _Failure] = {}
        self._edits: Counter[str] = Counter()
        self._edited_at: dict[str, int] = {}
        self._facts: dict[str, Finding] = {}

    def see(self, call: ToolCall, turn: int) -> None:
        """Take one tool call into account."""
        command = read_command(call)
        if command is not None:
            self._see_command(command, turn)
        failed = call.failed if command is None else command.failed
        if failed is not True:
            self._see_edits(call.edited, turn)

    def findings(self) -> Iterator[Finding]:
        """Everything found so far."""
        for commands in self._worked.values():
            yield from list(commands.values())[-MAX_COMMANDS_PER_GOAL:]
        yield from self._mended[:MAX_FAILURES]
        yield from self._unresolved()
        yield from self._files()
        yield from list(self._facts.values())[:MAX_FACTS]

    # Commands

    def _see_command(self, command: Command, turn: int) -> None:
        if command.failed:
            self._see_failure(command, turn)
        elif command.failed is False:
            self._see_success(command, turn)
        if command.failed is False or command.failed is None:
            self._see_facts(command, turn)

    def _mark(self, turn: int, mark: Mark) -> None:
        self.marks.setdefault(turn, []).append(mark)

    def _see_failure(self, command: Command, turn: int) -> None:
        if command.goal in CHECKS:
            self._mark(turn, Mark.FAILED)
        if not command.repeatable or (command.goal is None and not command.output):
            return
        line = error_line(command.output)
        known = self._open.get(_key(command))
        if known is not None:
            # Tried again: the newest attempt and error stand, what was changed so far still counts.
            error = line or known.error
            self._open[_key(command)] = _Failure(command=command, turn=turn, error=error, changes=known.changes)
        elif command.goal is not None or line:
            self._open[_key(command)] = _Failure(command=command, turn=turn, error=line)

    def _see_success(self, command: Command, turn: int) -> None:
        if command.goal is not None:
            self._mark(turn, Mark.PASSED if command.goal in CHECKS else Mark.WORKED)
        if not command.repeatable:
            return
        self._mend(command, turn)
        if command.goal is not None:
            finding = Finding(kind=Kind.COMMAND, turn=turn, text=f"{command.goal} with `{command.text}`")
            self._worked.setdefault(command.goal, {}).setdefault(command.text, finding)
        if self._can_mend(command):
            self._see_change(f"`{command.text}`")

    def _can_mend(self, command: Command) -> bool:
        if command.goal is not None:
            return command.goal in _MENDING_GOALS
        return command.program in _MENDING_PROGRAMS and not _LOOKING_GIT.match(command.text)

    def _see_change(self, change: str) -> None:
        for failure in self._open.values():
            if change not in failure.changes:
                failure.changes.append(change)

    def _mend(self, command: Command, turn: int) -> None:
        for key, failure in list(self._open.items()):
            if not _mends(command, failure.command):
                continue
            del self._open[key]
            text = _mended_text(failure, command)
            if text:
                self._mended.append(Finding(kind=Kind.FAILURE, turn=turn, text=text))

    def _unresolved(self) -> Iterator[Finding]:
        open_checks = [failure for failure in self._open.values() if failure.error and failure.command.goal is not None]
        for failure in open_checks[-MAX_UNRESOLVED:]:
            text = f"`{failure.command.text}` failed and was not mended: {failure.error}"
            yield Finding(kind=Kind.ERROR, turn=failure.turn, text=text)

    # Files

    def _see_edits(self, paths: Sequence[str], turn: int) -> None:
        for path in paths:
            relative = _relative(path, self.cwd)
            self._mark(turn, Mark.EDITED)
            if relative and not holds_mask(relative):
                self._edits[relative] += 1
                self._edited_at[relative] = turn
                self._see_change(f"edit of `{relative}`")

    def _files(self) -> Iterator[Finding]:
        for path, count in sorted(self._edits.items(), key=lambda entry: (-entry[1], entry[0]))[:MAX_FILES]:
            times = "once" if count == 1 else f"{count} times"
            yield Finding(kind=Kind.FILE, turn=self._edited_at[path], text=f"`{path}` edited {times}")

    # Facts

    def _see_facts(self, command: Command, turn: int) -> None:
        for fact in _facts(command):
            self._facts.setdefault(fact, Finding(kind=Kind.FACT, turn=turn, text=fact))


def _key(command: Command) -> str:
    return f"{command.goal or ''} {command.program} {command.text if command.goal is None else ''}"


def _mends(success: Command, failed: Command) -> bool:
    """The same program with the same goal, or the same command, or another program for the same goal."""
    if success.goal is not None:
        return success.goal is failed.goal
    return failed.goal is None and success.program == failed.program


def _mended_text(failure: _Failure, success: Command) -> str:
    """Empty where nothing is known that made the difference."""
    error = f" ({failure.error})" if failure.error else ""
    changes = failure.changes[-MAX_CHANGES:]
    told = f"`{failure.command.text}` failed{error}"
    if success.text != failure.command.text and not changes:
        return f"{told}; `{success.text}` worked"
    if not changes:
        return ""
    worked = "it worked" if success.text == failure.command.text else f"`{success.text}` worked"
    return f"{told}; after {', '.join(changes)} {worked}"


def _relative(path: str, cwd: str) -> str:
    """The path below `cwd`; empty for a path elsewhere."""
    posix = path.replace("\\", "/")
    base = cwd.replace("\\", "/").rstrip("/") + "/"
    if posix.startswith("/") or posix[1:3] == ":/":
        posix = posix[len(base) :] if cwd and posix.startswith(base) else ""
    return "" if ".." in posix.split("/") else posix.removeprefix("./")


_VERSION_COMMAND = re.compile(r"^[\w./-]{1,40} (?:--version|-V|-v|version)$")
_VERSION = re.compile(r"\bv?\d{1,4}\.\d{1,4}(?:\.\d{1,6})?\b")
_PORT = re.compile(
    r"(?:listening|running|ready|available|serving|started|local:)[^\n]{0,60}?"
    r"(?:\bport |localhost:|127\.0\.0\.1:|0\.0\.0\.0:|://\S{1,40}:)(\d{2,5})",
    re.IGNORECASE,
)
_LOCKFILES = {
    "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "package-lock.json": "npm", "bun.lockb": "bun", "bun.lock": "bun",
    "uv.lock": "uv", "poetry.lock": "poetry", "Pipfile.lock": "pipenv", "pdm.lock": "pdm", "Cargo.lock": "cargo",
    "Gemfile.lock": "bundler", "composer.lock": "composer", "go.sum": "go modules",
}  # fmt: skip
#: Part of every name above; spares splitting a listing that holds none.
_LOCKFILE_HINT = re.compile(r"lock|go\.sum")
_LISTING_PROGRAMS = frozenset({"ls", "find", "tree", "fd", "git"})


def _facts(command: Command) -> Iterator[str]:
    """Versions that a program printed about itself, lock files that a listing shows, the port of a server."""
    if _VERSION_COMMAND.match(command.text):
        first = command.output.strip().splitlines()[:1]
        if first and len(first[0]) <= 80 and _VERSION.search(first[0]) and not shows_order(first[0]):
            yield f"`{command.text}` says {first[0].strip()}"
    elif command.program in _LISTING_PROGRAMS:
        for lockfile in _listed_lockfiles(command.output):
            yield f"`{lockfile}` is there: dependencies are managed with {_LOCKFILES[lockfile]}"
    elif command.goal is Goal.RUN and (match := _PORT.search(command.output[:8000])):
        yield f"`{command.text}` listens on port {match[1]}"


def _listed_lockfiles(listing: str) -> list[str]:
    if not _LOCKFILE_HINT.search(listing):
        return []
    return sorted(_LOCKFILES.keys() & set(listing.replace("/", " ").split()))
