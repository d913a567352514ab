"""Hooks in the form that several hosts share: event -> groups -> commands, ours beside those of others.

    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "...", "timeout": 10}]}]}}

Ours are known by what they run; a hook that an older installation wrote is replaced where it stands.
"""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vademecum.hosts import jsonc
from vademecum.hosts.protocol import HOOK_PROGRAM, Command

__all__ = ["hooks_of", "put_hooks", "take_hooks"]

_HOOKS = "hooks"
#: Interpreter, two options, program, host, event.
_PROGRAM_AT = 3


def put_hooks(text: str | None, host: str, groups: Mapping[str, Mapping[str, Any]]) -> str:
    """Add one group of hooks for each event of the host, or bring ours up to date. Raises CannotEdit."""
    text = text or ""
    for event, group in groups.items():
        placed = list(_ours(jsonc.read(text), host, event))
        place = placed[0] if placed else _count(jsonc.read(text), event)
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
            words = _words(settings[_HOOKS][event][place][_HOOKS][0]["command"])
            found[words[_PROGRAM_AT + 2]] = Command(words=words)
    return found


def _events(settings: Any) -> tuple[str, ...]:  # noqa: ANN401  a host's file
    hooks = settings.get(_HOOKS) if isinstance(settings, dict) else None
    return tuple(hooks) if isinstance(hooks, dict) else ()


def _count(settings: Any, event: str) -> int:  # noqa: ANN401  as above
    return len(settings[_HOOKS][event]) if event in _events(settings) else 0


def _ours(settings: Any, host: str, event: str) -> Iterator[int]:  # noqa: ANN401  as above
    """The places of groups that hold a hook of ours and nothing else."""
    groups = settings[_HOOKS][event] if event in _events(settings) else []
    for place, group in enumerate(groups if isinstance(groups, list) else []):
        hooks = group.get(_HOOKS) if isinstance(group, dict) else None
        if isinstance(hooks, list) and hooks and all(_is_ours(hook, host) for hook in hooks):
            yield place


def _is_ours(hook: Any, host: str) -> bool:  # noqa: ANN401  as above
    command = hook.get("command") if isinstance(hook, dict) else None
    words = _words(command) if isinstance(command, str) else ()
    if len(words) < _PROGRAM_AT + 3 or words[_PROGRAM_AT + 1] != host:
        return False
    return Path(words[_PROGRAM_AT]).parts[-2:] == HOOK_PROGRAM.parts[-2:]


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:  # somebody else's, in words of another shell
        return ()
