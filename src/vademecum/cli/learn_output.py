"""How `vade learn` talks: a bar on a terminal, plain lines elsewhere, and a report that says what came of it."""

from types import TracebackType
from typing import Any, Self, TextIO

import click
import msgspec

from vademecum.engine import LearnReport, Memory
from vademecum.sessions import Discovery, SessionRef

__all__ = ["LearnProgress", "learn_shape", "print_report", "warn"]

_LINES_EVERY = 200
_SKIP_WORDS = {
    "unchanged": "already learned",
    "duplicate": "another copy of a session that was learned",
    "unreadable": "cannot be read",
    "too_recent": "may still go on (use --now to learn them at once)",
    "too_old": "older than --since (use --all to take them)",
    "no_human_words": "nobody said anything in them",
    "sub_agent": "sub-agents; their parent session tells the story",
    "learner": "sessions of a learner",
    "import": "copies of another agent's session",
    "mode_off": "switched off for memory",
    "busy": "another process learns them now",
    "waiting": "failed, tried again later",
    "given_up": "failed too often",
    "not_regular": "links, pipes or devices",
    "not_a_session": "files that hold no session",
    "vanished": "gone while looking",
    "unknown_schema": "databases of an unknown version",
    "capped_line": "over-long lines, cut",
    "broken_line": "lines that are no JSON",
    "rewound": "messages of rewound branches",
    "unknown_type": "records of an unknown type",
    "unproven_evidence": "quotes that the session does not hold",
}
_CONSOLIDATION_WORDS = {
    "landed": "memory was updated in one commit",
    "no_new_input": "there was nothing new",
    "no_changes": "what was read changes nothing in memory",
    "proposed": "parts wait for your review, because you changed the same lines",
    "busy": "another process is updating memory; it takes in what was learned here next time",
    "invalid": "the result broke a rule and was not stored; the input waits",
    "failed": "the learner failed; the input waits",
    "skipped": "memory files were left as they are",
}


class LearnProgress:
    """A progress bar on a terminal, a plain line now and then elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
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
        size = sum(ref.size_bytes for ref in discovery.refs)
        if self._stream.isatty() and self._total:
            self._start_bar(size)
        elif self._total:
            click.echo(f"{self._total} sessions found ({_megabytes(size)})", file=self._stream)

    def _start_bar(self, size: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("learning"),
            BarColumn(),
            DownloadColumn(),
            TextColumn("{task.fields[sessions]} sessions, {task.fields[learned]} learned"),
            TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        self._task = self._bar.add_task("learning", total=max(size, 1), sessions=f"0/{self._total}", learned=0)
        self._bar.start()

    def advance(self, ref: SessionRef, what: str) -> None:
        """Called after every session."""
        self._done += 1
        self._learned += what == "learned"
        if self._bar is not None:
            self._bar.update(
                self._task, advance=ref.size_bytes, sessions=f"{self._done}/{self._total}", learned=self._learned
            )
        elif self._done % _LINES_EVERY == 0:
            click.echo(f"{self._done}/{self._total} sessions read, {self._learned} learned", file=self._stream)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


def learn_shape(report: LearnReport) -> dict[str, object]:
    """The object of `--json`, as the contract has it."""
    shape = msgspec.to_builtins(report)
    del shape["looked"], shape["errors"]
    shape["consolidation"] = {name: shape["consolidation"][name] for name in ("status", "revision")}
    return shape


def warn(report: LearnReport) -> None:
    """What a person should hear beside the object of `--json`: on stderr, one line each."""
    for error in report.errors:
        click.echo(f"warning: {error}", err=True)
    if report.consolidation.reason:
        click.echo(f"warning: consolidation {report.consolidation.status}: {report.consolidation.reason}", err=True)


def print_report(report: LearnReport, memory: Memory, *, dry_run: bool) -> None:
    """What came of it, for a person."""
    if not report.discovered:
        _print_nothing_found(report)
        return
    verb = "would be learned" if dry_run else "learned"
    found = f"{report.discovered} session{'' if report.discovered == 1 else 's'} found"
    click.echo(f"{found}: {report.extracted} {verb}, {report.no_output} with nothing to keep")
    for reason, count in sorted(report.skipped.items(), key=lambda item: -item[1]):
        click.echo(f"  {count:>6}  {_SKIP_WORDS.get(reason, reason)}")
    for error in report.errors[:5]:
        click.echo(f"  ! {error}")
    status = report.consolidation.status
    reason = f": {report.consolidation.reason}" if report.consolidation.reason else ""
    if not dry_run:
        click.echo(f"{_CONSOLIDATION_WORDS[status]}{reason}")
        if status == "landed":
            click.echo(f"Next: vade context (what the next session gets), or look into {memory.folder.memory}")


def _print_nothing_found(report: LearnReport) -> None:
    click.echo("No sessions were found. I looked here:")
    for place in report.looked:
        click.echo(f"  {place.host or 'named':<12} {place.path}{'' if place.exists else '  (not there)'}")
    for reason, count in report.skipped.items():
        click.echo(f"  {count:>6}  {_SKIP_WORDS.get(reason, reason)}")
    click.echo("Next: work with an agent, then run `vade learn` again; or name a folder: vade learn --from PATH")
