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

__all__ = ["SETTINGS", "Config", "Setting", "load_config", "store_setting"]


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


def store_setting(path: Path, key: str, text: str) -> bool | int | str:
    """Write one setting into the file, keeping its comments and order; returns the value as it will be read."""
    setting = next((setting for setting in SETTINGS if key in (setting.key, setting.name)), None)
    if setting is None:
        raise ConfigError(f"there is no setting {key!r}")
    value, warning = _accept(setting, _from_text(setting, text))
    if warning:
        raise ConfigError(warning)
    if not isinstance(_read(path).get(setting.table, {}), dict):
        raise ConfigError(f"{path}: {setting.table} is a plain value, no table", paths=(str(path),))
    import tomlkit

    document = tomlkit.parse(_text(path))
    table = document.setdefault(setting.table, tomlkit.table())
    table[setting.name] = value
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replacement = path.with_name(path.name + ".new")
    replacement.write_text(tomlkit.dumps(document), encoding="utf-8")
    replacement.chmod(0o600)
    replacement.replace(path)
    return value


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
        return default, f"{setting.key}: {raw!r} is no {type(default).__name__}; using {default!r}"
    if setting.choices and raw not in setting.choices:
        return default, f"{setting.key}: {raw!r} is none of {', '.join(setting.choices)}; using {default!r}"
    if isinstance(raw, int) and not isinstance(raw, bool) and not setting.low <= raw <= setting.high:
        clamped = min(max(raw, setting.low), setting.high)
        return clamped, f"{setting.key}: {raw} is outside {setting.low}..{setting.high}; using {clamped}"
    assert isinstance(raw, bool | int | str)
    return raw, ""


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
