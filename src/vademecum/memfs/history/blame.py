"""Who wrote each line of a file: the commit that brought it, or nobody yet where it is a hand edit."""

from collections.abc import Callable, Iterator

import msgspec
import pygit2

from vademecum.memfs.commits.commit import describe
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.git.objects import blob_at
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.history.diffs import changed_hunks
from vademecum.memfs.pages.paths import validate
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Commit, Writer
from vademecum.memfs.repository import Repository
from vademecum.secrets import mask_lines

__all__ = ["BlamedLine", "blame", "blame_lines", "said_before"]


class BlamedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a file with the commit that it came by."""

    #: File line, from 1.
    line: int
    #: Without its line end; secrets are masked.
    text: str
    #: None: a hand edit that is not committed.
    commit: Commit | None
    #: A person's words in a generated file, whoever put them where they stand now.
    is_yours: bool = False


def blame(repository: Repository, path: str, *, committed_only: bool = False) -> list[BlamedLine]:
    """Blame a file as it lies in the memory folder, or, where a person deleted it there, as it was committed.

    `committed_only`: as it was committed in any case.

    Raises
    ------
    NotFound: it is neither committed nor there.
    FrontMatterInvalid: it is no UTF-8 text.
    UnsafePath: `path` is no memory path, or a link stands there.
    """
    validate(path)
    tree = repository.tree()
    with git_failures(repository.folder):
        present = None if committed_only else WorkTree(repository.folder).read(path)
        committed = tree.read_bytes(path) if present is None or tree.has(path) else b""
        texts = mask_lines(decode(committed if present is None else present, path))
        commits = blame_lines(repository.git, tree.revision, path) if committed else []
        known = {
            commit: describe(repository.git, repository.git[commit].peel(pygit2.Commit)) for commit in set(commits)
        }
    return [
        BlamedLine(line=number, text=text, commit=None if origin is None else known[commits[origin]])
        for number, (text, origin) in enumerate(zip(texts, _origins(committed, present), strict=True), 1)
    ]


def said_before(repository: Repository, path: str, line: BlamedLine, words: Callable[[str], str]) -> BlamedLine:
    """Look through the runs that only moved a line: the line with the commit that first had its words in the file.

    `words`: what stays of a line when it is moved.
    """
    git = repository.git
    with git_failures(repository.folder):
        while line.commit and line.commit.provenance.writer is Writer.LEARN:
            parent = next(iter(git[line.commit.id].peel(pygit2.Commit).parents), None)
            former = None if parent is None else blob_at(parent.tree, path)
            if parent is None or former is None:
                break
            texts = mask_lines(decode(git[former].peel(pygit2.Blob).data, path))
            same = next((at for at, text in enumerate(texts) if words(text) == words(line.text)), None)
            if same is None:
                break
            origin = blame_lines(git, str(parent.id), path)[same]
            line = msgspec.structs.replace(line, commit=describe(git, git[origin].peel(pygit2.Commit)))
    return line


def blame_lines(git: pygit2.Repository, revision: str, path: str) -> list[str]:
    """Return for every line of a file at `revision` the commit that brought it."""
    found: list[str] = []
    for hunk in git.blame(path, newest_commit=revision):
        found += [str(hunk.final_commit_id)] * hunk.lines_in_hunk
    return found


def _origins(committed: bytes, present: bytes | None) -> Iterator[int | None]:
    """For every line of the present text its number (from 0) in the committed one, or None where it is not there."""
    position = 0
    for old, new in changed_hunks(committed, committed if present is None else present):
        yield from range(position, old.start)
        yield from (None for _ in new)
        position = old.stop
    yield from range(position, _line_count(committed))


def _line_count(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") if data else 0)
