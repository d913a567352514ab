"""`vade diff`: what differs between two states of memory."""

import click
import msgspec

from vademecum.cli.commit_lines import short_id
from vademecum.cli.diff_output import say_diffs
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory
from vademecum.engine.history import Difference
from vademecum.errors import UsageError

__all__ = ["command"]

_PATHS = "vademecum.diff.paths"


class _WithPaths(click.Command):
    """What stands behind `--` are paths, however they begin; click itself drops the mark."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        mark = args.index("--") if "--" in args else len(args)
        ctx.meta[_PATHS] = args[mark + 1 :]
        return super().parse_args(ctx, args[:mark])


@click.command("diff", cls=_WithPaths, options_metavar="[OPTIONS]")
@click.argument("revs", nargs=-1, metavar="[A [B]] [-- PATH...]")
@identity_option
@json_option
@click.pass_context
def command(context: click.Context, revs: tuple[str, ...], identity: str | None, as_json: bool) -> None:
    """Show what you edited by hand and did not commit yet; with A what came since A, with B what lies between the two.

    A and B are ids as `vade log` prints them, or expressions of git's such as HEAD~2. A PATH is a file, or a folder.
    Secrets are shown masked.

    \b
    Examples:
      vade diff
      vade diff HEAD~3 -- MEMORY.md
    """
    if len(revs) > 2:
        raise UsageError("`vade diff` compares two revisions at most", next_step="Put paths behind `--`.")
    paths = context.meta[_PATHS]
    difference = Memory.open(identity, must_exist=True).diff(*revs, paths=paths)
    if as_json:
        say_json(msgspec.to_builtins(difference))
        return
    _print(difference)


def _print(difference: Difference) -> None:
    say_diffs(difference.files)
    for path, reason in difference.unfit.items():
        say(f"left out  {flat(path)}: {flat(reason)}")
    if difference.files or difference.unfit:
        return
    if difference.new is None:
        say("nothing was edited by hand since the last commit")
    else:
        say(f"{short_id(difference.old)} and {short_id(difference.new)} do not differ in that")
