"""`vade doctor`: what is broken, what is odd, and what to do about it."""

import click
import msgspec

from vademecum.amounts import plural
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.doctor import Diagnosis, examine_identity
from vademecum.findings import Finding, Level

__all__ = ["command"]

_WIDTH = max(map(len, Level))


@click.command("doctor")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Examine everything: the program, the home, the databases, the repository, and every page of memory.

    Nothing of ours is changed. Agents that are plugged in are started and asked, which can take seconds; a program that
    starts for the first time may write files of its own and fetch what it needs.

    The command ends with exit code 1 when something is broken.

    \b
    Example:
      vade doctor
    """
    if not as_json:
        say("examining everything, and asking the agents that are plugged in", err=True)
    diagnosis = examine_identity(identity)
    if as_json:
        say_json({"ok": diagnosis.ok, "findings": msgspec.to_builtins(diagnosis.findings)})
    else:
        _print(diagnosis)
    if not diagnosis.ok:
        click.get_current_context().exit(1)


def _print(diagnosis: Diagnosis) -> None:
    for area in diagnosis.areas:
        say(area)
        for finding in diagnosis.findings:
            if finding.area == area:
                _print_finding(finding)
    counts = {level: sum(f.level is level for f in diagnosis.findings) for level in (Level.PROBLEM, Level.WARNING)}
    told = [plural(count, level) for level, count in counts.items() if count]
    is_for_the_person = any(found.level is Level.NOTE and found.next for found in diagnosis.findings)
    sound = "nothing is broken; what you may want to do stands at `next`" if is_for_the_person else "everything works"
    say(f"\n{' and '.join(told) or sound}")


def _print_finding(finding: Finding) -> None:
    say(f"  {finding.level:<{_WIDTH}}  {flat(finding.what)}")
    if finding.next:
        say(f"  {'':<{_WIDTH}}  next: {flat(finding.next)}")
