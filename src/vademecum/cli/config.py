"""`vade config`: the settings."""

import os

import click

from vademecum.cli.options import echo_json, json_option
from vademecum.config import SETTINGS, Setting, load_config, store_setting
from vademecum.errors import ConfigError
from vademecum.home import Home

__all__ = ["command"]


@click.group("config", invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List, read and change the settings of this home.

    \b
    Examples:
      vade config
      vade config get memories.min_rollout_idle_hours
      vade config set memories.min_rollout_idle_hours 2
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
        echo_json({"settings": values, "warnings": list(config.warnings)})
        return
    for setting in SETTINGS:
        click.echo(f"{setting.key} = {getattr(config, setting.name)!r}\n    {setting.what}")
    for warning in config.warnings:
        click.echo(f"warning: {warning}", err=True)


@command.command("get")
@click.argument("key")
@json_option
def get_command(key: str, as_json: bool) -> None:
    """Print one setting."""
    setting = _setting(key)
    value = getattr(load_config(Home.find(os.environ).config, os.environ), setting.name)
    if as_json:
        echo_json({"key": setting.key, "value": value})
        return
    click.echo(str(value).lower() if isinstance(value, bool) else value)


def _setting(key: str) -> Setting:
    setting = next((setting for setting in SETTINGS if key in (setting.key, setting.name)), None)
    if setting is None:
        raise ConfigError(f"there is no setting {key!r}")
    return setting


@command.command("set")
@click.argument("key")
@click.argument("value")
@json_option
def set_command(key: str, value: str, as_json: bool) -> None:
    """Change one setting in config.toml; comments and order stay."""
    stored = store_setting(Home.find(os.environ).config, key, value)
    if as_json:
        echo_json({"key": _setting(key).key, "value": stored})
        return
    click.echo(f"{_setting(key).key} = {stored!r}")
