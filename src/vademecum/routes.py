"""Routes: which identity a working directory belongs to.

In order: the name that was given, `$VADEMECUM_IDENTITY`, a route that a person gave a folder (`[routes]` in
config.toml), the scope rule. Under scope `repository` or `worktree` the root of the work tree that is seen decides;
where it is gone, the route that was kept for it. So what was learned in a folder is found under it also after the
folder, or the repository that its work tree belonged to, was deleted.

`<home>/runtime/routes.json` is the table that a hook can read with the standard library alone; docs/format.md shows it.
"""

import json
import os
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import msgspec

from vademecum.bare import decide
from vademecum.config import Config, Scope, load_config
from vademecum.errors import StorageError, UnknownIdentity, UsageError
from vademecum.guesses import did_you_mean
from vademecum.home import DEFAULT_IDENTITY, Home, IdentityFolder
from vademecum.hook_settings import publish_hook_settings
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.names import automatic_name, is_automatic, valid_name
from vademecum.private import read_plain_file, replace_private_file

__all__ = [
    "Chosen",
    "Route",
    "Routes",
    "RoutesTable",
    "named_identity",
    "publish_routes",
    "refuse_reserved",
    "require_identity",
]

_VERSION = 1
#: A hundred thousand folders.
_MOST_BYTES = 16 * 1024 * 1024


class Chosen(StrEnum):
    """Why an identity was taken."""

    NAMED = "named"  #: by `--identity`, or by name in Python
    ENVIRONMENT = "environment"  #: by `$VADEMECUM_IDENTITY`
    BY_HAND = "by_hand"  #: a person gave the folder, or one above it, this identity
    PROJECT = "project"  #: the folder lies in this repository or work tree
    FOLDER = "folder"  #: the folder lies in no repository and stands for itself
    DEFAULT = "default"  #: the one memory for everything, or for what has no folder


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """An identity, and why it was taken."""

    identity: str
    chosen: Chosen
    #: The folder that the identity was given to; empty where no folder decided.
    folder: str = ""

    @property
    def is_by_name(self) -> bool:
        """Whether somebody named the identity, so that no folder was asked."""
        return self.chosen in (Chosen.NAMED, Chosen.ENVIRONMENT)


class RoutesTable(msgspec.Struct, kw_only=True):
    """The content of routes.json. Every map goes from an absolute folder to the name of an identity."""

    version: int = _VERSION
    #: The scope that held when the file was written.
    scope: Scope = Scope.GLOBAL
    #: Given by a person: the folder and all below it.
    by_hand: dict[str, str] = {}
    #: Roots of work trees: the folder and all below it, down to the next work tree.
    projects: dict[str, str] = {}
    #: Folders in no repository: themselves only.
    folders: dict[str, str] = {}

    def holds(self, route: Route) -> bool:
        """Whether the table says so already. What a person gives or names, and the default, is not for it."""
        known = {Chosen.PROJECT: self.projects, Chosen.FOLDER: self.folders}.get(route.chosen)
        return known is None or known.get(route.folder) == route.identity

    def take(self, route: Route) -> None:
        """Take a route of the scope rule in."""
        known = self.projects if route.chosen is Chosen.PROJECT else self.folders
        known[route.folder] = route.identity


class Routes:
    """The routes of one home under its settings. Nothing is written before `keep` or `publish`."""

    def __init__(self, home: Home, config: Config) -> None:
        self._home = home
        self._scope, self._by_hand = config.scope, config.routes

    @cached_property
    def table(self) -> RoutesTable:
        """What is written down."""
        return self._read()

    @property
    def lead_to_one(self) -> bool:
        """Whether every folder belongs to the default identity."""
        return self._scope is Scope.GLOBAL and not self._by_hand

    @property
    def is_published(self) -> bool:
        """Whether the table says what the settings say now."""
        return (self.table.scope, self.table.by_hand) == (self._scope, self._by_hand)

    def choose(self, name: str | None, environ: Mapping[str, str], cwd: str | None) -> Route:
        """The identity that was named, else that of the directory (default: the present one)."""
        if named := named_identity(name, environ):
            return Route(identity=named, chosen=Chosen.NAMED if (name or "").strip() else Chosen.ENVIRONMENT)
        if self.lead_to_one:
            return _DEFAULT
        return self.of(os.path.abspath(cwd) if cwd else _here(environ))

    def of(self, cwd: str) -> Route:
        """The identity of a working directory, there or gone; what is no absolute path has the default one."""
        if self.lead_to_one:
            return _DEFAULT
        why, folder, identity, project = decide(
            cwd, self._scope, self._by_hand, self.table.projects, self.table.folders
        )
        return Route(identity=identity or automatic_name(project), chosen=Chosen(why), folder=folder)

    def all(self) -> list[Route]:
        """Every folder with its identity, by folder: what a person gave, and what is kept of the scope rule."""
        maps = [(Chosen.BY_HAND, self._by_hand)]
        if self._scope is not Scope.GLOBAL:
            maps += [(Chosen.PROJECT, self.table.projects), (Chosen.FOLDER, self.table.folders)]
        found = (
            Route(identity=identity, chosen=chosen, folder=folder)
            for chosen, known in maps
            for folder, identity in known.items()
        )
        return sorted(found, key=lambda route: route.folder)

    def folder_of(self, route: Route, *, must_exist: bool = False) -> IdentityFolder:
        """The folders of the identity. Raises UsageError for a name that nobody may choose, UnknownIdentity."""
        folder = self._home.identity(route.identity)
        if folder.exists or not route.is_by_name:
            return folder
        if must_exist and folder.name != DEFAULT_IDENTITY:
            raise self._unknown(folder.name)
        return refuse_reserved(folder)

    def require(self, name: str) -> None:
        """Raise UnknownIdentity for a name that has no memory and that no folder was given to: it may be mistyped."""
        folder = self._home.identity(name)
        # One whose repository was lost is known all the same.
        is_known = folder.root.is_dir() or folder.name in {DEFAULT_IDENTITY, *self._by_hand.values()}
        if not is_known:
            raise self._unknown(folder.name)

    def _unknown(self, name: str) -> UnknownIdentity:
        known = sorted({DEFAULT_IDENTITY, *(folder.name for folder in self._home.identities())})
        return UnknownIdentity(
            f"there is no identity {name!r} in {self._home.root}{did_you_mean(name, known)}",
            next_step=f"`vade init --identity {name}` makes it; `vade home` lists those that there are.",
        )

    def keep(self, route: Route) -> None:
        """Write a route down, so that it outlives its folder. Raises BusyError, StorageError."""
        if not self.table.holds(route) or not self.is_published:
            self._write(route)

    def publish(self) -> None:
        """Have the table say what the settings say now; where it would say nothing, none is made."""
        if not self.is_published:
            self._write(None)

    def _write(self, route: Route | None) -> None:
        """Read, change and replace the file as one step: what other processes keep meanwhile stays."""
        self._home.create()
        with Locks(self._home.locks).hold(Domain.ROUTES, purpose="keeping a route", wait_seconds=PATIENT_SECONDS):
            table = self._read()
            table.scope, table.by_hand = self._scope, self._by_hand
            if route and not table.holds(route):
                table.take(route)
            # ASCII: a folder's name need not be Unicode.
            text = json.dumps(msgspec.to_builtins(table), indent=1, sort_keys=True)
            try:
                replace_private_file(self._file, f"{text}\n".encode())
            except OSError as error:
                raise StorageError(f"{self._file} cannot be written: {error.strerror}") from error
        self.table = table

    def _read(self) -> RoutesTable:
        """The table; an empty one where it is missing or damaged: what a person gave stands in the settings."""
        try:
            table = msgspec.convert(json.loads(read_plain_file(self._file, most_bytes=_MOST_BYTES)), RoutesTable)
            for known in (table.projects, table.folders):
                _refuse_foreign(known.values())
        except (OSError, ValueError, RecursionError, UsageError):
            return RoutesTable()
        return table

    @property
    def _file(self) -> Path:
        return self._home.runtime / "routes.json"


_DEFAULT = Route(identity=DEFAULT_IDENTITY, chosen=Chosen.DEFAULT)


def require_identity(given: str | None, home: Home, environ: Mapping[str, str]) -> None:
    """Raise UnknownIdentity where nobody made the identity that is named: a mistyped name must make no memory.

    `given`: by an option; without it, what the environment names counts. Raises UsageError for what is no name.
    """
    name = named_identity(given, environ)
    if name and not home.identity(name).exists:
        Routes(home, load_config(home.config, environ)).require(name)


def named_identity(given: str | None, environ: Mapping[str, str]) -> str:
    """The identity that an option or the environment names; empty where none does."""
    return (given or "").strip() or environ.get("VADEMECUM_IDENTITY", "").strip()


def publish_routes(home: Home, environ: Mapping[str, str]) -> None:
    """After a change of the settings: have what hooks read say what they say."""
    publish_hook_settings(home)
    Routes(home, load_config(home.config, environ)).publish()


def refuse_reserved(folder: IdentityFolder) -> IdentityFolder:
    """The folder unchanged, unless a new identity would get a name of the shape that projects' names have."""
    if is_automatic(folder.name) and not folder.exists:
        raise UsageError(
            f"{folder.name!r} is no name for a new identity: names that end so belong to projects",
            next_step="Choose another name; `vade home` lists the identities that there are.",
        )
    return folder


def _refuse_foreign(names: Collection[str]) -> None:
    """What is no name was not written by us."""
    for name in set(names):
        valid_name(name)


def _here(environ: Mapping[str, str]) -> str:
    """The present directory; of one that was deleted, the name by which the shell still knows it."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return environ.get("PWD", "")
