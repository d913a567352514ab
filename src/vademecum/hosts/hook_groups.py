"""Hooks in the form that several hosts share: event -> groups -> commands, ours beside those of others.

    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "...", "timeout": 10}]}]}}

Ours are known by what they run; a hook that an older installation wrote is replaced where it stands.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vademecum.hosts import jsonc
from vademecum.hosts.plain import list_of, table_of, text_of
from vademecum.hosts.protocol import HOOK_PROGRAM, Command

__all__ = ["hooks_of", "put_hooks", "take_hooks"]

_HOOKS = "hooks"
#: Where they stand among the words: interpreter, two options, program, host, event.
_PROGRAM_AT, _HOST_AT, _EVENT_AT = 3, 4, 5


class _Place(NamedTuple):
    """Where one hook of an event stands, from 0."""

    group: int
    hook: int


def put_hooks(text: str | None, host: str, groups: Mapping[str, Mapping[str, Any]]) -> str:
    """Add one hook for each event of the host, or bring ours up to date where it stands. Raises CannotEdit."""
    text = text or ""
    for event, group in groups.items():
        found = list(_ours(jsonc.read(text), host, event))
        text = _without(text, event, found[1:])
        if not found:
            text = jsonc.set_at(text, (_HOOKS, event, len(_groups(jsonc.read(text), event))), group)
        elif _is_alone(text, event, found[0]):
            text = jsonc.set_at(text, (_HOOKS, event, found[0].group), group)
        else:
            text = jsonc.set_at(text, (_HOOKS, event, found[0].group, _HOOKS, found[0].hook), group[_HOOKS][0])
    return text


def take_hooks(text: str | None, host: str) -> str | None:
    """Take every hook of ours out, with its group where nothing else stands in it. Raises CannotEdit."""
    if not text:
        return text
    for event in _events(jsonc.read(text)):
        text = _without(text, event, list(_ours(jsonc.read(text), host, event)))
    return text


def _without(text: str, event: str, places: Sequence[_Place]) -> str:
    for place in reversed(places):  # so that those before it stay where they are
        if _is_alone(text, event, place):
            text = jsonc.unset_at(text, (_HOOKS, event, place.group), prune=True)
        else:
            text = jsonc.unset_at(text, (_HOOKS, event, place.group, _HOOKS, place.hook))
    return text


def _is_alone(text: str, event: str, place: _Place) -> bool:
    return len(_commands(_groups(jsonc.read(text), event)[place.group])) == 1


def hooks_of(text: str | None, host: str) -> dict[str, Command]:
    """Our word for an event -> the command that the host runs then. Raises CannotEdit."""
    settings = jsonc.read(text or "")
    found: dict[str, Command] = {}
    for event in _events(settings):
        for group, hook in _ours(settings, host, event):
            words = _words(_commands(_groups(settings, event)[group])[hook])
            found[words[_EVENT_AT]] = Command(words=words)
    return found


def _events(settings: object) -> tuple[str, ...]:
    return tuple(table_of(table_of(settings).get(_HOOKS)))


def _groups(settings: object, event: str) -> list[Any]:
    return list_of(table_of(table_of(settings).get(_HOOKS)).get(event))


def _commands(group: object) -> list[str]:
    return [text_of(table_of(hook).get("command")) for hook in list_of(table_of(group).get(_HOOKS))]


def _ours(settings: object, host: str, event: str) -> Iterator[_Place]:
    """Where hooks of ours stand, also where a person's own stands beside one in its group."""
    for group, held in enumerate(_groups(settings, event)):
        for hook, command in enumerate(_commands(held)):
            if _is_ours(command, host):
                yield _Place(group, hook)


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
