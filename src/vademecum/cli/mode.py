"""`vade mode`: whether a session may be learned from."""

import click

from vademecum.cli.authority import own_word_option, require_person
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory, ModeNow, memory_of_session, mode_of_session
from vademecum.state import SessionMode

__all__ = ["command"]


@click.command("mode")
@click.argument("session", metavar="SESSION")
@click.argument("mode", type=click.Choice([SessionMode.ENABLED.value, SessionMode.DISABLED.value]), required=False)
@own_word_option
@identity_option
@json_option
def command(session: str, mode: str | None, yes: bool, identity: str | None, as_json: bool) -> None:
    """Switch a session off for memory, or on again; without a word, say how it stands.

    A beginning of its id will do; the session may still go on.

    Without --identity it is switched where it was learned, or would be.

    What memory has from a session that is switched off goes with the next `vade learn`, and comes back when it is
    switched on. To have it gone for good, use `vade forget`.

    \b
    Examples:
      vade mode 0199a000
      vade mode 0199a000 disabled
    """
    memory = memory_of_session(session, Memory.open(identity))
    if mode is None:
        _say_now(mode_of_session(session, memory), memory, as_json=as_json)
        return
    require_person(yes=yes)
    change = memory.switching.switch(session, SessionMode(mode))
    if as_json:
        shape = {"session": change.session, "mode": change.mode.value, "commit": change.commit}
        say_json(shape | {"identity": change.identity})
        return
    whose = _whose(memory, change.identity)
    already = "" if change.commit else " already"
    if change.mode is SessionMode.DISABLED:
        off = f"session {flat(change.session)} is switched off{already}{whose}"
        say(f"{off}: it is not learned, and search does not show it")
        if change.was_learned:
            say(
                "What memory has from it alone stays in MEMORY.md and memory_summary.md, and is given to new sessions, "
                "until the next vade learn takes it out."
            )
    else:
        say(f"session {flat(change.session)} is switched on{already}{whose}: the next vade learn takes it in")


def _whose(memory: Memory, identity: str) -> str:
    return "" if memory.routes.lead_to_one else f" (identity {flat(identity)})"


def _say_now(now: ModeNow, memory: Memory, *, as_json: bool) -> None:
    if as_json:
        shape = {"session": now.session, "mode": now.mode.value, "identity": now.identity}
        say_json(shape | {"forgotten": now.is_forgotten, "learned": now.is_learned})
        return
    say(f"session {flat(now.session)} is {_how(now)}{_whose(memory, now.identity)}")


def _how(now: ModeNow) -> str:
    if now.is_forgotten:
        return "forgotten: it is not learned again"
    if now.mode is SessionMode.DISABLED:
        return "switched off: it is not learned, and search does not show it"
    if now.mode is SessionMode.POLLUTED:
        return "left alone, for text from outside came into it: `vade mode SESSION enabled` has it learned all the same"
    return "switched on, and memory has learned from it" if now.is_learned else "switched on, and not learned"
