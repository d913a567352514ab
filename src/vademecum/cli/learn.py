"""`vade learn`: from finished sessions to memory."""

import sys

import click

from vademecum.cli.learn_output import LearnProgress, learn_shape, print_report, warn
from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import LearnRequest, Memory

__all__ = ["command"]


@click.command("learn")
@click.option("--host", "hosts", multiple=True, metavar="H", help="Only this agent's sessions (repeatable).")
@click.option(
    "--from", "sources", multiple=True, metavar="PATH", help="Only sessions in this file or folder (repeatable)."
)
@click.option("--session", metavar="ID", help="Only this session.")
@click.option("--now", is_flag=True, help="Do not wait until sessions have been idle for some hours.")
@click.option(
    "--since",
    "since_days",
    type=click.IntRange(min=0),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="How far back.",
)
@click.option("--all", "everything", is_flag=True, help="As far back as there are sessions.")
@click.option("--max", "limit", type=click.IntRange(min=1), metavar="N", help="At most N sessions.")
@click.option("--learner", metavar="L", help="Who learns (default: the setting `memories.learner`).")
@click.option("--no-consolidate", is_flag=True, help="Only extract; the memory files stay as they are.")
@click.option("--dry-run", is_flag=True, help="Show what would be learned from; write nothing.")
@identity_option
@json_option
def command(
    hosts: tuple[str, ...],
    sources: tuple[str, ...],
    session: str | None,
    now: bool,
    since_days: int,
    everything: bool,
    limit: int | None,
    learner: str | None,
    no_consolidate: bool,
    dry_run: bool,
    identity: str | None,
    as_json: bool,
) -> None:
    """Learn from the finished sessions of every agent on this machine.

    \b
    Examples:
      vade learn
      vade learn --now --max 20
      vade learn --from ~/old-sessions --all
    """
    memory = Memory.open(identity)
    request = LearnRequest(
        hosts=hosts or None,
        sources=sources or None,
        session=session,
        now=now,
        since_days=None if everything else since_days,
        limit=limit,
        learner=learner,
        consolidate=not no_consolidate,
        dry_run=dry_run,
    )
    if not memory.config.generate_memories:
        click.echo("the setting memories.generate_memories is off: nothing is learned", err=True)
    if as_json:
        report = memory.learn(request)
        echo_json(learn_shape(report))
        warn(report)
        return
    with LearnProgress(sys.stderr) as progress:
        report = memory.learn(request, found=progress.found, progress=progress.advance)
    print_report(report, memory, dry_run=dry_run)
