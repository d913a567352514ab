"""`vade status`: how memory stands, and why nothing happened."""

import click

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.cli.runs import run_shape
from vademecum.engine import Memory, Status

__all__ = ["command"]


@click.command("status")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Say what memory holds, what waits and why, and what a session here would get.

    \b
    Example:
      vade status
    """
    status = Memory.open(identity, must_exist=True).status()
    if as_json:
        echo_json(_shape(status))
        return
    _print(status)


def _shape(status: Status) -> dict[str, object]:
    """The object of `--json`."""
    return {
        "identity": status.identity,
        "home": status.home,
        "revision": status.revision,
        "counts": status.records,
        "runs": [run_shape(run) for run in status.runs],
        "waiting": [{"what": what, "count": count} for what, count in status.waiting.items()],
        "context": {"tokens": status.context_tokens, "bytes": status.context_bytes},
        "budgets": {"context_tokens": status.budget_tokens},
        "warnings": list(status.warnings),
    }


def _print(status: Status) -> None:
    click.echo(f"identity   {status.identity}   in {status.home}")
    if status.revision is None:
        click.echo("memory     nothing yet. Next: vade learn")
        return
    click.echo(f"memory     revision {status.revision[:12]}")
    records = ", ".join(f"{count} {state}" for state, count in status.records.items()) or "none"
    click.echo(f"sessions   {records}")
    waits = ", ".join(f"{count} {what}" for what, count in status.waiting.items()) or "nothing"
    click.echo(f"waiting    {waits}")
    click.echo(f"context    {status.context_tokens} of {status.budget_tokens} tokens here")
    for run in status.runs:
        error = f"  {run.error}" if run.error else ""
        click.echo(f"run        {run.id}  {run.kind}  {run.outcome or 'running'}{error}")
    for warning in status.warnings:
        click.echo(f"warning    {warning}")
