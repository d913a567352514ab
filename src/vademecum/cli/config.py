"""`vade config`: the settings."""

import os

import click

from vademecum.cli.authority import own_word_option, require_person
from vademecum.cli.learner_choice import LEARNER_KEY, lack_of_learner
from vademecum.cli.options import Commands, json_option
from vademecum.cli.printing import flat, say, say_json, warn
from vademecum.config import SETTINGS, Setting, find_setting, load_config, store_setting, unset_setting, written
from vademecum.home import Home
from vademecum.routes import publish_routes

__all__ = ["command"]


@click.group("config", cls=Commands, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List, read and change the settings of this home.

    \b
    Examples:
      vade config
      vade config get memories.min_rollout_idle_hours
      vade config set memories.min_rollout_idle_hours 2
      vade config unset memories.min_rollout_idle_hours
    """
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List every setting with its value and meaning."""
    _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    config = load_config(Home.find(os.environ).config, os.environ)
    if as_json:
        values = {setting.key: getattr(config, setting.name) for setting in SETTINGS}
        say_json({"settings": values, "warnings": list(config.warnings)})
        return
    for setting in SETTINGS:
        say(f"{setting.key} = {_shown(getattr(config, setting.name))}\n    {setting.what}")
    for warning in config.warnings:
        warn(warning)


@command.command("get")
@click.argument("key")
@json_option
def get_command(key: str, as_json: bool) -> None:
    """Print one setting."""
    setting = find_setting(key)
    value = getattr(load_config(Home.find(os.environ).config, os.environ), setting.name)
    if as_json:
        say_json({"key": setting.key, "value": value})
        return
    say(written(value))


@command.command("set")
@click.argument("key")
@click.argument("value")
@own_word_option
@json_option
def set_command(key: str, value: str, yes: bool, as_json: bool) -> None:
    """Change one setting in config.toml; comments and order stay."""
    require_person(yes=yes)
    setting = find_setting(key)
    home = Home.find(os.environ)
    stored = store_setting(home.config, key, value)
    publish_routes(home, os.environ)
    if setting.key == LEARNER_KEY and (lack := lack_of_learner(value)) is not None:
        # Settings may be written in any order, so this one is stored.
        warn(f"{value} cannot learn yet: {lack}. {flat(lack.next_step)}".rstrip())
    if as_json:
        say_json({"key": setting.key, "value": stored})
        return
    say(f"{setting.key} = {_shown(stored)}")
    _say_what_overrides(setting)


@command.command("unset")
@click.argument("key")
@own_word_option
@json_option
def unset_command(key: str, yes: bool, as_json: bool) -> None:
    """Take one setting out of config.toml, so that its default holds again."""
    require_person(yes=yes)
    setting = find_setting(key)
    home = Home.find(os.environ)
    removed = unset_setting(home.config, key)
    publish_routes(home, os.environ)
    if as_json:
        say_json({"key": setting.key, "value": setting.default, "removed": removed})
        return
    say(f"{setting.key} = {_shown(setting.default)} (the default{'' if removed else '; it was not set'})")
    _say_what_overrides(setting)


def _shown(value: bool | int | str) -> str:
    return written(value) or "(not set)"


def _say_what_overrides(setting: Setting) -> None:
    """A change of the file that shows no effect must not be a riddle."""
    if os.environ.get(setting.variable, "").strip():
        warn(f"the environment variable {setting.variable} is set and overrides the file")
