"""Git work trees as far as the way to their root goes; no git is run."""

from pathlib import Path

__all__ = ["link_work_tree", "repository"]


def repository(folder: Path) -> Path:
    """A folder that looks like the main work tree of a repository."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def link_work_tree(folder: Path, main: Path) -> Path:
    """A folder that looks like a linked work tree of that repository."""
    store = main / ".git" / "worktrees" / folder.name
    store.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    (folder / ".git").write_text(f"gitdir: {store}\n")
    (store / "gitdir").write_text(f"{folder / '.git'}\n")
    return folder
