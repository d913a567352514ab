"""What an installation would change: each file before and after, for a person to see before anything is written."""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import msgspec

from vademecum.errors import UsageError
from vademecum.hosts.protocol import FileEdit, Host, Places
from vademecum.hosts.records import Written
from vademecum.hosts.targets import decoded, encoded, find_target, naming
from vademecum.secrets import mask_lines

__all__ = ["Change", "Plan", "change_of", "plan_install"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One file that will be written, made or deleted."""

    #: As the host calls it.
    path: Path
    #: Where its bytes lie: the end of a link.
    file: Path
    what: str
    #: None: there is no such file.
    before: bytes | None
    #: None: it is deleted.
    after: bytes | None
    #: Whether what goes may be the person's: a copy stays beside it.
    keeps_copy: bool = False
    #: Whether nothing is written but only what is ours taken out.
    takes_out: bool = False

    def diff(self) -> list[str]:
        """A unified diff, secrets masked: what is shown may stand in somebody's transcript."""
        old, new = (_lines(self.path, data) for data in (self.before, self.after))
        before, after = ("/dev/null" if data is None else str(self.path) for data in (self.before, self.after))
        return [line.rstrip("\n") for line in unified_diff(old, new, before, after)]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one command changes for one host."""

    host: Host
    changes: tuple[Change, ...]
    #: What the person should know of it, one sentence each.
    told: tuple[str, ...] = ()
    #: Whether memory is taken out; else it is plugged in.
    removes: bool = False
    #: What is known of the files that are given back whole; their backups have had their use.
    spent: tuple[Written, ...] = ()
    #: Folders that go when nothing is left in them.
    folders: tuple[Path, ...] = ()


def plan_install(host: Host, places: Places, form: str | None = None) -> Plan:
    """What plugging memory in would change; no changes: all is there. `form`: None keeps the one that stands.

    Raises CannotEdit, and UsageError for a form that the host does not have.
    """
    if form is not None and form not in host.forms:
        raise UsageError(f"{host.title} has no form {form!r}", next_step=_instead(host))
    edits = host.forms[form] if form else host.installation
    return Plan(host=host, changes=tuple(_changes(edits(places), places)), folders=host.own_folders(places))


def _instead(host: Host) -> str:
    return (
        f"Its forms are {', '.join(host.forms)}." if host.forms else f"Run `vade install {host.name}` without --form."
    )


def _changes(edits: tuple[FileEdit, ...], places: Places) -> Iterator[Change]:
    for edit in edits:
        change = change_of(edit, places)
        if change.before != change.after:
            yield change


def change_of(edit: FileEdit, places: Places) -> Change:
    """What an edit makes of its file. Raises CannotEdit."""
    target = find_target(edit.path, places.user_home)
    before = decoded(edit.path, target.data)
    with naming(edit.path):
        text = edit.change(before)
    after = None if text is None else encoded(text, target.data)
    return Change(
        path=edit.path, file=target.file, what=edit.what, before=target.data, after=after, takes_out=edit.takes_out
    )


def _lines(path: Path, data: bytes | None) -> list[str]:
    text = decoded(path, data) or ""
    return [line + "\n" for line in mask_lines(text.replace("\r\n", "\n"))] if text else []
