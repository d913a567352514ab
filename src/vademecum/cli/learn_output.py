"""How `vade learn` talks: a bar on a terminal, plain lines elsewhere, and a report that says what came of it."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

from vademecum.amounts import plural
from vademecum.cli.printing import flat, home_as_tilde, say, size, warn
from vademecum.cli.words import reason_lines
from vademecum.engine import LearnReport, Memory, words_of
from vademecum.learning import ConsolidationStatus, Learned, Rehearsed, Skip
from vademecum.sessions import Discovery, SessionRef

__all__ = ["LearnProgress", "learn_shape", "print_report", "warn_of"]

_LINES_EVERY = 200
_MAX_ERRORS = 5
_MAX_NEXT_STEPS = 3
_COUNTED_ONLY = frozenset((Skip.UNCHANGED.value, Skip.TOO_OLD.value, Skip.BEYOND_CAP.value))
_CONSOLIDATION_WORDS = {
    "landed": "memory was updated in one commit",
    "no_new_input": "there was nothing new",
    "no_changes": "what was read changes nothing in memory",
    "proposed": "what was learned waits for your review",
    "busy": "another process is updating memory; it takes in what was learned here next time",
    "cooldown": "the learner rests before it updates memory again",
    "invalid": "the result broke a rule and was not stored; the input waits",
    "failed": "the learner failed; the input waits",
    "skipped": "memory files were left as they are",
}

_LEARNER_FAILED = "the learner failed; the sessions that it was to read wait"

#: Ends of a consolidation in which nothing happened.
_QUIET = frozenset({ConsolidationStatus.NO_NEW_INPUT, ConsolidationStatus.SKIPPED})


class LearnProgress:
    """A progress bar on a terminal, a plain line now and then elsewhere."""

    def __init__(self, stream: TextIO, *, dry_run: bool = False) -> None:
        self._stream = stream
        self._verb = _verb(dry_run=dry_run)
        self._bar: Any = None
        self._task: Any = None
        self._done = self._learned = 0
        self._total = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def found(self, discovery: Discovery) -> None:
        """Called once: what there is."""
        self._total = len(discovery.refs)
        amount = sum(ref.size_bytes for ref in discovery.refs)
        if self._stream.isatty() and self._total:
            self._start_bar(amount)
        elif self._total:
            say(f"reading {plural(self._total, 'session')} ({size(amount)})", file=self._stream)

    def _start_bar(self, size_bytes: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("learning"),
            BarColumn(),
            DownloadColumn(),
            TextColumn(f"{{task.fields[sessions]}} sessions, {{task.fields[learned]}} {self._verb}"),
            TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        self._task = self._bar.add_task("learning", total=max(size_bytes, 1), sessions=f"0/{self._total}", learned=0)
        self._bar.start()

    def advance(self, ref: SessionRef, what: str) -> None:
        """Called after every session."""
        self._done += 1
        self._learned += what == Learned.LEARNED
        if self._bar is not None:
            self._bar.update(
                self._task, advance=ref.size_bytes, sessions=f"{self._done}/{self._total}", learned=self._learned
            )
        elif self._done % _LINES_EVERY == 0:
            say(f"{self._done}/{self._total} sessions read, {self._learned} {self._verb}", file=self._stream)


def _verb(*, dry_run: bool) -> str:
    return "would be learned" if dry_run else "learned"


def learn_shape(report: LearnReport, *, dry_run: bool = False) -> dict[str, object]:
    """The object of `--json`, as the contract has it; a rehearsal lists its sessions in it."""
    shape = _counts(report)
    if report.left_out:
        shape["left_out"] = msgspec.to_builtins(report.left_out)
    if report.parts:
        shape["identities"] = [{"identity": part.identity, **_counts(part)} for part in report.parts]
    return shape | ({"sessions": msgspec.to_builtins(report.sessions)} if dry_run else {})


def _counts(report: LearnReport) -> dict[str, object]:
    shape = msgspec.to_builtins(report)
    for name in ("looked", "errors", "next_steps", "sessions", "rebuilt", "identity", "parts", "left_out"):
        del shape[name]
    shape["consolidation"] = {name: shape["consolidation"][name] for name in ("status", "revision")}
    return shape


def warn_of(report: LearnReport) -> None:
    """What a person should hear beside the object of `--json`: on stderr, one line each."""
    for told in report.rebuilt:
        warn(told)
    for error in report.errors:
        warn(error)
    for statement in report.consolidation.came_back:
        warn(_came_back(statement))
    for draft in report.consolidation.recovered:
        warn(draft)
    if report.consolidation.reason:
        warn(f"consolidation {report.consolidation.status}: {report.consolidation.reason}")
    for step in report.next_steps[:_MAX_NEXT_STEPS]:
        say(f"next: {flat(step)}", err=True)


def print_report(report: LearnReport, memory: Memory, *, dry_run: bool) -> None:
    """What came of it, for a person."""
    for told in report.rebuilt:
        say(f"  ! {flat(told)}")
    if not report.discovered:
        _print_nothing_found(report)
        return
    if dry_run:
        _print_rehearsed(report.sessions)
    found = f"{plural(report.discovered, 'session')} found"
    say(f"{found}: {report.extracted} {_verb(dry_run=dry_run)}, {report.no_output} with nothing to keep")
    _print_details(report)
    if report.parts:
        _print_parts(report.parts, dry_run=dry_run)
    elif not dry_run:
        _print_consolidation(report, memory)
    if report.left_out and report.left_out.next_step:
        say(f"Next: {flat(report.left_out.next_step)}")
    for step in report.next_steps[:_MAX_NEXT_STEPS]:
        say(f"Next: {flat(step)}")


def _print_details(report: LearnReport) -> None:
    if left := report.left_out:
        say(f"  session {flat(left.session)} was not learned: {flat(left.why)}")
    for line in () if left else reason_lines(report.skipped):
        say(line)
    for statement in report.consolidation.came_back:
        say(f"  ! {flat(_came_back(statement))}")
    for draft in report.consolidation.recovered:
        say(f"  ! {flat(draft)}")
    for error in report.errors[:_MAX_ERRORS]:
        say(f"  ! {flat(error)}")
    if len(report.errors) > _MAX_ERRORS:
        say(f"  ! and {len(report.errors) - _MAX_ERRORS} more")


def _print_parts(parts: Sequence[LearnReport], *, dry_run: bool) -> None:
    """One line per identity with something to tell; of those where all stays as it was, the counts above say enough."""
    telling = list(filter(_tells, parts))
    width = max((len(part.identity) for part in telling), default=0)
    for part in telling:
        outcome = "" if dry_run else f"; {_outcome(part)}"
        waits = f"; {_waits(part)}: vade proposals --identity {part.identity}" if _waits(part) else ""
        say(f"{part.identity:<{width}}  {part.extracted} {_verb(dry_run=dry_run)}{outcome}{waits}")
    if not telling and not dry_run:
        say(_LEARNER_FAILED if any(part.has_failed for part in parts) else "there was nothing new")
    if any(part.consolidation.status == ConsolidationStatus.LANDED for part in parts):
        say("Next: vade context in one of your projects, or vade home for the folders of each identity")


def _tells(part: LearnReport) -> bool:
    outcome = part.consolidation
    return bool(part.extracted or part.failed or outcome.status not in _QUIET or outcome.proposals)


def _waits(report: LearnReport) -> str:
    """How much waits for the person; empty where nothing does."""
    count = len(report.consolidation.proposals)
    return f"{plural(count, 'proposal')} {'waits' if count == 1 else 'wait'} for you" if count else ""


def _outcome(report: LearnReport) -> str:
    reason = f": {flat(report.consolidation.reason)}" if report.consolidation.reason else ""
    subject = report.consolidation.subject
    source = f" ({flat(subject[:1].lower() + subject[1:])})" if subject and not report.extracted else ""
    return f"{_CONSOLIDATION_WORDS[report.consolidation.status]}{source}{reason}"


def _print_consolidation(report: LearnReport, memory: Memory) -> None:
    is_quiet = report.consolidation.status in _QUIET
    say(_LEARNER_FAILED if report.has_failed and is_quiet else _outcome(report))
    if waits := _waits(report):
        say(f"{waits}: vade proposals")
    if report.consolidation.status == "landed":
        say(f"Next: vade context (what the next session gets), or look into {flat(str(memory.folder.memory))}")


def _print_rehearsed(sessions: Sequence[Rehearsed]) -> None:
    """One line per session; of those that may be thousands and stay as they are, the count below says enough."""
    for session in sessions:
        if session.outcome in _COUNTED_ONLY:
            continue
        what = _kept(session.statements) if session.outcome == Learned.LEARNED else _left(session.outcome)
        project = home_as_tilde(flat(session.project)) or "-"
        say(f"{session.updated_at:%Y-%m-%d}  {flat(session.host):<11}  {what:<24}  {project}")


def _kept(statements: int | None) -> str:
    return "would be read" if statements is None else plural(statements, "statement")


def _left(outcome: str) -> str:
    return outcome if outcome == Learned.NOTHING_TO_KEEP else words_of(outcome)


def _came_back(statement: str) -> str:
    return f"came back: {statement} (you removed it, and said it again since)"


def _print_nothing_found(report: LearnReport) -> None:
    say("No sessions were found. I looked here:")
    for place in report.looked:
        say(f"  {place.host or 'named':<12} {flat(place.path)}{'' if place.exists else '  (not there)'}")
    for line in reason_lines(report.skipped):
        say(line)
    say("Next: work with an agent, then run `vade learn` again; or name a folder: vade learn --from PATH")
