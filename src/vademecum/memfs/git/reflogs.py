"""Git's own histories of a reference: which commits it named, when, and by which act. Ours are those of main.

A line: the old commit, the new one, who, a tab, and what was done with the commit's subject.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pygit2

from vademecum.memfs.git.opening import MAIN
from vademecum.memfs.git.refs import commit_or_none
from vademecum.memfs.messages import subject_of
from vademecum.private import make_private_folders, replace_private_file

__all__ = ["NO_COMMIT", "OWN_REFLOGS", "append_reflogs", "commits_in", "reflog_commits", "rewrite_reflogs"]

#: The histories of main that git keeps; they are rewritten with it.
OWN_REFLOGS = ("HEAD", MAIN)

#: What stands in the place of a commit where there was none yet.
NO_COMMIT = "0" * 40

_LINE = re.compile(r"(?P<old>[0-9a-f]{40}) (?P<new>[0-9a-f]{40}) (?P<who>[^\t]*)(?:\t(?P<what>.*))?")
_ID = re.compile(r"\b[0-9a-f]{40}\b")


def append_reflogs(git: pygit2.Repository, old: str | None, new: str) -> None:
    """Say in the histories of main that it moves to the commit `new`."""
    commit = git[new].peel(pygit2.Commit)
    author = commit.committer
    subject = commit.message.partition("\n")[0]
    line = f"{old or NO_COMMIT} {new} {author.name} <{author.email}> {author.time} +0000\tcommit: {subject}\n"
    for file in _own_files(git):
        make_private_folders(file.parent)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(file, flags, 0o600), "ab") as stream:
            stream.write(line.encode())


def rewrite_reflogs(git: pygit2.Repository, rewritten: Mapping[str, str | None]) -> None:
    """Put new commits in the place of old ones in the histories of main; None: lines that name it go."""
    for file in _own_files(git):
        if file.exists():
            kept = (_moved(line, git, rewritten) for line in _text(file).splitlines())
            replace_private_file(file, "".join(f"{line}\n" for line in kept if line).encode())


def reflog_commits(git: pygit2.Repository, file: Path) -> tuple[str, ...]:
    """List the commits that a reflog names and the repository still has."""
    found = filter(None, map(_LINE.match, _text(file).split("\n")))
    return _known(git, (line[name] for line in found for name in ("old", "new")))


def commits_in(git: pygit2.Repository, file: Path) -> tuple[str, ...]:
    """List the commits that any file of git's names and the repository still has."""
    return _known(git, _ID.findall(_text(file)))


def _own_files(git: pygit2.Repository) -> list[Path]:
    return [Path(git.path) / "logs" / name for name in OWN_REFLOGS]


def _known(git: pygit2.Repository, ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(one for one in dict.fromkeys(ids) if one != NO_COMMIT and commit_or_none(git, one) is not None)


def _text(file: Path) -> str:
    # A pipe would be waited for.
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _moved(line: str, git: pygit2.Repository, rewritten: Mapping[str, str | None]) -> str:
    """A line with the new commits and the new subject; empty where one of its commits is not there any more."""
    found = _LINE.fullmatch(line)
    if found is None or found["what"] is None:
        return ""
    old, new = (rewritten.get(found[name], found[name]) for name in ("old", "new"))
    commit = commit_or_none(git, new) if new else None
    if commit is None or old is None or (old != NO_COMMIT and commit_or_none(git, old) is None):
        return ""
    kind = found["what"].partition(":")[0]
    return f"{old} {new} {found['who']}\t{kind}: {subject_of(commit.message)}"
