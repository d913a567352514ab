"""What a hook must know of the settings, where it finds it without parsing TOML: `<home>/runtime/hook.json`."""

import os

import msgspec

from vademecum.config import Scope, load_config
from vademecum.errors import StorageError
from vademecum.home import Home
from vademecum.private import read_plain_file, replace_private_file

__all__ = ["HookSettings", "is_published", "publish_hook_settings"]

_MOST_BYTES = 4096


class HookSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The content of hook.json."""

    version: int = 1
    #: The settings file that it was made from: its time in nanoseconds and its size; empty where there was none.
    config: tuple[int, ...] = ()
    use_memories: bool
    generate_memories: bool
    budget_tokens: int
    #: Whether the identity depends on the folder, so that routes.json has to be asked.
    by_folder: bool


def publish_hook_settings(home: Home) -> None:
    """Write hook.json, if it is not there or was made from other settings. Raises ConfigError; as `Home.create`."""
    if is_published(home):
        return
    config = _stamp(home)
    # The file only: a variable holds for the process that has it, and a hook looks at its own.
    known = load_config(home.config, {})
    settings = HookSettings(
        config=config,
        use_memories=known.use_memories,
        generate_memories=known.generate_memories,
        budget_tokens=known.budget_tokens,
        by_folder=known.scope is not Scope.GLOBAL or bool(known.routes),
    )
    home.create()
    try:
        replace_private_file(home.runtime / "hook.json", msgspec.json.encode(settings) + b"\n")
    except OSError as error:
        raise StorageError(f"{home.runtime / 'hook.json'} cannot be written: {error.strerror}") from error


def is_published(home: Home) -> bool:
    """Whether hook.json is there, whole, and made from the settings as they are."""
    return _published(home) == _stamp(home)


def _stamp(home: Home) -> tuple[int, ...]:
    try:
        status = os.stat(home.config)
    except OSError:
        return ()  # no file, or one that load_config will tell of
    return status.st_mtime_ns, status.st_size


def _published(home: Home) -> tuple[int, ...] | None:
    try:
        data = read_plain_file(home.runtime / "hook.json", most_bytes=_MOST_BYTES)
        return msgspec.json.decode(data, type=HookSettings).config
    except (OSError, msgspec.MsgspecError):
        return None  # absent, damaged, or of another version
