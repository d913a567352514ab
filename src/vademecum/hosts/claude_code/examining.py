"""What keeps Claude Code from using the plugin: the switches in its own settings, and what it says itself."""

from collections.abc import Iterator

from vademecum.findings import Finding, fine, note, problem, warning
from vademecum.hosts import jsonc
from vademecum.hosts.claude_code.asking import Seen, ask
from vademecum.hosts.claude_code.places import (
    MARKETPLACE,
    NAME,
    PLUGIN_ID,
    PROGRAM,
    marketplace_folder,
    settings_folder,
)
from vademecum.hosts.plain import table_of, text_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text

__all__ = ["examine"]


def examine(places: Places) -> Iterator[Finding]:
    """Say which switch is off, and what it says of the tools. Raises CannotEdit where the settings cannot be read."""
    file = settings_folder(places) / "settings.json"
    settings = table_of(jsonc.read(read_text(file, places.user_home) or ""))
    if settings.get("disableAllHooks") is True:
        yield warning(
            NAME,
            f"{file} switches all hooks off, so no session gets the memory block",
            "Take `disableAllHooks` out of it; the tools work all the same.",
        )
    if table_of(settings.get("enabledPlugins")).get(PLUGIN_ID) is False:
        yield warning(
            NAME, f"the plugin is switched off in {file}", f"Run `claude plugin enable {PLUGIN_ID}`, or uninstall it."
        )
    source = table_of(table_of(table_of(settings.get("extraKnownMarketplaces")).get(MARKETPLACE)).get("source"))
    path = text_of(source.get("path"))
    if path and path != str(marketplace_folder(places)):
        yield warning(
            NAME, f"{file} takes the plugin from {path}, which is not where it lies", "Run `vade install claude-code`."
        )
    yield from _asked(places)


def _asked(places: Places) -> Iterator[Finding]:
    program = places.program(PROGRAM)
    if program is None:
        yield note(NAME, "`claude` is not on the PATH, so it cannot be asked whether it reaches the memory tools")
        return
    try:
        seen = ask(program, places.environ, str(places.user_home))
    except OSError as error:
        yield note(NAME, f"Claude Code could not be asked: {error.strerror}")
        return
    match seen:
        case Seen.CONNECTED:
            yield fine(NAME, "Claude Code reaches the memory tools")
        case Seen.UNKNOWN:
            yield problem(NAME, "Claude Code has not loaded the plugin of memory", "Run `claude plugin list`.")
        case Seen.FAILED:
            yield problem(NAME, "Claude Code starts the memory tools and gets no answer", "Run `claude mcp list`.")
        case Seen.SILENT:
            yield note(NAME, "Claude Code did not say whether it reaches the memory tools", "Run `claude mcp list`.")
