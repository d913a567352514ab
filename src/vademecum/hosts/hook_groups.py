"""Hooks in the form that several hosts share: event -> groups -> commands, ours beside those of others.

    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "...", "timeout": 10}]}]}}

Ours are known by what they run; a hook that an older installation wrote is replaced where it stands.
"""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vademecum.hosts import jsonc
from vademecum.hosts.plain import list_of, table_of, text_of
from vademecum.hosts.protocol import HOOK_PROGRAM, Command

__all__ = ["hooks_of", "put_hooks", "take_hooks"]

_HOOKS = "hooks"
#: Where they stand among the words: interpreter, two options, program, host, event.
_PROGRAM_AT, _HOST_AT, _EVENT_AT = 3, 4, 5


def put_hooks(text: str | None, host: str, groups: Mapping[str, Mapping[str, Any]]) -> str:
    """Add one group of hooks for each event of the host, or bring ours up to date. Raises CannotEdit."""
    text = text or ""
    for event, group in groups.items():
        placed = list(_ours(jsonc.read(text), host, event))
        place = placed[0] if placed else len(_groups(jsonc.read(text), event))
        text = jsonc.set_at(text, (_HOOKS, event, place), group)
    return text


def take_hooks(text: str | None, host: str) -> str | None:
    """Take every group of ours out; those of others stay. Raises CannotEdit."""
    if not text:
        return text
    for event in _events(jsonc.read(text)):
        for place in reversed(list(_ours(jsonc.read(text), host, event))):
            text = jsonc.unset_at(text, (_HOOKS, event, place), prune=True)
    return text


def hooks_of(text: str | None, host: str) -> dict[str, Command]:
    """Our word for an event -> the command that the host runs then. Raises CannotEdit."""
    settings = jsonc.read(text or "")
    found: dict[str, Command] = {}
    for event in _events(settings):
        for place in _ours(settings, host, event):
            for hook in _commands(_groups(settings, event)[place]):
                words = _words(hook)
                found[words[_EVENT_AT]] = Command(words=words)
    return found


def _events(settings: object) -> tuple[str, ...]:
    return tuple(table_of(table_of(settings).get(_HOOKS)))


def _groups(settings: object, event: str) -> list[Any]:
    return list_of(table_of(table_of(settings).get(_HOOKS)).get(event))


def _commands(group: object) -> list[str]:
    return [text_of(table_of(hook).get("command")) for hook in list_of(table_of(group).get(_HOOKS))]


def _ours(settings: object, host: str, event: str) -> Iterator[int]:
    """The places of groups that hold hooks of ours and nothing else."""
    for place, group in enumerate(_groups(settings, event)):
        commands = _commands(group)
        if commands and all(_is_ours(command, host) for command in commands):
            yield place


def _is_ours(command: str, host: str) -> bool:
    words = _words(command)
    if len(words) <= _EVENT_AT or words[_HOST_AT] != host:
        return False
    return Path(words[_PROGRAM_AT]).parts[-2:] == HOOK_PROGRAM.parts[-2:]


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:  # somebody else's, in words of another shell
        return ()
