"""`vade reset`: begin anew, and the trash."""

import click
import msgspec

from vademecum.amounts import plural
from vademecum.cli.authority import writes
from vademecum.cli.options import confirmed, identity_option, json_option, yes_option
from vademecum.cli.printing import say, say_json
from vademecum.engine import Memory, Resetting

__all__ = ["command"]


@click.command("reset")
@click.option("--purge", is_flag=True, help="Leave memory as it is, and delete what earlier resets put away.")
@yes_option
@identity_option
@json_option
@writes
def command(purge: bool, yes: bool, identity: str | None, as_json: bool) -> None:
    """Begin anew with an empty memory. What was there is kept until `vade reset --purge`.

    Sessions that were read are not learned again; which of them may be learned from, and what was forgotten, stays.

    \b
    Examples:
      vade reset
      vade reset --purge
    """
    resetting = Memory.open(identity, must_exist=True).resetting
    if purge:
        _purge(resetting, yes=yes, as_json=as_json)
    else:
        _reset(resetting, yes=yes, as_json=as_json)


def _reset(resetting: Resetting, *, yes: bool, as_json: bool) -> None:
    if not yes:
        preview = resetting.preview()
        what = f"{plural(preview.files, 'file')} and what {plural(preview.sessions, 'session')} taught"
        more = f", and {plural(preview.proposals, 'proposal')}" if preview.proposals else ""
        say(f"will be put away: {what}{more}", err=True)
        if not confirmed("Begin anew?", yes=yes):
            say("nothing was changed", err=True)
            return
    kept = resetting.reset()
    if as_json:
        say_json({"trash": msgspec.to_builtins(kept)})
        return
    say(f"begun anew; {plural(kept.commits, 'commit')} put away as {kept.reference}")
    say(f"back     git reset --hard {kept.reference}   (in the memory folder), then vade learn")
    say("delete   vade reset --purge")
    say("again    vade mode SESSION enabled, then vade learn: takes in a session that ended before")


def _purge(resetting: Resetting, *, yes: bool, as_json: bool) -> None:
    if not yes:
        for item in resetting.preview().trash:
            say(f"{item.at:%Y-%m-%d %H:%M} UTC  {plural(item.commits, 'commit')}", err=True)
        if not confirmed("Delete this for good?", yes=yes):
            say("nothing was deleted", err=True)
            return
    objects = resetting.purge()
    if as_json:
        say_json({"objects": objects})
        return
    say(f"the trash is empty: {plural(objects, 'object')} deleted")
