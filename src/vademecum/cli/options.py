"""Options that many commands share, and how answers are printed."""

from collections.abc import Callable
from typing import Any

import click
import msgspec

__all__ = ["echo_json", "identity_option", "json_option"]

identity_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--identity", metavar="NAME", help="Whose memory (default: $VADEMECUM_IDENTITY, else `default`)."
)
json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


def echo_json(shape: object) -> None:
    """One object on one line."""
    click.echo(msgspec.json.encode(shape).decode())
