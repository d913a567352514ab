"""Which project and which identity a working directory belongs to, from the disk and from routes.json alone."""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os

from vademecum.bare.files import digest, read_file

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself costs a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["project_of", "route_of"]


def project_of(folder: str) -> tuple[str, str]:
    """(root, main) of the work tree that holds a folder, as `home.work_tree` finds it; empty texts where none does."""
    for above in _upwards(folder):
        marker = above.rstrip("/") + "/.git"
        if os.path.isdir(marker):
            return above, above
        if os.path.isfile(marker):
            return above, _main_of(above, marker)
    return "", ""


def _main_of(folder: str, marker: str) -> str:
    """The main work tree of a linked one; empty where it is gone."""
    try:
        line = read_file(marker, 4096).decode("utf-8").strip()
    except (OSError, ValueError):
        return ""
    pointer = os.path.normpath(os.path.join(folder, line.removeprefix("gitdir:").strip()))
    repository, separator, _ = pointer.rpartition("/worktrees/")
    if not separator:
        return folder
    if not os.path.isfile(repository + "/HEAD"):
        return ""
    if not _points_back(pointer, marker):
        return folder
    return os.path.dirname(repository) if os.path.basename(repository) == ".git" else repository


def _points_back(entry: str, marker: str) -> bool:
    """Whether the repository knows of the work tree: else its `.git` file may be anybody's."""
    try:
        known = read_file(entry + "/gitdir", 4096).decode("utf-8").strip()
    except (OSError, ValueError):
        return False
    return os.path.realpath(os.path.join(entry, known)) == os.path.realpath(marker)


def _upwards(folder: str) -> "Iterator[str]":
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def route_of(table: dict[str, dict[str, str]], cwd: str, identities: str) -> str:
    """The identity of a working directory as `routes.Routes.of` finds it; empty where it has no memory.

    `table`: what routes.json holds; `identities`: the folder of all identities.
    """
    scope, by_hand = table.get("scope", "global"), table.get("by_hand", {})
    if not cwd.startswith("/"):
        return "default"
    folder = os.path.normpath(cwd)
    root, main = project_of(folder)
    for place in (folder, main) if main and scope != "worktree" else (folder,):
        for above in _upwards(place):
            if above in by_hand:
                return by_hand[above]
    if scope == "global":
        return "default"
    kept = _kept(table, folder)
    if kept and (not root or len(kept) > len(root)):
        return table["folders"].get(kept) or table["projects"][kept]
    project = root if scope == "worktree" else main
    if root and not project and kept == root:
        return table["projects"][root]  # the repository that this work tree belonged to is gone
    return _named_after(project or root or folder, identities)


def _kept(table: dict, folder: str) -> str:
    if folder in table.get("folders", {}):
        return folder
    projects = table.get("projects", {})
    return next((above for above in _upwards(folder) if above in projects), "")


def _named_after(project: str, identities: str) -> str:
    """The identity that bears the hash of a project in its name; of one that has none, nothing was ever learned."""
    ending = "-" + digest(project)[:8]
    return next((name for name in os.listdir(identities) if name.endswith(ending)), "")
