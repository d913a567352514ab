"""The command line: one module per command, thin."""

from vademecum.cli.app import cli

__all__ = ["cli", "main"]


def main() -> None:
    """Entry point of `vade`."""
    cli.main(prog_name="vade")
