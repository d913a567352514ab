"""Where things live: the home, its identities, their folders; and which project a working directory belongs to.

    <home>/config.toml
    <home>/runtime/                            what is not of one identity: what hooks read and write, locks
    <home>/identities/<identity>/memory/       the memory repository
    <home>/identities/<identity>/state.db      the state
    <home>/identities/<identity>/search.db     the search index
    <home>/identities/<identity>/runtime/      locks, drafts, cache, pins

Directories are 0700, files 0600.
"""

import errno
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vademecum.bare import project_of
from vademecum.errors import StorageError, UnsafePath
from vademecum.names import valid_name
from vademecum.private import holds_files, make_private_folders

__all__ = ["DEFAULT_IDENTITY", "Home", "IdentityFolder", "is_broad", "project_root"]

DEFAULT_IDENTITY = "default"
_BROAD = re.compile(r"/(?:home|Users|root|srv|opt|mnt|media|var|tmp|usr|etc)?/?|/(?:home|Users)/[^/]+/?")


@dataclass(frozen=True, kw_only=True)
class IdentityFolder:
    """The folders of one identity; nothing is created by asking for a path."""

    name: str
    root: Path

    @property
    def memory(self) -> Path:
        """The git work tree."""
        return self.root / "memory"

    @property
    def state(self) -> Path:
        """The state database."""
        return self.root / "state.db"

    @property
    def search(self) -> Path:
        """The search index; may be deleted at any time."""
        return self.root / "search.db"

    @property
    def locks(self) -> Path:
        """Lock files."""
        return self.root / "runtime" / "locks"

    @property
    def drafts(self) -> Path:
        """Drafts of running learners."""
        return self.root / "runtime" / "drafts"

    @property
    def cache(self) -> Path:
        """Compiled sections; may be deleted at any time."""
        return self.root / "runtime" / "cache"

    @property
    def pins(self) -> Path:
        """What sessions were given; may be deleted at any time."""
        return self.root / "runtime" / "pins"

    @property
    def resetting(self) -> Path:
        """Names the revision that a reset puts away, as long as it is not at its end."""
        return self.root / "runtime" / "resetting"

    @property
    def exists(self) -> bool:
        """Whether a memory repository was begun here."""
        return (self.memory / ".git").is_dir()

    @property
    def is_blank(self) -> bool:
        """Whether nothing of a memory is here: neither a repository, nor files that lost theirs."""
        return not self.exists and not holds_files(self.memory)

    def create(self) -> None:
        """Make the folders, private to the user. Raises UnsafePath where a link stands in for one of them."""
        runtime = (self.locks, self.drafts, self.cache)
        for folder in (self.root.parent.parent, self.root.parent, self.root, self.locks.parent, *runtime):
            _make_private(folder)


@dataclass(frozen=True, kw_only=True)
class Home:
    """The one folder that holds everything of vademecum."""

    root: Path

    @classmethod
    def find(cls, environ: Mapping[str, str]) -> "Home":
        """`$VADEMECUM_HOME`, else `$XDG_DATA_HOME/vademecum`, else the platform's own place for data."""
        if chosen := environ.get("VADEMECUM_HOME", "").strip():
            return cls(root=Path(chosen).expanduser().absolute())
        if data := environ.get("XDG_DATA_HOME", "").strip():
            return cls(root=Path(data).absolute() / "vademecum")
        from platformdirs import user_data_path

        return cls(root=user_data_path("vademecum", appauthor=False))

    @property
    def config(self) -> Path:
        """The settings file."""
        return self.root / "config.toml"

    @property
    def runtime(self) -> Path:
        """What belongs to no one identity and may be lost."""
        return self.root / "runtime"

    @property
    def locks(self) -> Path:
        """Lock files of the whole home."""
        return self.runtime / "locks"

    @property
    def is_there(self) -> bool:
        """Whether anything of ours is here: an empty folder may be the place of a disk that is not mounted.

        A hook asks the same of `vademecum.bare`.
        """
        return any(os.path.lexists(place) for place in (self.runtime, self.root / "identities", self.config))

    def create(self) -> None:
        """Make the folders that belong to no one identity. Raises as `IdentityFolder.create`."""
        for folder in (self.root, self.runtime, self.locks):
            _make_private(folder)

    def identity(self, name: str) -> IdentityFolder:
        """The identity of this name, there or not. Raises UsageError for what is no name."""
        spelled = valid_name(name)
        return IdentityFolder(name=spelled, root=self.root / "identities" / spelled)

    def identities(self) -> list[IdentityFolder]:
        """Every identity that has a memory repository, by name."""
        parent = self.root / "identities"
        if not parent.is_dir():
            return []
        folders = (IdentityFolder(name=entry.name, root=entry) for entry in sorted(parent.iterdir()))
        return [folder for folder in folders if folder.exists]


def _make_private(folder: Path) -> None:
    try:
        make_private_folders(folder)
    except OSError as error:
        if folder.is_symlink():
            raise UnsafePath(f"{folder} is a link", paths=(str(folder),)) from error
        reason = "the disk is full" if error.errno == errno.ENOSPC else error.strerror
        raise StorageError(f"{folder} cannot be created: {reason}", paths=(str(folder),)) from error
    if folder.is_symlink():
        raise UnsafePath(
            f"{folder} is a link; the memory's own folders must be real ones",
            next_step="Move the folder it points to into its place, or set VADEMECUM_HOME to the real folder.",
            paths=(str(folder),),
        )


def is_broad(project: str) -> bool:
    """Whether a folder is too wide to be one project: the root, a home folder, a well-known parent of many projects.

    What was said in such a folder applies to that folder only, never to the projects below it.
    """
    return _BROAD.fullmatch(project) is not None


def project_root(cwd: str) -> str:
    """The project that a working directory belongs to: the root of its git work tree where one can be seen.

    A linked work tree belongs to the project of its main work tree, so that worktrees share what was said in any of
    them. A folder that is gone, or in no repository, is its own project. Empty stays empty.
    """
    if not cwd:
        return ""
    folder = os.path.normpath(cwd)
    root, main = project_of(folder)
    return main or root or folder
