"""`vade forget PATH:LINE`: single lines."""

import msgspec

from vademecum.amounts import plural
from vademecum.cli.options import confirmed
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import ForgottenLine, ForgottenLines, Memory
from vademecum.errors import UsageError
from vademecum.secrets import mask

__all__ = ["forget_lines"]

_SHOWN = 8


def forget_lines(memory: Memory, what: str, *, scrub: bool, yes: bool, as_json: bool) -> None:
    """Show the lines that go, ask, and take them out. Raises UsageError for `--scrub`."""
    forgetting = memory.line_forgetting
    preview = forgetting.preview(what)
    if scrub:
        raise UsageError(
            "--scrub takes files and sessions out of history, no single lines", next_step=_instead(preview)
        )
    if not yes:
        for line in preview.lines[:_SHOWN]:
            say(f"line     {_shown(line)}", err=True)
        if (more := len(preview.lines) - _SHOWN) > 0:
            say(f"         and {more} more", err=True)
        say("         history keeps it; `vade undo` brings it back", err=True)
    if not confirmed("Forget it?", yes=yes):
        say("nothing was forgotten", err=True)
        return
    done = forgetting.forget(what)
    if as_json:
        lines = [{**msgspec.to_builtins(line), "text": mask(line.text)} for line in done.lines]
        say_json({"commit": done.commit, "lines": lines})
        return
    for line in done.lines[:_SHOWN]:
        say(f"line     {_shown(line)}")
    say(f"forgot   {plural(len(done.lines), 'line')} in commit {(done.commit or '')[:10]}")
    say("It stays away from what is learned until you say it again.")


def _shown(line: ForgottenLine) -> str:
    return f"{flat(line.path)}:{line.line}  {flat(mask(line.text))}"


def _instead(preview: ForgottenLines) -> str:
    """What takes the words of these lines out of history: where they were said."""
    sessions = dict.fromkeys(session for line in preview.lines for session in line.sessions)
    if not sessions:
        return f"`vade forget {preview.lines[0].path} --scrub` takes out the whole file."
    commands = ", ".join(f"`vade forget {session} --scrub`" for session in sessions)
    return f"Forget where it was said: {commands}; or without --scrub the line alone."
