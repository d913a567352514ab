"""`vade runs`: the ledger."""

from collections.abc import Sequence

import click
import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import HANDBOOK_PATH, ROLLOUT_FOLDER
from vademecum.cli.options import Commands, identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.cli.usage import money
from vademecum.engine import FIRST_STEP, Memory, RunWork, words_of
from vademecum.state import ModelRequest, Run

__all__ = ["command", "outcome_of", "run_shape"]

#: So many files are named, beside the recaps of sessions.
_MOST_FILES = 10


@click.group("runs", cls=Commands, invoke_without_command=True)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="How many runs.")
@identity_option
@json_option
@click.pass_context
def command(context: click.Context, limit: int, identity: str | None, as_json: bool) -> None:
    """Show what ran: who learned, how long it took, what it cost, how it ended.

    \b
    Examples:
      vade runs
      vade runs show 20261102T100000-3fa9
    """
    context.obj = identity
    if context.invoked_subcommand is not None:
        return
    runs = Memory.open(identity, must_exist=True).ledger.runs(limit=limit)
    if as_json:
        say_json({"runs": [run_shape(run) for run in runs]})
        return
    for run in runs:
        say(_line(run))
    if not runs:
        say(f"Nothing ran yet. {FIRST_STEP}")


@command.command("show")
@click.argument("run_id", metavar="ID")
@identity_option
@json_option
@click.pass_obj
def show_command(outer: str | None, run_id: str, identity: str | None, as_json: bool) -> None:
    """Show one run: its counts, its requests to models, what it changed in memory, and why it failed.

    The beginning of its id will do, or that of its last part.
    """
    memory = Memory.open(identity or outer, must_exist=True)
    run = memory.ledger.run(run_id)
    requests, work = memory.ledger.requests_of(run), memory.ledger.work_of(run)
    if as_json:
        more = {"detail": run.detail, "requests": [_request_shape(one) for one in requests]}
        say_json(run_shape(run) | more | {"work": None if work is None else msgspec.to_builtins(work)})
        return
    _print_run(run, requests)
    if work:
        _print_work(work)


def _print_run(run: Run, requests: Sequence[ModelRequest]) -> None:
    say(_line(run))
    counts = {name: value for name, value in run.detail.items() if isinstance(value, int)}
    for name, count in counts.items():
        say(f"  {count:>8}  {name if name == 'extracted' else words_of(name)}")
    for name, value in run.detail.items():
        if name not in counts:
            say(f"  {name}: {flat(str(value))}")
    for one in requests:
        took = f"{one.tokens_in:,} in, {one.tokens_out:,} out"
        say(f"  {one.at:%H:%M:%S}  {flat(one.model)}  {took}  {_price(one)}".rstrip())
    if requests:
        tokens = sum(one.tokens_in + one.tokens_out for one in requests)
        say(f"  {plural(len(requests), 'request')}, {tokens:,} tokens")
    if run.error:
        say(f"  {flat(run.error)}")


def _print_work(work: RunWork) -> None:
    """What it changed, and how to see it line by line."""
    bullets = f"{work.bullets_added} added, {work.bullets_changed} changed, {work.bullets_removed} removed"
    say(f"  changed {plural(len(work.files), 'file')}; bullets of {HANDBOOK_PATH}: {bullets}")
    for path in [path for path in work.files if not path.startswith(ROLLOUT_FOLDER)][:_MOST_FILES]:
        say(f"    {flat(path)}")
    say(f"  took in {plural(work.sessions, 'session')}")
    say(f"  commit {work.commit[:12]}: vade show {work.commit[:12]}")


def _price(request: ModelRequest) -> str:
    return money(request.cost_usd, request.tokens_in + request.tokens_out)


def _request_shape(request: ModelRequest) -> dict[str, object]:
    return {
        "model": request.model,
        "at": request.at,
        "tokens_in": request.tokens_in,
        "tokens_out": request.tokens_out,
        "cost": request.cost_usd,
    }


def run_shape(run: Run) -> dict[str, object]:
    """One row of `--json`."""
    return {
        "id": run.id,
        "kind": run.kind,
        "learner": run.learner,
        "started_at": run.started_at,
        "seconds": run.seconds,
        "outcome": run.outcome,
        "tokens": run.tokens_in + run.tokens_out,
        "cost": run.cost_usd,
        "error": run.error,
    }


def outcome_of(run: Run) -> str:
    """How it ended, and what a person decided on what it had proposed."""
    outcome = run.outcome or "running"
    return f"{outcome}, then {flat(run.decision)}" if run.decision else outcome


def _line(run: Run) -> str:
    seconds = f"{run.seconds:.1f} s" if run.seconds is not None else ""
    tokens = run.tokens_in + run.tokens_out
    cost = f"  {tokens:,} tokens {money(run.cost_usd, tokens)}" if tokens else ""
    return f"{flat(run.id)}  {run.kind:<14} {run.learner:<12} {outcome_of(run):<12} {seconds:>9}{cost}".rstrip()
