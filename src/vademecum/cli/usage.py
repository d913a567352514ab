"""`vade usage`: what memory was used for, and what it cost."""

import click

from vademecum.amounts import plural
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import FIRST_STEP, Memory, UsageReport
from vademecum.state import Day, UsageTotal

__all__ = ["command", "money"]

_SHOWN = 10
_CENT = 0.01


@click.command("usage")
@click.option("--days", type=click.IntRange(min=1), default=14, show_default=True, metavar="N", help="How many days.")
@identity_option
@json_option
def command(days: int, identity: str | None, as_json: bool) -> None:
    """Show which memories answers used, and what learning took per day (UTC).

    \b
    Example:
      vade usage --days 30
    """
    report = Memory.open(identity, must_exist=True).ledger.usage(days=days)
    if as_json:
        say_json(_shape(report))
        return
    _print(report)


def _shape(report: UsageReport) -> dict[str, object]:
    sessions = [{"session_id": total.cited, **_counts(total)} for total in report.sessions]
    paths = [{"path": total.cited, **_counts(total)} for total in report.paths]
    return {"cited": [*sessions, *paths], "days": [_day_shape(day) for day in report.days]}


def _counts(total: UsageTotal) -> dict[str, object]:
    return {"usage_count": total.count, "last_usage": total.last_at}


def _day_shape(day: Day) -> dict[str, object]:
    return {"day": day.day, "runs": day.runs, "tokens": day.tokens, "cost": day.cost_usd}


def _print(report: UsageReport) -> None:
    if not (report.days or report.sessions or report.paths):
        say(f"Nothing was used or spent yet. {FIRST_STEP}")
        return
    for day in report.days:
        runs, cost = plural(day.runs, "run"), money(day.cost_usd, day.tokens)
        say(f"{day.day}  {runs:>8}  {day.tokens:>12,} tokens  {cost}".rstrip())
    for what, totals in (("sessions", report.sessions), ("files", report.paths)):
        if totals:
            say(f"{what} that answers used most:")
        for total in totals[:_SHOWN]:
            say(f"  {total.count:>5}  {total.last_at:%Y-%m-%d}  {flat(total.cited)}")


def money(cost_usd: float | None, tokens: int) -> str:
    """What tokens cost, as a person writes it."""
    if cost_usd is not None:
        return "under $0.01" if 0 < cost_usd < _CENT / 2 else f"${cost_usd:.2f}"
    return "price not known" if tokens else ""
