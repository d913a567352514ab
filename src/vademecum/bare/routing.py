"""Which project and which identity a working directory belongs to, from the disk and from routes.json alone."""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os

from vademecum.bare.files import digest, read_file

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself costs a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Iterator

    Map = dict[str, str]

__all__ = ["decide", "project_of", "route_of"]

_DEFAULT = ("default", "", "default", "")


def project_of(folder: str) -> tuple[str, str]:
    """(root, main) of the git work tree that holds a normalised folder, which may itself be gone.

    `main` is empty where a linked work tree points to nothing; both are where no work tree can be seen.
    """
    for above in _upwards(folder):
        marker = os.path.join(above, ".git")
        if os.path.isdir(marker):
            return above, above
        if os.path.isfile(marker):
            return above, _main_of(above, marker)
    return "", ""


def _main_of(folder: str, marker: str) -> str:
    """The main work tree that a linked one points to: its `.git` file says `gitdir: <main>/.git/worktrees/<name>`.

    A submodule's points elsewhere: it stands for itself. So does a folder that the repository does not know of: anybody
    can write such a file, and it must not open the memory of another project.
    """
    try:
        line = read_file(marker, 4096).decode("utf-8").strip()
    except (OSError, ValueError):
        return ""  # an unreadable pointer: the folder stands for itself
    pointer = os.path.normpath(os.path.join(folder, line.removeprefix("gitdir:").strip()))
    repository, separator, _ = pointer.rpartition("/worktrees/")
    if not separator:
        return folder
    if not os.path.isfile(os.path.join(repository, "HEAD")):
        return ""
    if not _points_back(pointer, marker):
        return folder
    return os.path.dirname(repository) if os.path.basename(repository) == ".git" else repository


def _points_back(entry: str, marker: str) -> bool:
    """Whether the repository's entry of a linked work tree, `worktrees/<name>`, is of the one with this `.git` file."""
    try:
        known = read_file(os.path.join(entry, "gitdir"), 4096).decode("utf-8").strip()
    except (OSError, ValueError):
        return False
    return os.path.realpath(os.path.join(entry, known)) == os.path.realpath(marker)


def decide(cwd: str, scope: str, by_hand: "Map", projects: "Map", folders: "Map") -> tuple[str, str, str, str]:
    """(why, folder, identity, project): what decides which identity a working directory belongs to, there or gone.

    `why`: `by_hand`, `project`, `folder` or `default`, as `routes.Chosen` says them; `folder`: the one that decided.
    Where `identity` is empty, it is the one that is named after `project`. `by_hand`, `projects` and `folders` are the
    maps of routes.json, from a folder to the name of an identity. What is no absolute path has the default identity.
    """
    if not os.path.isabs(cwd):
        return _DEFAULT
    folder = os.path.normpath(cwd)
    root, main = project_of(folder)
    for place in (folder, main) if main and scope != "worktree" else (folder,):
        given = _nearest(place, by_hand)
        if given:
            return "by_hand", given, by_hand[given], ""
    if scope == "global":
        return _DEFAULT
    kept = folder if folder in folders else _nearest(folder, projects)
    # The disk is right where it sees a work tree that is as near as what was kept, unless its repository is gone.
    project = root if scope == "worktree" else main
    if kept and (len(kept) > len(root) or (kept == root and not project)):
        return ("folder", kept, folders[kept], "") if kept in folders else ("project", kept, projects[kept], "")
    return ("project", root, "", project or root) if root else ("folder", folder, "", folder)


def route_of(table: dict[str, "Map"], cwd: str, identities: str) -> str:
    """The identity of a working directory that has a memory; empty where it has none.

    `table`: what routes.json holds; `identities`: the folder of all identities.
    """
    maps = (table.get(name, {}) for name in ("by_hand", "projects", "folders"))
    _, _, identity, project = decide(cwd, str(table.get("scope", "global")), *maps)
    return identity or _named_after(project, identities)


def _nearest(folder: str, known: "Map") -> str:
    """The folder, or the nearest above it, that a map knows; empty where it knows none."""
    return next((above for above in _upwards(folder) if above in known), "")


def _named_after(project: str, identities: str) -> str:
    """The identity that bears the hash of a project in its name; of one that has none, nothing was ever learned."""
    ending = "-" + digest(project)[:8]
    return next((name for name in os.listdir(identities) if name.endswith(ending)), "")


def _upwards(folder: str) -> "Iterator[str]":
    """The folder and those above it."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above
