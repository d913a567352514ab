"""The two forms in which memory can stand in Claude Code. At every moment at most one of them is on.

Both are switched in the settings: by the name of the plugin, or by the hooks. So one file, which is written whole, says
which form it is, and no hook runs twice whenever an installation is killed.
"""

from enum import StrEnum

from vademecum.hosts import strict_json
from vademecum.hosts.claude_code import plugin_form, settings_form
from vademecum.hosts.claude_code.places import NAME, PLUGIN_ID, TITLE, settings_file
from vademecum.hosts.hook_groups import hooks_of
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import FileEdit, Places, Wiring
from vademecum.hosts.targets import naming, read_text

__all__ = ["Form", "as_plugin", "as_settings", "removal", "standing", "wiring"]


class Form(StrEnum):
    """How memory is plugged in."""

    PLUGIN = "plugin"  #: a folder of ours that is a marketplace with one plugin
    SETTINGS = "settings"  #: entries in the settings and among the servers of the user


def standing(places: Places) -> Form:
    """The form that stands there, else the usual one. Raises CannotEdit."""
    text = _settings(places)
    with naming(settings_file(places)):
        has_hooks = bool(hooks_of(text, NAME))
        is_named = PLUGIN_ID in table_of(table_of(strict_json.read(text)).get(plugin_form.ENABLED[0]))
    if has_hooks or (not is_named and settings_form.has_server(places)):
        return Form.SETTINGS
    return Form.PLUGIN


def as_plugin(places: Places) -> tuple[FileEdit, ...]:
    """Plug memory in as a plugin, and take the entries out. Raises CannotEdit."""

    def switched(text: str | None) -> str:
        strict_json.refuse_unread(text, TITLE)
        return plugin_form.switched_on(settings_form.switched_off(text), places)

    # The settings name what lies there by then, and what they named before goes after that.
    return (
        *plugin_form.edits(places),
        FileEdit(path=settings_file(places), what="the plugin is switched on", change=switched),
        *settings_form.removal(places),
    )


def as_settings(places: Places) -> tuple[FileEdit, ...]:
    """Plug memory in by entries, and take the plugin out. Raises CannotEdit."""

    def switched(text: str | None) -> str:
        strict_json.refuse_unread(text, TITLE)
        return settings_form.switched_on(plugin_form.switched_off(text), places)

    return (
        FileEdit(
            path=settings_file(places),
            what="hooks that give the memory block to a session and note which sessions there are",
            change=switched,
        ),
        *settings_form.edits(places),
        *plugin_form.removal(places),
    )


def removal(places: Places) -> tuple[FileEdit, ...]:
    """Take out whatever stands there of either."""
    return (
        FileEdit(
            path=settings_file(places),
            what="memory is switched off",
            change=lambda text: settings_form.switched_off(plugin_form.switched_off(text)),
        ),
        *settings_form.removal(places),
        *plugin_form.removal(places),
    )


def wiring(places: Places) -> Wiring:
    """What of ours Claude Code finds. Raises CannotEdit."""
    form, text = standing(places), _settings(places)
    if form is Form.SETTINGS:
        return settings_form.wiring(places, text)
    return plugin_form.wiring(places, strict_json.read(text))


def _settings(places: Places) -> str | None:
    return read_text(settings_file(places), places.user_home)
