"""`vade proposals`: what waits for the person's word, and the word."""

from collections import Counter
from collections.abc import Sequence

import click
import msgspec

from vademecum.amounts import plural
from vademecum.cli.authority import own_word_option, require_person
from vademecum.cli.boundary import PartlyDone
from vademecum.cli.commit_lines import short_id
from vademecum.cli.diff_output import say_diffs
from vademecum.cli.options import Commands, identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Decision, Memory, ProposalRow, ProposalView
from vademecum.errors import MergeConflict

__all__ = ["command", "proposal_shape"]

_SHOWN_PATHS = 6
_KINDS = {"learn": "learned", "edit": "agent's edit", "reflect": "reflected", "import": "imported", "sync": "synced"}


@click.group("proposals", cls=Commands, invoke_without_command=True)
@identity_option
@json_option
@click.pass_context
def command(context: click.Context, identity: str | None, as_json: bool) -> None:
    """List the changes that wait until you accept or reject them.

    Something waits where you set `review.learn` to `propose`, where an agent wants to change a file below `system/`
    or one that learning writes, and where what was learned does not fit what you changed meanwhile.

    \b
    Examples:
      vade proposals
      vade proposals show 3fa9
      vade proposals accept 3fa9 MEMORY.md
      vade proposals reject 3fa9
    """
    context.obj = identity
    if context.invoked_subcommand is not None:
        return
    proposals = Memory.open(identity, must_exist=True).proposals.list()
    if as_json:
        say_json({"proposals": [proposal_shape(proposal) for proposal in proposals]})
        return
    for proposal in proposals:
        _print_row(proposal)
    if proposals:
        say("Next: vade proposals show ID, then accept or reject it; the end of an id will do")
    else:
        say("nothing waits for you")


@command.command("show")
@click.argument("name", metavar="ID")
@identity_option
@json_option
@click.pass_obj
def show_command(outer: str | None, name: str, identity: str | None, as_json: bool) -> None:
    """Show what a proposal would change: its files, its statements, and the differences file by file.

    \b
    Example:
      vade proposals show 3fa9
    """
    view = Memory.open(identity or outer, must_exist=True).proposals.show(name)
    if as_json:
        say_json(_view_shape(view))
        return
    _print_row(view.row)
    _print_statements(view)
    for words, diffs in (
        ("Accepting it now would change:", view.changes),
        ("In conflict. What is proposed:", view.conflicts),
        ("In conflict. What was changed since:", view.since),
    ):
        if diffs:
            say(f"\n{words}\n")
            say_diffs(diffs)
    say(f"\nNext: vade proposals accept {flat(view.row.id)} [PATH ...], or vade proposals reject {flat(view.row.id)}")


@command.command("accept")
@click.argument("name", metavar="ID")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@own_word_option
@identity_option
@json_option
@click.pass_obj
def accept_command(
    outer: str | None, name: str, paths: tuple[str, ...], yes: bool, identity: str | None, as_json: bool
) -> None:
    """Take a proposal into memory, or only some files or folders of it.

    With a file come the rollout summaries that its lines name. What you changed meanwhile is merged with it. A file in
    which both changed the same lines stays a proposal, and the command ends with exit code 4.

    \b
    Examples:
      vade proposals accept 3fa9
      vade proposals accept 3fa9 MEMORY.md rollout_summaries
    """
    require_person(yes=yes)
    decision = Memory.open(identity or outer, must_exist=True).proposals.accept(name, paths)
    if not as_json:
        _print_decision("decided already: accepted" if decision.was_decided else "accepted", decision)
    if decision.conflicts:
        raise PartlyDone(_conflict(decision), msgspec.to_builtins(decision))
    if as_json:
        say_json(msgspec.to_builtins(decision))


@command.command("reject")
@click.argument("name", metavar="ID")
@own_word_option
@identity_option
@json_option
@click.pass_obj
def reject_command(outer: str | None, name: str, yes: bool, identity: str | None, as_json: bool) -> None:
    """Turn a proposal down: nothing of it comes into memory, and no later run brings it back.

    Only what you say after that may come: by a new session, or by one of its sessions that goes on. Your notes stay
    what they are. Of a proposal that you accepted in part it is the rest; what you accepted stays.

    \b
    Example:
      vade proposals reject 3fa9
    """
    require_person(yes=yes)
    decision = Memory.open(identity or outer, must_exist=True).proposals.reject(name)
    if as_json:
        say_json(msgspec.to_builtins(decision))
        return
    _print_decision("rejected", decision)


def proposal_shape(row: ProposalRow) -> dict[str, object]:
    """One proposal of `--json`."""
    return msgspec.structs.asdict(row)


def _view_shape(view: ProposalView) -> dict[str, object]:
    parts = {"changes": view.changes, "conflicting": view.conflicts, "since": view.since}
    diffs = {name: [{"path": diff.path, "diff": diff.unified()} for diff in part] for name, part in parts.items()}
    return {**proposal_shape(view.row), "brings": view.brings, "takes": view.takes, **diffs}


def _print_row(row: ProposalRow) -> None:
    kind = _KINDS.get(row.kind, row.kind)
    say(f"{flat(row.id)}  {row.at:%Y-%m-%d %H:%M}  {kind:<12}  {flat(row.subject)}")
    say(f"    {plural(len(row.paths), 'file')}: {_places(row.paths)}")
    if row.conflicts:
        say(f"    in conflict with what was changed since: {_places(row.conflicts)}")


def _print_statements(view: ProposalView) -> None:
    """What it is about, before how the files change: each statement once, however many files hold it."""
    for path in view.row.paths:
        say(f"    {flat(path)}")
    for words, statements in (("It brings", view.brings), ("It takes out", view.takes)):
        if statements:
            say(f"\n{words} {plural(len(statements), 'statement')}:")
        for statement in statements:
            say(f"  - {flat(statement)}")


def _places(paths: Sequence[str]) -> str:
    """Files by name, and the folders in which there are more than one with their counts."""
    folders = Counter(path.rpartition("/")[0] for path in paths)
    names = [path for path in paths if "/" not in path or folders[path.rpartition("/")[0]] == 1]
    many = [f"{count} in {folder}/" for folder, count in sorted(folders.items()) if folder and count > 1]
    shown = [
        *names[:_SHOWN_PATHS],
        *([f"{len(names) - _SHOWN_PATHS} more"] if len(names) > _SHOWN_PATHS else []),
        *many,
    ]
    return flat(", ".join(shown))


def _print_decision(verb: str, decision: Decision) -> None:
    what = f"in commit {short_id(decision.commit)}" if decision.commit else "nothing in memory changed"
    say(f"{verb}   {flat(decision.id)}  {flat(decision.subject)}  ({what})")
    for path in () if decision.was_decided else decision.paths:
        say(f"changed    {flat(path)}")
    for path in decision.left:
        reason = "in conflict with what was changed since" if path in decision.conflicts else "not decided yet"
        say(f"waits      {flat(path)}: {reason}")


def _conflict(decision: Decision) -> MergeConflict:
    paths = ", ".join(decision.conflicts)
    return MergeConflict(
        f"{paths}: both sides changed the same lines",
        intact="What could be merged is in memory; the rest stays in the proposal.",
        next_step=f"Run `vade proposals show {decision.id}`, edit the file by hand, then reject what is left.",
        paths=decision.conflicts,
    )
