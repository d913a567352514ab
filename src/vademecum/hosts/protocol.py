"""What a host is to the installer and to the doctor: where its files lie, what of ours stands in them, what it allows.

A host's package below this room says these things in one `Host` record; `installing` carries the edits out, so that no
host has to think of locks, backups, links, line ends or a process that is killed.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from vademecum import hook
from vademecum.findings import Finding
from vademecum.home import Home
from vademecum.hosts.plain import table_of, text_of, words_of

__all__ = ["HOME_VARIABLE", "HOOK_PROGRAM", "SERVER_MODULE", "Command", "FileEdit", "Host", "Places", "Wiring"]

HOME_VARIABLE = "VADEMECUM_HOME"
SERVER_MODULE = "vademecum.mcp"
HOOK_PROGRAM = Path(hook.__file__)


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything lies that a configuration may name."""

    user_home: Path
    environ: Mapping[str, str]
    #: The interpreter that has vademecum; a host may start in any folder, with any search path.
    python: Path
    #: The home of vademecum where a person chose another than the default one: hosts hand on little environment.
    home: Path | None = None

    @classmethod
    def here(cls, environ: Mapping[str, str]) -> "Places":
        """The places of this process. A home that its environment names is written into the files of the hosts."""
        chosen = any(environ.get(name, "").strip() for name in (HOME_VARIABLE, "XDG_DATA_HOME"))
        return cls(
            user_home=Path(environ.get("HOME") or Path.home()),
            environ=dict(environ),
            # Not resolved: the link in a virtual environment is what makes it one.
            python=Path(sys.executable).absolute(),
            home=Home.find(environ).root if chosen else None,
        )

    def mcp_command(self, *more: str) -> tuple[str, ...]:
        """The server of the tools. `-I`: the working directory is an untrusted repository, which may hold a `json.py`.

        It finds a home of the person's choice in its environment, `server_environment`.
        """
        return (str(self.python), "-I", "-m", SERVER_MODULE, *more)

    def server_environment(self) -> dict[str, str]:
        """What the server of the tools must find in its environment."""
        return {HOME_VARIABLE: str(self.home)} if self.home else {}

    def hook_command(self, host: str, event: str) -> tuple[str, ...]:
        """The program that a host runs at an event, by one of our words for events."""
        home = ("--home", str(self.home)) if self.home else ()
        return (str(self.python), "-I", "-S", str(HOOK_PROGRAM), host, event, *home)

    def hook_line(self, host: str, event: str) -> str:
        """The same as one string of shell-quoted words, for hosts that start hooks by a shell."""
        return shlex.join(self.hook_command(host, event))

    def folder(self, variable: str, default: str) -> Path:
        """The folder that a variable names, else one below the user's home."""
        chosen = self.environ.get(variable, "").strip()
        return Path(chosen).expanduser().absolute() if chosen else self.user_home / default

    def program(self, name: str) -> str | None:
        """Where a program lies on the user's PATH; None: it is not there."""
        return shutil.which(name, path=self.environ.get("PATH", ""))


class FileEdit(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a host, and what becomes of it."""

    path: Path
    #: What stands in it afterwards, or is taken out of it, as a phrase for the person who is asked.
    what: str
    #: Text before (None: no such file) to text after (None: no such file any more). Line ends are those of the file,
    #: a byte order mark is not shown. The same text comes back where nothing has to change. Raises CannotEdit.
    change: Callable[[str | None], str | None]
    #: Whether nothing is written but only what is ours taken out: there is nothing that could come back afterwards.
    takes_out: bool = False


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command of ours as it stands in a host's configuration."""

    words: tuple[str, ...]
    environ: Mapping[str, str] = {}

    @classmethod
    def of_entry(cls, entry: object) -> "Command | None":
        """The command of a server as most hosts write it: `command`, `args`, `env`; None where it starts nothing."""
        table = table_of(entry)
        words = (text_of(table.get("command")), *words_of(table.get("args")))
        return cls(words=words, environ=table_of(table.get("env"))) if words[0] else None

    @classmethod
    def of_our_server(cls, entry: object) -> "Command | None":
        """The same of a server of ours; None for one that a person gave our name."""
        command = cls.of_entry(entry)
        return command if command and SERVER_MODULE in command.words else None


class Wiring(msgspec.Struct, frozen=True, kw_only=True):
    """What of ours a host finds in its configuration now."""

    #: The server of the tools; None: the host starts none.
    server: Command | None = None
    #: Our word for an event to what is run then.
    hooks: Mapping[str, Command] = {}
    #: Our word for the event at which a session is given its block.
    block_event: str = "session-start"


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """One agent program that memory can be plugged into."""

    #: As commands and settings call it.
    name: str
    #: As its makers call it.
    title: str
    #: The name of its program on the PATH.
    program: str
    #: Whether it is used here: its folder of settings or its program is there.
    is_there: Callable[[Places], bool]
    #: The edits that plug memory in, in the form that stands in its files, else in the usual one.
    installation: Callable[[Places], tuple[FileEdit, ...]]
    #: The edits by the name of each form, where there is a choice; each takes the others out.
    forms: Mapping[str, Callable[[Places], tuple[FileEdit, ...]]] = {}
    #: The edits that take out only what is ours, from files that were edited since.
    removal: Callable[[Places], tuple[FileEdit, ...]]
    #: Folders that are wholly ours; each goes when nothing is left in it.
    own_folders: Callable[[Places], tuple[Path, ...]] = lambda _: ()
    #: What stands in its files now. Raises CannotEdit where one cannot be read.
    wiring: Callable[[Places], Wiring]
    #: What the person still has to do or to know, one sentence each.
    next_steps: tuple[str, ...] = ()
    #: What only the host itself can tell: whether it trusts our hooks, whether it sees the tools.
    examine: Callable[[Places], Iterator[Finding]] = lambda _: iter(())
