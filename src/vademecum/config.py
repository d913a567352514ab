"""Typed settings from `<home>/config.toml` and the environment; numbers are clamped, oddities become warnings.

Names, defaults and clamps are those that users of an older memory system know from their `[memories]` table, where both
have the setting.
A wrong value never stops a run: it is replaced by the default and a warning says so. Only a file that is no TOML does.
"""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from vademecum.config_file import entries, put, read_tables, take_out
from vademecum.errors import ConfigError, UsageError
from vademecum.guesses import did_you_mean
from vademecum.learner_names import BUILT_IN, LEARNERS
from vademecum.model_settings import MODEL_SETTINGS
from vademecum.names import valid_name
from vademecum.settings import Setting, accept, from_text, refuse_secret, written

__all__ = [
    "SETTINGS",
    "Config",
    "Scope",
    "Setting",
    "default_config",
    "find_setting",
    "load_config",
    "store_route",
    "store_setting",
    "unset_route",
    "unset_setting",
    "written",
]


_ROUTES = "routes"
_MOST_TOKENS = 1_000_000_000


class Scope(StrEnum):
    """Whose memory a folder belongs to where no name and no route of a person's says it."""

    GLOBAL = "global"  #: the default identity: one memory for everything
    REPOSITORY = "repository"  #: one identity per repository; its linked work trees share it
    WORKTREE = "worktree"  #: one identity per work tree


SETTINGS: tuple[Setting, ...] = (
    Setting(
        table="identity",
        name="scope",
        default=Scope.GLOBAL.value,
        choices=tuple(scope.value for scope in Scope),
        what="Whose memory a folder belongs to: one for everything, one per repository, or one per work tree.",
    ),
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
        default=BUILT_IN,
        choices=LEARNERS,
        what="Who learns. `extractive` is built in, deterministic and free; `model` is the one that [model] names; "
        "the others are agents that you pay for.",
    ),
    Setting(
        table="agent",
        name="program",
        default="",
        form=r"/[^\n\x00]{1,1000}",
        form_in_words="an absolute path",
        what="The program of the agent that learns; not set, it is the first of its name on the PATH.",
    ),
    Setting(
        table="agent",
        name="time_limit_minutes",
        default=20,
        low=1,
        high=240,
        what="How long an agent may take for one session, or for one consolidation, before it is ended.",
    ),
    Setting(
        table="memories",
        name="disable_on_external_context",
        default=False,
        what="Do not learn from sessions into which text from outside came: from the web, or from an MCP server.",
    ),
    Setting(
        table="memories",
        name="max_raw_memories_for_consolidation",
        default=256,
        low=1,
        high=4096,
        what="So many sessions, the best by use and age, are given to one consolidation.",
    ),
    Setting(
        table="memories",
        name="max_unused_days",
        default=30,
        low=0,
        high=365,
        what="What nobody used for so many days, in a project that rests, leaves handbook and summary; 0: never.",
    ),
    Setting(
        table="memories",
        name="max_rollouts_per_startup",
        default=2,
        low=1,
        high=128,
        what="How many sessions a learner that asks a model takes in one pass, and at once over all processes.",
    ),
    Setting(
        table="memories",
        name="max_rollout_age_days",
        default=10,
        low=0,
        high=90,
        what="Older sessions are left alone by a learner that asks a model, whatever `--since` says.",
    ),
    Setting(
        table="budget",
        name="tokens_per_run",
        default=1_000_000,
        high=_MOST_TOKENS,
        what="How many tokens, read and written, one run of a learner may take; 0: no limit.",
    ),
    Setting(
        table="budget",
        name="tokens_per_day",
        default=3_000_000,
        high=_MOST_TOKENS,
        what="How many tokens all runs of a day (UTC) may take, those of all identities together; 0: no limit.",
    ),
    Setting(
        table="budget",
        name="cost_per_day_cents",
        default=200,
        high=1_000_000,
        what="How much all runs of a day (UTC) may cost, in US cents, where prices are known; 0: no limit.",
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
        name="learn",
        default="auto",
        choices=("auto", "propose"),
        what="What was learned: `auto` writes it into memory (what is below `system/` waits for you), "
        "`propose` keeps all of it until you accept it.",
    ),
    Setting(
        table="review",
        name="model_edits",
        default="system",
        choices=("system", "auto", "propose"),
        what="Which edits of an agent wait for your review: those of `system/` and of what learning writes (`system`), "
        "none (`auto`), or all (`propose`).",
    ),
    *MODEL_SETTINGS,
)


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting with its value, and what was odd while reading them."""

    generate_memories: bool
    use_memories: bool
    #: Hours.
    min_rollout_idle_hours: int
    learner: str
    #: Absolute path; empty: the one on the PATH.
    program: str
    time_limit_minutes: int
    #: Leave sessions alone into which text from outside came.
    disable_on_external_context: bool
    #: Sessions.
    max_raw_memories_for_consolidation: int
    #: Days; 0: nothing is ever put to rest.
    max_unused_days: int
    #: Sessions, for a learner that asks a model.
    max_rollouts_per_startup: int
    #: Days, for a learner that asks a model.
    max_rollout_age_days: int
    #: 0: no limit, here and in the next two.
    tokens_per_run: int
    tokens_per_day: int
    cost_per_day_cents: int
    #: Tokens of the whole context block.
    budget_tokens: int
    #: `auto`: what was learned lands; `propose`: it waits for the person.
    learn: str
    #: `system`, `auto` or `propose`.
    model_edits: str
    scope: Scope
    #: `provider:name`; empty: none was chosen.
    extract_model: str
    #: `provider:name`; empty: the same as for extraction.
    consolidation_model: str
    #: Where the models are asked; empty: at the provider itself.
    base_url: str
    #: Name of the environment variable that holds the key; empty: the provider's own.
    api_key_env: str
    #: `auto`, `minimal`, `low`, `medium` or `high`.
    reasoning_effort: str
    #: What a model can read at once, in tokens.
    input_tokens: int
    #: The largest answer, in tokens.
    max_output_tokens: int
    #: For one request.
    timeout_seconds: int
    #: Requests in one consolidation.
    max_steps: int
    #: Folder -> the identity that a person gave it, with all below it.
    routes: dict[str, str]
    warnings: tuple[str, ...] = ()


def load_config(path: Path, environ: Mapping[str, str]) -> Config:
    """The settings of this home. Raises ConfigError where the file is no TOML or cannot be read."""
    return _config_of(read_tables(path), environ)


def default_config(environ: Mapping[str, str]) -> Config:
    """The settings of a home without a file."""
    return _config_of({}, environ)


def _config_of(tables: dict[str, Any], environ: Mapping[str, str]) -> Config:
    values: dict[str, bool | int | str] = {}
    routes, unfit = _given_routes(tables)
    warnings = _unknown_keys(tables) + unfit
    for setting in SETTINGS:
        raw = entries(tables, setting.table).get(setting.name)
        if text := environ.get(setting.variable, "").strip():
            raw = from_text(setting, text)
        value, warning = accept(setting, raw)
        values[setting.name] = value
        warnings += [warning] if warning else []
    config = msgspec.convert({**values, "routes": routes, "warnings": warnings}, Config)
    return msgspec.structs.replace(config, warnings=(*config.warnings, *_at_odds(config)))


def _at_odds(config: Config) -> list[str]:
    """Values that are allowed one by one, and together switch learning off."""
    days, hours = config.max_rollout_age_days, config.min_rollout_idle_hours
    if days * 24 > hours:
        return []
    why = "sessions are too old for a learner that asks a model before they are finished"
    return [f"memories.max_rollout_age_days is {days} and memories.min_rollout_idle_hours is {hours}: {why}"]


def find_setting(key: str) -> Setting:
    """The setting of this key or bare name. Raises ConfigError where there is none."""
    setting = next((setting for setting in SETTINGS if key in (setting.key, setting.name)), None)
    if setting is None:
        known = [setting.key if "." in key else setting.name for setting in SETTINGS]
        raise ConfigError(
            f"there is no setting {key!r}{did_you_mean(key, known)}",
            next_step="Run `vade config` to see them all, each with what it means.",
        )
    return setting


def store_setting(path: Path, key: str, text: str) -> bool | int | str:
    """Write one setting into the file, keeping its comments and order; returns the value as it will be read.

    Raises ConfigError for a value that is not allowed, SecretFound for a key; the file is as it was then.
    """
    setting = find_setting(key)
    refuse_secret(setting, text)
    value, warning = accept(setting, from_text(setting, text))
    if warning:
        raise ConfigError(
            f"{setting.key} cannot be {text!r}; it must be {setting.allowed}",
            intact="No setting was changed.",
            next_step=f"Run `vade config set {setting.key} VALUE` with a value that is allowed.",
        )
    put(path, setting.table, setting.name, value)
    return value


def unset_setting(path: Path, key: str) -> bool:
    """Take one setting out of the file, so that its default holds again; whether it stood there."""
    setting = find_setting(key)
    return take_out(path, setting.table, setting.name)


def store_route(path: Path, folder: str, identity: str) -> None:
    """Write down that a folder and all below it belong to this identity."""
    put(path, _ROUTES, folder, identity)
    for name in _spellings(path, folder):
        if name != folder:
            take_out(path, _ROUTES, name)


def unset_route(path: Path, folder: str) -> bool:
    """Take a route out of the file, however it is spelled there; whether there was one."""
    spellings = _spellings(path, folder)
    for name in spellings:
        take_out(path, _ROUTES, name)
    return bool(spellings)


def _spellings(path: Path, folder: str) -> list[str]:
    """The keys of the file that mean this folder."""
    return [name for name in entries(read_tables(path), _ROUTES) if _folder(name) == folder]


def _unknown_keys(tables: Mapping[str, Any]) -> list[str]:
    known: dict[str, set[str]] = {_ROUTES: set(entries(tables, _ROUTES))}
    for setting in SETTINGS:
        known.setdefault(setting.table, set()).add(setting.name)
    warnings: list[str] = []
    for table, content in tables.items():
        if table not in known or not isinstance(content, dict):
            warnings.append(f"{table}: unknown, ignored")
            continue
        names = entries(tables, table)
        warnings += [f"{table}.{name}: unknown, ignored" for name in names if name not in known[table]]
    return warnings


def _given_routes(tables: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """The routes that a person gave, and a warning for each entry that is none."""
    routes: dict[str, str] = {}
    warnings: list[str] = []
    for name, identity in entries(tables, _ROUTES).items():
        folder = _folder(name)
        try:
            if folder.startswith("/"):
                routes[folder] = valid_name(identity if isinstance(identity, str) else "")
            else:
                warnings.append(f"{_ROUTES}.{name!r}: not an absolute folder, ignored")
        except UsageError as error:
            warnings.append(f"{_ROUTES}.{name!r}: {error}, ignored")
    return routes, warnings


def _folder(name: str) -> str:
    """A folder as it is written in the file: `~` is the home of whoever reads it."""
    return os.path.normpath(Path(name).expanduser())
