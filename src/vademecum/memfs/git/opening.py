"""The git boundary: opening a repository so that nothing but the repository itself decides what happens.

libgit2 reads the person's and the system's configuration from its search paths, follows `.git` files, alternates and
`core.worktree`, and creates files with the process's umask. All of that is closed here. `GIT_*` variables are never
read: libgit2 looks at them only in the "open from environment" mode, which is not used.
"""

import os
import re
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, RepositoryInitFlag

from vademecum.errors import RepositoryMissing, StorageError, UnsafePath
from vademecum.memfs.git.odd_objects import refuse_odd_objects
from vademecum.private import holds_files

__all__ = [
    "MAIN",
    "MENDING",
    "create_git",
    "git_failures",
    "objects_with",
    "open_git",
    "refuse_foreign_layout",
    "refuse_links",
]

MAIN = "refs/heads/main"

#: What helps when an object is damaged or missing.
MENDING = (
    "The files in the folder are as they were: copy it whole first. A clone or backup from before the damage mends it: "
    "copy what its .git/objects holds into the one here, then run `vade doctor`."
)
#: What git reads whenever it is asked anything.
_FOLDERS = ("objects", "refs", "refs/heads", "refs/vademecum")
_FILES = ("config", "HEAD", "index", "packed-refs", "shallow", MAIN, "refs/vademecum/baseline")
#: What git only writes to, and begins anew where it is missing.
_LOGS = ("logs/HEAD", f"logs/{MAIN}")
#: What makes git look elsewhere, and how to do without it.
_ELSEWHERE = {
    "commondir": "Put a clone in the place of the memory folder, whose .git is whole.",
    "objects/info/alternates": "Run `git repack -ad` in the memory folder, so that it has all objects itself, then "
    "delete the file.",
    "config.worktree": "Move the settings that you need from it to .git/config, delete it, and run "
    "`git config --unset extensions.worktreeConfig` in the memory folder.",
}
#: How libgit2 words what it finds in an object that is broken or gone.
_DAMAGE = re.compile(r"inflat|zlib|checksum|hash mismatch|object not found|(?:corrupt|invalid|parse).* object")

_LOOSE_PRIORITY = 1  # libgit2's own order: loose objects are asked after packs
_PACK_PRIORITY = 2
_FIRST_PRIORITY = 3  # the first backend that can be written to gets what is written
_FSYNC = True
_DEFAULT_COMPRESSION = -1  # zlib's own default level

_PUT_BACK = "Something else stands in the place of git's own: put back the one of a clone or backup."
_DELETE_LOG = "Delete it: git's record of where main was begins anew, and nothing else needs it."

_LOCAL_SETTINGS = {
    "core.autocrlf": "false",  # a person's global autocrlf would rewrite every file at checkout
    "core.sharedRepository": "0600",  # what a person's own git writes here is for the owner only
}


def _isolate() -> None:
    for level in (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = ""
    pygit2.settings.enable_fsync_gitdir(_FSYNC)


# Before any repository is opened: libgit2 reads its search paths when it loads a repository's configuration.
_isolate()


def create_git(root: Path) -> None:
    """Give `root` a `.git` folder on branch main, without a commit. It appears whole, by one rename, or not at all."""
    building = root / ".vademecum-new"
    with git_failures(root):
        if building.exists():
            shutil.rmtree(building)
        building.mkdir(mode=0o700)
        repository = pygit2.init_repository(building, flags=RepositoryInitFlag.MKDIR, initial_head="main")
        for name, value in _LOCAL_SETTINGS.items():
            repository.config[name] = value
        repository.free()
        _make_private(building / ".git")
        (building / ".git").rename(root / ".git")
        building.rmdir()


def open_git(root: Path) -> pygit2.Repository:
    """Open the repository in `root`.

    Raises
    ------
    RepositoryMissing: there is none.
    UnsafePath: the root or its `.git` is a link, or the repository sends readers or writers elsewhere.
    StorageError: it cannot be read, or one of its objects is no file.
    """
    refuse_foreign_layout(root)
    with git_failures(root):
        refuse_odd_objects(root / ".git")
        repository = pygit2.Repository(str(root))
        if repository.is_bare:
            raise UnsafePath(
                f"{root / '.git'} says that it has no work tree",
                next_step=f"Run `git config core.bare false` in {root}, then try again.",
            )
        repository.set_odb(_durable_objects(root / ".git" / "objects"))
        return repository


def objects_with(backend: pygit2.OdbBackend, store: Path) -> pygit2.Odb:
    """Return an object store that reads from `store` as well as from `backend`, and writes to `backend` only."""
    objects = _durable_objects(store)
    objects.add_backend(backend, _FIRST_PRIORITY)
    return objects


@contextmanager
def git_failures(root: Path) -> Generator[None]:
    """Turn failures of libgit2 and of the file system into `StorageError`."""
    try:
        yield
    except pygit2.GitError as error:
        damaged = _DAMAGE.search(str(error)) is not None
        look = "Run `vade doctor` to see what is wrong with the repository."
        what = f"the repository in {root} is damaged" if damaged else f"git failed in {root}"
        raise StorageError(f"{what}: {error}", next_step=MENDING if damaged else look) from error
    except KeyError as error:  # how pygit2 says that an object which another one names is not there
        raise StorageError(
            f"the repository in {root} is damaged: object {error} is missing", next_step=MENDING
        ) from error
    except OSError as error:
        raise StorageError(f"cannot use {error.filename or root}: {error.strerror or error}") from error


def refuse_links(root: Path) -> None:
    """Refuse a root that is a symbolic link, or lies in a folder that is one: another could be put in its place."""
    for folder in (root.parent, root):
        if folder.is_symlink():
            raise UnsafePath(f"{folder} is a symbolic link", paths=(str(folder),))


def refuse_foreign_layout(root: Path) -> None:
    """Refuse a `.git` that is no folder, or whose objects, configuration or work tree lie somewhere else."""
    git_dir = root / ".git"
    try:
        mode = git_dir.lstat().st_mode
    except FileNotFoundError as error:
        raise _without_history(root) from error
    if not stat.S_ISDIR(mode):
        raise UnsafePath(f"{git_dir} is not a folder", paths=(str(git_dir),))
    for name, next_step in _ELSEWHERE.items():
        if os.path.lexists(f"{git_dir}/{name}"):
            what = f"{git_dir / name} sends git elsewhere"
            raise UnsafePath(what, next_step=next_step, paths=(str(git_dir / name),))
    for name in (*_FOLDERS, *_FILES):
        _refuse_oddity(f"{git_dir}/{name}", _PUT_BACK, is_folder=name in _FOLDERS)
    for name in _LOGS:
        _refuse_oddity(f"{git_dir}/{name}", _DELETE_LOG, is_folder=False)
    _refuse_redirecting_config(git_dir / "config")


def _refuse_oddity(path: str, next_step: str, *, is_folder: bool) -> None:
    """Refuse what git would follow elsewhere, or wait for without end. What is not there is no concern of ours."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISLNK(mode):
        raise UnsafePath(f"{path} is a symbolic link", paths=(path,))
    if not (stat.S_ISDIR(mode) if is_folder else stat.S_ISREG(mode)):
        kind = "folder" if is_folder else "regular file"
        raise UnsafePath(
            f"{path} is no {kind}",
            next_step=next_step,
            paths=(path,),
        )


def _without_history(root: Path) -> RepositoryMissing:
    if not holds_files(root):
        return RepositoryMissing(f"there is no memory repository at {root}")
    return RepositoryMissing(
        f"{root} holds files, but their history is gone: it has no .git",
        intact="The files are as they were.",
        next_step="Put back the .git of a clone or backup, which has the history; without one, `vade init` begins "
        "a new one, and `vade adopt` takes these files in as your own edits.",
    )


def _refuse_redirecting_config(file: Path) -> None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return
    _refuse_redirecting_content(file, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=8)
def _refuse_redirecting_content(file: Path, *_version: int) -> None:
    """Once for each version of the file: every write asks, and libgit2 takes a third of a millisecond to read it."""
    with git_failures(file):
        for entry in pygit2.Config(str(file)):
            name = entry.name.lower()
            if name == "core.worktree" or name.startswith(("include.", "includeif.")):
                raise UnsafePath(f"{file} sets {entry.name}, which sends git elsewhere", paths=(str(file),))


def _make_private(folder: Path) -> None:
    for parent, _, names in os.walk(folder):
        Path(parent).chmod(0o700)
        for name in names:
            (Path(parent) / name).chmod(0o600)


def _durable_objects(folder: Path) -> pygit2.Odb:
    # libgit2's own store uses the umask for its modes and takes alternates; this one does neither, and always fsyncs.
    objects = pygit2.Odb()
    loose = pygit2.OdbBackendLoose(str(folder), _DEFAULT_COMPRESSION, _FSYNC, 0o700, 0o400)
    objects.add_backend(loose, _LOOSE_PRIORITY)
    objects.add_backend(pygit2.OdbBackendPack(str(folder)), _PACK_PRIORITY)
    return objects
