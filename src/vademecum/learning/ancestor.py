"""What the last consolidation left behind: whatever differs from it at HEAD, a person changed."""

from collections.abc import Mapping

from vademecum.artifacts import GENERATED
from vademecum.learning.sources import text_of
from vademecum.memfs import Commit, Repository, Tree, Writer

__all__ = ["add_to_baseline", "ancestor_of", "left_by_learning", "undos_since_learning"]

#: How far back the last commit of learning is looked for.
_SEARCHED_COMMITS = 500


def ancestor_of(repository: Repository) -> dict[str, str]:
    """Path -> text of both artefacts and the archive as they were generated last; empty where they were not."""
    baseline = repository.baseline()
    return {path: text_of(baseline, path) if baseline else _last_learned(repository, path) for path in GENERATED}


def left_by_learning(repository: Repository) -> Tree | None:
    """The last state that learning left: the baseline, or in a clone the newest commit of a run."""
    return repository.baseline() or repository.newest_by(Writer.LEARN, most=_SEARCHED_COMMITS)


def undos_since_learning(repository: Repository) -> list[Commit]:
    """The undos since learning last made a commit, newest first."""
    return repository.since(Writer.LEARN, by=Writer.UNDO, most=_SEARCHED_COMMITS)


def add_to_baseline(repository: Repository, base: Tree, own: Mapping[str, bytes | None]) -> None:
    """Note that these files on main are our own work, and no input; all other input stays what it was.

    Parameters
    ----------
    base: the revision that the work was made on: the baseline begins with it where there is none yet.
    own: path -> the content as we wrote it, before it was merged with a person's; None: we deleted it.
    """
    if not own:
        return
    edits = dict(own)
    baseline = repository.baseline()
    if baseline is None:
        # A person's edits in the files that we generate must stay visible as theirs.
        generated = {path: text.encode() or None for path, text in ancestor_of(repository).items()}
        edits = {**generated, **edits}
    repository.move_baseline(repository.overlay(baseline or base, edits))


def _last_learned(repository: Repository, path: str) -> str:
    """The text of the newest `learn` commit: a clone has no baseline, but it has the history."""
    tree = repository.newest_by(Writer.LEARN, path, most=_SEARCHED_COMMITS)
    return text_of(tree, path) if tree else ""
