"""Typed settings from `<home>/config.toml` and the environment; numbers are clamped, oddities become warnings.

Names, defaults and clamps are those that users of an older memory system know from their `[memories]` table, where both
have the setting.
A wrong value never stops a run: it is replaced by the default and a warning says so. Only a file that is no TOML does.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from vademecum.errors import ConfigError
from vademecum.private import make_private_folders, replace_private_file

__all__ = ["SETTINGS", "Config", "Setting", "find_setting", "load_config", "store_setting", "unset_setting", "written"]


_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One setting: where it stands in the file, what it means, what it may be."""

    table: str
    name: str
    default: bool | int | str
    what: str
    #: Inclusive bounds for numbers.
    low: int = 0
    high: int = 0
    #: The words allowed, for texts.
    choices: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """`table.name`, as `vade config` and the environment spell it."""
        return f"{self.table}.{self.name}"

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"a whole number from {self.low} to {self.high}"
        return "one of " + ", ".join(self.choices)

    @property
    def variable(self) -> str:
        """The environment variable that overrides the file."""
        return f"VADEMECUM_{self.table}_{self.name}".upper()


SETTINGS: tuple[Setting, ...] = (
    Setting(
        table="memories",
        name="generate_memories",
        default=True,
        what="Learn from finished sessions. Off: `vade learn` does nothing and new sessions stay unlearned.",
    ),
    Setting(
        table="memories",
        name="use_memories",
        default=True,
        what="Give the memory block to agents. Off: `vade context` prints nothing.",
    ),
    Setting(
        table="memories",
        name="min_rollout_idle_hours",
        default=6,
        low=1,
        high=48,
        what="A session is finished when nothing was added for this many hours (`vade learn --now` does not wait).",
    ),
    Setting(
        table="memories",
        name="learner",
        default="extractive",
        choices=("extractive",),
        what="Who learns. `extractive` is built in, deterministic and free.",
    ),
    Setting(
        table="context",
        name="budget_tokens",
        default=4000,
        low=500,
        high=32000,
        what="The size of the block that is put into a prompt.",
    ),
    Setting(
        table="review",
        name="model_edits",
        default="system",
        choices=("system", "auto", "propose"),
        what="Which edits of an agent wait for your review: those of `system/` and of what learning writes (`system`), "
        "none (`auto`), or all (`propose`).",
    ),
)


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting with its value, and what was odd while reading them."""

    generate_memories: bool
    use_memories: bool
    #: Hours.
    min_rollout_idle_hours: int
    learner: str
    #: Tokens of the whole context block.
    budget_tokens: int
    #: `system`, `auto` or `propose`.
    model_edits: str
    warnings: tuple[str, ...] = ()


def load_config(path: Path, environ: Mapping[str, str]) -> Config:
    """The settings of this home. Raises ConfigError where the file is no TOML or cannot be read."""
    tables = _read(path)
    values: dict[str, bool | int | str] = {}
    warnings = _unknown_keys(tables)
    for setting in SETTINGS:
        raw = _entries(tables, setting.table).get(setting.name)
        if text := environ.get(setting.variable, "").strip():
            raw = _from_text(setting, text)
        value, warning = _accept(setting, raw)
        values[setting.name] = value
        warnings += [warning] if warning else []
    return msgspec.convert({**values, "warnings": warnings}, Config)


def find_setting(key: str) -> Setting:
    """The setting of this key or bare name. Raises ConfigError where there is none."""
    setting = next((setting for setting in SETTINGS if key in (setting.key, setting.name)), None)
    if setting is None:
        known = ", ".join(setting.key for setting in SETTINGS)
        raise ConfigError(f"there is no setting {key!r}", next_step=f"The settings are {known}.")
    return setting


def written(value: bool | int | str) -> str:
    """A value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def store_setting(path: Path, key: str, text: str) -> bool | int | str:
    """Write one setting into the file, keeping its comments and order; returns the value as it will be read.

    Raises ConfigError for a value that is not allowed; the file is as it was then.
    """
    setting = find_setting(key)
    value, warning = _accept(setting, _from_text(setting, text))
    if warning:
        raise ConfigError(
            f"{setting.key} cannot be {text!r}; it must be {setting.allowed}",
            intact="No setting was changed.",
            next_step=f"Run `vade config set {setting.key} VALUE` with a value that is allowed.",
        )
    document = _document(path, setting)
    document.setdefault(setting.table, {})[setting.name] = value
    _store(path, document)
    return value


def unset_setting(path: Path, key: str) -> bool:
    """Take one setting out of the file, so that its default holds again; whether it stood there."""
    setting = find_setting(key)
    document = _document(path, setting)
    if setting.name not in document.get(setting.table, {}):
        return False
    del document[setting.table][setting.name]
    _store(path, document)
    return True


def _document(path: Path, setting: Setting) -> dict[str, Any]:
    """The file with its comments and order. Raises ConfigError where it cannot take the setting."""
    if not isinstance(_read(path).get(setting.table, {}), dict):
        raise ConfigError(f"{path}: {setting.table} is a plain value, no table", paths=(str(path),))
    import tomlkit

    return tomlkit.parse(_text(path))


def _store(path: Path, document: dict[str, Any]) -> None:
    import tomlkit

    make_private_folders(path.parent)
    replace_private_file(path, tomlkit.dumps(document).encode())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}", paths=(str(path),)) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}", paths=(str(path),)) from error


def _from_text(setting: Setting, text: str) -> bool | int | str:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    if isinstance(setting.default, bool):
        return words.get(text.lower(), text)
    if isinstance(setting.default, int) and _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return text


def _accept(setting: Setting, raw: object) -> tuple[bool | int | str, str]:
    """The value to use and a warning, empty where there is nothing to say."""
    default = setting.default
    if raw is None:
        return default, ""
    if type(raw) is not type(default):
        return default, _not_used(setting, raw, default)
    if setting.choices and raw not in setting.choices:
        return default, _not_used(setting, raw, default)
    if isinstance(raw, int) and not isinstance(raw, bool) and not setting.low <= raw <= setting.high:
        clamped = min(max(raw, setting.low), setting.high)
        return clamped, _not_used(setting, raw, clamped)
    assert isinstance(raw, bool | int | str)
    return raw, ""


def _not_used(setting: Setting, raw: object, used: bool | int | str) -> str:
    shown = written(raw) if isinstance(raw, bool | int) else repr(raw)
    return f"{setting.key} is {shown}, but must be {setting.allowed}; using {written(used)}"


def _unknown_keys(tables: Mapping[str, Any]) -> list[str]:
    known: dict[str, set[str]] = {}
    for setting in SETTINGS:
        known.setdefault(setting.table, set()).add(setting.name)
    warnings: list[str] = []
    for table, content in tables.items():
        if table not in known or not isinstance(content, dict):
            warnings.append(f"{table}: unknown, ignored")
            continue
        names = _entries(tables, table)
        warnings += [f"{table}.{name}: unknown, ignored" for name in names if name not in known[table]]
    return warnings


def _entries(tables: Mapping[str, Any], table: str) -> dict[str, Any]:
    """What stands in a table; nothing where a plain value stands in its place."""
    content = tables.get(table)
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}
