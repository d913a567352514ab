"""`vade memory`: edit memory files, each edit one commit."""

import click

from vademecum.cli.authority import who_asks
from vademecum.cli.edits import edit_options, reason_or, say_edit, text_or_stdin
from vademecum.cli.options import Commands
from vademecum.engine import Memory

__all__ = ["command"]


@click.group("memory", cls=Commands, no_args_is_help=False)
def command() -> None:
    """Edit memory files. Each edit is checked, and is one commit or none.

    PATH is a file of the memory repository; `.md` may be left out.

    In the shell of an agent an edit counts as an agent's; --yes says that it is yours.

    \b
    Examples:
      vade memory create reference/deploy --description "How we deploy" --text "Run make release."
      vade memory str-replace reference/deploy --old "make release" --new "make ship"
      vade memory insert reference/deploy --line 4 --text "Ask before you deploy on a Friday."
      vade memory rename reference/deploy reference/releases/deploy --fix-links
    """


@command.command("create")
@click.argument("path")
@click.option("--description", required=True, metavar="TEXT", help="What the page is about, in one line.")
@click.option("--text", default="", metavar="TEXT", help="The page below its header; `-` reads stdin.")
@edit_options
def create_command(
    path: str, description: str, text: str, reason: str | None, yes: bool, identity: str | None, as_json: bool
) -> None:
    """Make a page.

    \b
    Example:
      vade memory create people/ada/card --description "Ada, who reviews releases" --text - < card.md
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity).edit.create(
        path,
        description=description,
        text=text_or_stdin(text),
        reason=reason_or(reason, "Create", path),
        asked_by=asked_by,
    )
    say_edit(edit, asked_by, as_json=as_json)


@command.command("str-replace")
@click.argument("path")
@click.option("--old", required=True, metavar="TEXT", help="The text that goes, to the letter.")
@click.option("--new", required=True, metavar="TEXT", help='The text that comes; "" deletes the old one.')
@click.option("--occurrence", type=click.IntRange(min=1), metavar="N", help="Which match, where there are several.")
@click.option("--all", "every", is_flag=True, help="Every match.")
@edit_options
def str_replace_command(
    path: str,
    old: str,
    new: str,
    occurrence: int | None,
    every: bool,
    reason: str | None,
    yes: bool,
    identity: str | None,
    as_json: bool,
) -> None:
    """Replace text below a page's header. The old text must stand there once, or say which match.

    \b
    Example:
      vade memory str-replace reference/deploy --old "make release" --new "make ship"
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity, must_exist=True).edit.str_replace(
        path,
        old=old,
        new=new,
        occurrence=occurrence,
        every=every,
        reason=reason_or(reason, "Replace text in", path),
        asked_by=asked_by,
    )
    say_edit(edit, asked_by, as_json=as_json)


@command.command("insert")
@click.argument("path")
@click.option("--line", type=int, required=True, metavar="N", help="Before which line, as `vade read` counts.")
@click.option("--text", required=True, metavar="TEXT", help="One or more lines; `-` reads stdin.")
@edit_options
def insert_command(
    path: str, line: int, text: str, reason: str | None, yes: bool, identity: str | None, as_json: bool
) -> None:
    """Insert lines into a page. A line past the end appends; one in the header means the first below it.

    \b
    Example:
      vade memory insert reference/deploy --line 4 --text "Ask before you deploy on a Friday."
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity, must_exist=True).edit.insert(
        path, line=line, text=text_or_stdin(text), reason=reason_or(reason, "Insert into", path), asked_by=asked_by
    )
    say_edit(edit, asked_by, as_json=as_json)


@command.command("delete")
@click.argument("path")
@edit_options
def delete_command(path: str, reason: str | None, yes: bool, identity: str | None, as_json: bool) -> None:
    """Delete a page, or a folder with all pages in it. The history still has them.

    \b
    Example:
      vade memory delete reference/old-deploy
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity, must_exist=True).edit.delete(
        path, reason=reason_or(reason, "Delete", path), asked_by=asked_by
    )
    say_edit(edit, asked_by, as_json=as_json)


@command.command("rename")
@click.argument("old")
@click.argument("new")
@click.option("--fix-links", is_flag=True, help="Rewrite the links to it; without this they are named.")
@edit_options
def rename_command(
    old: str, new: str, fix_links: bool, reason: str | None, yes: bool, identity: str | None, as_json: bool
) -> None:
    """Move a page or a folder to where nothing is yet.

    \b
    Example:
      vade memory rename reference/deploy reference/releases/deploy --fix-links
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity, must_exist=True).edit.rename(
        old, new, fix_links=fix_links, reason=reason_or(reason, "Rename", old, "to", new), asked_by=asked_by
    )
    say_edit(edit, asked_by, as_json=as_json)


@command.command("describe")
@click.argument("path")
@click.option("--description", required=True, metavar="TEXT", help="What the page is about, in one line.")
@edit_options
def describe_command(
    path: str, description: str, reason: str | None, yes: bool, identity: str | None, as_json: bool
) -> None:
    """Give a page another description; the rest of it stays.

    \b
    Example:
      vade memory describe reference/deploy --description "How and when we deploy"
    """
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity, must_exist=True).edit.describe(
        path, description=description, reason=reason_or(reason, "Describe", path), asked_by=asked_by
    )
    say_edit(edit, asked_by, as_json=as_json)
