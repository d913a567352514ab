"""`vade learn`: from finished sessions to memory."""

import os
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from vademecum.amounts import plural
from vademecum.cli.authority import writes
from vademecum.cli.interrupts import ends_politely
from vademecum.cli.learn_output import LearnProgress, learn_shape, print_report, warn_of
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
from vademecum.engine import LearnReport, LearnRequest, Memory, learn_in_background
from vademecum.errors import UsageError
from vademecum.home import Home
from vademecum.learning import Skip
from vademecum.sessions import is_address

__all__ = ["command"]

_OFF = (
    "the setting memories.generate_memories is off: nothing is learned "
    "(`vade config set memories.generate_memories true` switches it on)"
)
_SPAN = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[dw]?)")
_NICENESS = 10
_DAYS = {"": 1, "d": 1, "w": 7}


@click.command("learn")
@click.option("--host", "hosts", multiple=True, metavar="H", help="Only this agent's sessions (repeatable).")
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="PATH",
    help="Only sessions in this file or folder, or of the running server at this address (repeatable).",
)
@click.option("--session", metavar="ID", help="Only this session.")
@click.option(
    "--now",
    is_flag=True,
    help="Do not wait: not until sessions have been idle, nor for a learner that rests or could not be asked. "
    "An account that is used up is left alone.",
)
@click.option(
    "--since",
    default="90",
    show_default=True,
    metavar="WHEN",
    help="How far back: a number of days, 2d, 3w, or a day such as 2026-11-20.",
)
@click.option("--all", "everything", is_flag=True, help="As far back as there are sessions.")
@click.option("--max", "limit", type=click.IntRange(min=1), metavar="N", help="At most N sessions.")
@click.option("--learner", metavar="L", help="Who learns (default: the setting `memories.learner`).")
@click.option("--no-consolidate", is_flag=True, help="Only extract; the memory files stay as they are.")
@click.option("--dry-run", is_flag=True, help="List what would be learned; write nothing.")
@click.option("--background", is_flag=True, hidden=True, help="As hooks start it: one at a time, nothing told.")
@click.option("--mend", is_flag=True, hidden=True, help="With --background: put right what hooks read, and no more.")
@identity_option
@json_option
@writes
def command(
    hosts: tuple[str, ...],
    sources: tuple[str, ...],
    session: str | None,
    now: bool,
    since: str,
    everything: bool,
    limit: int | None,
    learner: str | None,
    no_consolidate: bool,
    dry_run: bool,
    background: bool,
    mend: bool,
    identity: str | None,
    as_json: bool,
) -> None:
    """Learn from the finished sessions of every agent on this machine.

    \b
    Examples:
      vade learn
      vade learn --now --max 20
      vade learn --dry-run --since 2w
      vade learn --from ~/old-sessions --all
      vade learn --from http://127.0.0.1:4096
    """
    if background:  # as hooks start it: no terminal, no options, and a machine that somebody works on
        os.nice(_NICENESS)
        learn_in_background(Home.find(os.environ), os.environ, only_mends=mend)
        return
    memory = Memory.open(identity)
    _refuse_absent(sources)
    request = LearnRequest(
        hosts=hosts or None,
        sources=sources or None,
        session=session,
        now=now,
        since_days=None if everything else _days_since(since),
        limit=limit,
        learner=learner,
        consolidate=not no_consolidate,
        dry_run=dry_run,
    )
    is_off = not memory.config.generate_memories
    if is_off:
        say(_OFF, err=as_json)
    if is_off and not as_json:
        if kept_out := memory.learn(request).skipped.get(Skip.MODE_OFF, 0):
            kept = plural(kept_out, "session")
            say(f"{kept} of this time will not be learned later either (`vade mode SESSION enabled` takes one in)")
        return
    with ends_politely():
        report = _learn_quietly(memory, request) if as_json else _learn_and_tell(memory, request)
    if report.has_failed:
        click.get_current_context().exit(1)


def _learn_quietly(memory: Memory, request: LearnRequest) -> LearnReport:
    report = memory.learn(request)
    say_json(learn_shape(report, dry_run=request.dry_run))
    warn_of(report)
    return report


def _learn_and_tell(memory: Memory, request: LearnRequest) -> LearnReport:
    with LearnProgress(sys.stderr, dry_run=request.dry_run) as progress:
        report = memory.learn(request, found=progress.found, progress=progress.advance)
    print_report(report, memory, dry_run=request.dry_run)
    return report


def _refuse_absent(sources: tuple[str, ...]) -> None:
    for source in sources:
        if not is_address(source) and not Path(source).exists():
            raise UsageError(
                f"--from {source}: there is no such file or folder", next_step="Name one that holds sessions."
            )


def _days_since(when: str) -> float:
    """`14`, `2d`, `3w`, or the beginning of a day here such as `2026-11-20`, as days until now."""
    if span := _SPAN.fullmatch(when):
        return int(span["count"]) * _DAYS[span["unit"]]
    try:
        age = datetime.now(UTC) - datetime.strptime(when, "%Y-%m-%d").astimezone()
    except ValueError as error:
        raise UsageError(
            f"--since {when}: this is no number of days, no span and no day",
            next_step="Write 14, 2d, 3w or a day such as 2026-11-20.",
        ) from error
    if age < timedelta(0):
        raise UsageError(f"--since {when}: this day is still to come", next_step="Name a day that has begun.")
    return age / timedelta(days=1)
