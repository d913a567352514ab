"""`vade status`: how memory stands, and why nothing happened."""

import click

from vademecum.amounts import plural
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.cli.proposals import proposal_shape
from vademecum.cli.runs import outcome_of, run_shape
from vademecum.cli.usage import money
from vademecum.cli.words import AFTER_RESET, reason_lines, why_chosen
from vademecum.engine import FIRST_STEP, Memory, Status, words_of
from vademecum.errors import QuotaReached, SessionUnreadable, VademecumError
from vademecum.state import LastPass

__all__ = ["command"]

#: So many paths are named one by one.
_MOST_PATHS = 5
#: Next steps that lead to this command -> what they mean to who has called it.
_FROM_HERE = {
    VademecumError.next_step: "Run `vade doctor`: it examines every part.",
    QuotaReached.next_step: "Nothing to do: it is tried again as soon as the model does not rest any more.",
    SessionUnreadable.next_step: "Other sessions are not concerned.",
}


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
        say_json(_shape(status))
        return
    _print(status)


def _shape(status: Status) -> dict[str, object]:
    """The object of `--json`."""
    return {
        "identity": status.identity,
        "chosen": status.route.chosen,
        "folder": status.route.folder or None,
        "home": status.home,
        "revision": status.revision,
        "counts": status.records,
        "runs": [run_shape(run) for run in status.runs],
        "learner": status.learner,
        "models": list(status.models),
        "waiting": [{"what": words_of(what), "count": count} for what, count in _left(status).items()],
        "last_error": _last_error(status),
        "hand_edits": list(status.hand_edits),
        "unfit_edits": [{"path": path, "reason": reason} for path, reason in status.unfit_edits.items()],
        "proposals": [proposal_shape(proposal) for proposal in status.proposals],
        "left_drafts": list(status.left_drafts),
        "context": {"tokens": status.context_tokens, "bytes": status.context_bytes},
        "budgets": _budgets(status),
        "resting": [
            {"model": breaker.model, "until": breaker.open_until, "reason": breaker.reason}
            for breaker in status.breakers
        ],
        "warnings": list(status.warnings),
        "rebuilt": list(status.rebuilt),
        "draft_skills": list(status.draft_skills),
        "unconfirmed_notes": list(status.unconfirmed_notes),
        "unseen_pages": list(status.unseen_pages),
    }


def _budgets(status: Status) -> dict[str, object]:
    return {
        "context_tokens": status.budget_tokens,
        "tokens_today": status.spent_today.tokens,
        "tokens_per_day": status.tokens_per_day,
        "cost_today": status.spent_today.cost_usd,
        "cost_per_day": status.cost_per_day_cents / 100,
    }


def _left(status: Status) -> dict[str, int]:
    """What waits, and what the last pass left alone: reason -> how many. What waits now is the newer count."""
    passed_over = status.last_pass.skipped if status.last_pass else {}
    return {**status.waiting, **{what: count for what, count in passed_over.items() if what not in status.waiting}}


def _last_error(status: Status) -> dict[str, str | None] | None:
    if status.last_pass is None or status.last_pass.error is None:
        return None
    return {"message": status.last_pass.error, "next": _next_step(status.last_pass)}


def _next_step(last: LastPass) -> str:
    """What to do after an error; never to look where one is looking already."""
    return _FROM_HERE.get(last.next_step or "", last.next_step or "")


def _print(status: Status) -> None:
    say(f"identity   {status.identity}   ({why_chosen(status.route)})   in {flat(status.home)}")
    if status.revision is None:
        known = sum(status.records.values())
        say(f"memory     {_gone(known) if known else f'nothing yet. {FIRST_STEP}'}")
        _print_warnings(status)
        return
    say(f"memory     revision {status.revision[:12]}")
    records = ", ".join(f"{count} {state}" for state, count in status.records.items()) or "none"
    say(f"sessions   {records}")
    if status.is_after_reset:
        say(f"reset      {AFTER_RESET}")
    waits = ", ".join(f"{count} {words_of(what)}" for what, count in status.waiting.items()) or "nothing"
    say(f"waiting    {waits}")
    asks = f"   (asks {', '.join(map(flat, status.models))})" if status.models else ""
    say(f"learner    {flat(status.learner)}{asks}")
    say(f"context    {status.context_tokens} of {status.budget_tokens} tokens here")
    _print_hand_work(status)
    _print_spending(status)
    if status.last_pass:
        _print_last_pass(status.last_pass)
    for run in status.runs:
        error = f"  {flat(run.error)}" if run.error else ""
        say(f"run        {flat(run.id)}  {run.kind}  {outcome_of(run)}{error}")
    _print_warnings(status)


def _gone(known: int) -> str:
    """That the folder was lost: nobody deletes what was learned by moving it away."""
    return (
        f"the folder is gone, and state.db still knows {plural(known, 'session')}. Put it back into its place; "
        "`vade learn` would make a new one and write them into it anew."
    )


def _print_warnings(status: Status) -> None:
    for told in status.rebuilt:
        say(f"rebuilt    {flat(told)}")
    for warning in status.warnings:
        say(f"warning    {flat(warning)}")


def _print_hand_work(status: Status) -> None:
    """What a person did by hand, and what waits for them."""
    if edited := len(status.hand_edits):
        say(f"edited     {plural(edited, 'file')} edited by hand, not yet taken in: vade adopt")
    for path, reason in status.unfit_edits.items():
        say(f"edited     {flat(path)} cannot be taken in: {flat(reason)}")
    if waiting := len(status.proposals):
        say(f"proposed   {plural(waiting, 'change')} {'waits' if waiting == 1 else 'wait'} for you: vade proposals")
    for path in status.draft_skills:
        say(f"skill      {flat(path)} waits for you: write `status: active` into its header, or delete it")
    if unconfirmed := len(status.unconfirmed_notes):
        what = f"{plural(unconfirmed, 'note')} that an agent wrote by itself"
        say(
            f"notes      {what}: vade note --confirm PATH, or they expire\n           "
            + "\n           ".join(map(flat, status.unconfirmed_notes[:_MOST_PATHS]))
        )
    if unseen := len(status.unseen_pages):
        what = f"{plural(unseen, 'page')} that an agent made or described, which no session is told of"
        say(
            f"pages      {what}: vade memory describe PATH\n           "
            + "\n           ".join(map(flat, status.unseen_pages[:_MOST_PATHS]))
        )
    if left := len(status.left_drafts):
        say(f"drafts     {plural(left, 'draft')} of runs that did not end: the next vade learn takes in finished work")


def _print_spending(status: Status) -> None:
    """What models took today, and which of them are left alone until when."""
    spent = status.spent_today
    if spent.tokens:
        of_tokens = f" of {status.tokens_per_day:,}" if status.tokens_per_day else ""
        of_cost = f" of ${status.cost_per_day_cents / 100:.2f}" if status.cost_per_day_cents else ""
        say(
            f"spent      {spent.tokens:,}{of_tokens} tokens today (UTC), {money(spent.cost_usd, spent.tokens)}{of_cost}"
        )
    for breaker in status.breakers:
        until = f"{breaker.open_until:%Y-%m-%d %H:%M} UTC"
        say(f"resting    {flat(breaker.model)} until {until}, then it is tried again: {flat(breaker.reason)}")


def _print_last_pass(last: LastPass) -> None:
    """Why nothing happened, or what did: in the words of `vade learn`."""
    learned = f"{last.extracted} learned, {last.no_output} with nothing to keep"
    say(f"last pass  {last.at:%Y-%m-%d %H:%M} UTC: {last.discovered} found: {learned}")
    for line in reason_lines(last.skipped):
        say(line)
    if last.error:
        say(f"error      {flat(last.error)}\nnext       {flat(_next_step(last))}")
