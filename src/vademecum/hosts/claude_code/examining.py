"""What keeps Claude Code from using memory: the switches in its own settings, and what it says itself."""

from collections.abc import Iterator

from vademecum.findings import Finding, fine, note, problem, warning
from vademecum.hosts import strict_json
from vademecum.hosts.claude_code import plugin_form, settings_form
from vademecum.hosts.claude_code.asking import Seen, ask
from vademecum.hosts.claude_code.forms import Form, standing
from vademecum.hosts.claude_code.managed import examine_managed
from vademecum.hosts.claude_code.places import NAME, PLUGIN_ID, PROGRAM, marketplace_folder, settings_file
from vademecum.hosts.plain import table_of, text_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text

__all__ = ["examine"]

#: The name of our server in each form.
_SERVERS = {Form.PLUGIN: plugin_form.SERVER, Form.SETTINGS: settings_form.SERVER}


def examine(places: Places) -> Iterator[Finding]:
    """Say which switch is off, and what it says of the tools. Raises CannotEdit where the settings cannot be read."""
    file, form = settings_file(places), standing(places)
    settings = table_of(strict_json.read(read_text(file, places.user_home)))
    if settings.get("disableAllHooks") is True:
        yield warning(
            NAME,
            f"{file} switches all hooks off, so no session gets the memory block",
            "Take `disableAllHooks` out of it; the tools work all the same.",
        )
    if table_of(settings.get(plugin_form.ENABLED[0])).get(PLUGIN_ID) is False:
        yield warning(
            NAME, f"the plugin is switched off in {file}", f"Run `claude plugin enable {PLUGIN_ID}`, or uninstall it."
        )
    listed, name = plugin_form.KNOWN
    path = text_of(table_of(table_of(table_of(settings.get(listed)).get(name)).get("source")).get("path"))
    if path and path != str(marketplace_folder(places)):
        yield warning(
            NAME, f"{file} takes the plugin from {path}, which is not where it lies", "Run `vade install claude-code`."
        )
    yield from examine_managed(form)
    yield from _asked(places, form)


def _asked(places: Places, form: Form) -> Iterator[Finding]:
    program = places.program(PROGRAM)
    if program is None:
        yield note(NAME, "`claude` is not on the PATH, so it cannot be asked whether it reaches the memory tools")
        return
    try:
        seen = ask(program, _SERVERS[form], places.environ, str(places.user_home))
    except OSError as error:
        yield note(NAME, f"Claude Code could not be asked: {error.strerror}")
        return
    match seen:
        case Seen.CONNECTED:
            yield fine(NAME, "Claude Code reaches the memory tools")
        case Seen.UNKNOWN if form is Form.PLUGIN:
            yield problem(NAME, "Claude Code has not loaded the plugin of memory", "Run `claude plugin list`.")
        case Seen.UNKNOWN:
            yield problem(NAME, "Claude Code does not load the server of the memory tools", "Run `claude mcp list`.")
        case Seen.FAILED:
            yield problem(NAME, "Claude Code starts the memory tools and gets no answer", "Run `claude mcp list`.")
        case Seen.SILENT:
            yield note(NAME, "Claude Code did not say whether it reaches the memory tools", "Run `claude mcp list`.")
