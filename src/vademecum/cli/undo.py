"""`vade undo`: take a commit or a run back."""

import click
import msgspec

from vademecum.cli.authority import own_word_option, require_person
from vademecum.cli.commit_lines import commit_line, short_id
from vademecum.cli.diff_output import say_diffs, summary
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory
from vademecum.engine.history import Undone

__all__ = ["command"]


@click.command("undo")
@click.argument("target", required=False, metavar="[REV|RUN]")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@own_word_option
@identity_option
@json_option
def command(
    target: str | None, paths: tuple[str, ...], dry_run: bool, yes: bool, identity: str | None, as_json: bool
) -> None:
    """Take back what a commit or a whole run did to memory; what came later stays.

    A run may be named by the beginning of its id, or of its last part. Without REV or RUN it is the newest commit that
    is no undo, was not taken back yet, and has a way back (what was scrubbed has none). With a PATH it is only what
    was done to that file or folder. The undo is a commit of yours: undo it by its id, and everything is back. What you
    took back does not come back by learning; only something that you say after it does that.

    Your own edits of the same files stay, committed or not: the answer lists them. Where they changed the very lines
    that would be taken back, nothing is done, and the message says what to do.

    \b
    Examples:
      vade undo
      vade undo 20261102T100000-3fa9 --dry-run
      vade undo 1a2b3c4d5e MEMORY.md
    """
    if not dry_run:
        require_person(yes=yes)
    undone = Memory.open(identity, must_exist=True).undo(target, paths=paths, dry_run=dry_run)
    if as_json:
        say_json(msgspec.to_builtins(undone))
        return
    _print(undone)


def _print(undone: Undone) -> None:
    rehearsed = undone.commit is None
    for commit in undone.undoes:
        say(f"{'would undo' if rehearsed else 'undone'}  {commit_line(commit)}")
    for commit in undone.keeps:
        say(f"stays   {commit_line(commit)}   (your own edit since)")
    for path in undone.hand_edits:
        say(f"stays   {flat(path)}   (your edit that is not committed)")
    say()
    if undone.commit is None:
        say_diffs(undone.files)
        return
    for file in undone.files:
        say(f"  {flat(file.path)}  {summary(file)}")
    if undone.takes_statements:
        say("\nWhat you undid stays away from what is learned later; the next `vade learn` lists it in ARCHIVE.md.")
    say(f"\nThat is commit {short_id(undone.commit)}; `vade undo {short_id(undone.commit)}` brings it back.")
