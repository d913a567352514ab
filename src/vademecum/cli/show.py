"""`vade show`: one commit, and what it changed."""

from collections.abc import Iterator

import click
import msgspec

from vademecum.cli.commit_lines import short_id, who
from vademecum.cli.diff_output import say_diffs
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import Style, flat, say, say_json, say_styled
from vademecum.engine import Memory
from vademecum.memfs import Commit, Shown

__all__ = ["command"]


@click.command("show")
@click.argument("rev", default="HEAD")
@identity_option
@json_option
def command(rev: str, identity: str | None, as_json: bool) -> None:
    """Show one commit: who, when, why, and every line that it changed.

    REV is an id as `vade log` prints it, or an expression of git's such as HEAD~2; without it, it is the newest commit.
    Secrets are shown masked.

    \b
    Examples:
      vade show
      vade show HEAD~2
      vade show 1a2b3c4d5e
    """
    shown = Memory.open(identity, must_exist=True).show(rev)
    if as_json:
        say_json(msgspec.to_builtins(shown))
        return
    _print(shown)


def _print(shown: Shown) -> None:
    commit = shown.commit
    say_styled((flat(commit.subject), Style.STRONG))
    say(f"{short_id(commit.id)}  {commit.at:%Y-%m-%d %H:%M} UTC  {who(commit)}")
    for line in _provenance(commit):
        say(line)
    if shown.body:
        say(f"\n{shown.body}")
    say()
    say_diffs(shown.files)
    if not shown.files:
        say("no file changed")


def _provenance(commit: Commit) -> Iterator[str]:
    provenance = commit.provenance
    if provenance.run:
        yield f"run      {flat(provenance.run)}"
    if provenance.session:
        turn = f", turn {provenance.turn}" if provenance.turn else ""
        yield f"session  {flat(provenance.session)}{turn}"
    if provenance.origin:
        yield f"origin   {flat(provenance.origin)}"
    for undone in provenance.undoes:
        yield f"undoes   {short_id(undone)}"
