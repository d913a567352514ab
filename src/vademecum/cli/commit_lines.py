"""How a commit is named at a terminal: all commands of the history say it in the same words."""

from vademecum.cli.printing import flat
from vademecum.memfs import Commit, Writer

__all__ = ["commit_line", "short_id", "who"]

_ID_LENGTH = 10
_WRITERS = {
    Writer.LEARN: "learned",
    Writer.REFLECT: "reflected",
    Writer.USER: "you (edit)",
    Writer.IMPORT: "imported",
    Writer.SYNC: "synced",
    Writer.UNDO: "you (undo)",
}
_TOOL_USERS = {"human": "you", "model": "agent"}


def who(commit: Commit) -> str:
    """Who wrote it, as the person at the terminal sees it."""
    provenance = commit.provenance
    if provenance.writer is Writer.MEMORY_TOOL:
        return _TOOL_USERS.get(provenance.origin or "", "vade")
    return _WRITERS[provenance.writer]


def short_id(commit_id: str) -> str:
    """The beginning of a commit's id that every command takes."""
    return commit_id[:_ID_LENGTH]


def commit_line(commit: Commit) -> str:
    """One commit on one line: id, time, who, why, and the run that can be undone as a whole."""
    run = f"  (run {flat(commit.provenance.run)})" if commit.provenance.run else ""
    return f"{short_id(commit.id)}  {commit.at:%Y-%m-%d %H:%M}  {who(commit):<13}  {flat(commit.subject)}{run}"
