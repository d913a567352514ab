"""The record of Claude Code: how memory is plugged into it, in two forms, and what its person has to know."""

from pathlib import Path

from vademecum.hosts.claude_code import plugin_form, settings_form
from vademecum.hosts.claude_code.examining import examine
from vademecum.hosts.claude_code.forms import Form, as_plugin, as_settings, removal, standing, wiring
from vademecum.hosts.claude_code.places import NAME, PROGRAM, TITLE, settings_folder
from vademecum.hosts.protocol import FileEdit, Host, Places

__all__ = ["CLAUDE_CODE"]

_FORMS = {Form.PLUGIN.value: as_plugin, Form.SETTINGS.value: as_settings}


def _is_there(places: Places) -> bool:
    return settings_folder(places).is_dir() or places.program(PROGRAM) is not None


def _installation(places: Places) -> tuple[FileEdit, ...]:
    return _FORMS[standing(places)](places)


def _own_folders(places: Places) -> tuple[Path, ...]:
    return (*plugin_form.folders(places), *settings_form.folders(places))


CLAUDE_CODE = Host(
    name=NAME,
    title=TITLE,
    program=PROGRAM,
    is_there=_is_there,
    installation=_installation,
    forms=_FORMS,
    removal=removal,
    own_folders=_own_folders,
    wiring=wiring,
    next_steps=(
        "Sessions that run already do not have it: begin a new one.",
        "`/vademecum:memory` shows what is remembered, `/vademecum:remember WORDS` adds to it.",
    ),
    examine=examine,
)
