"""What the last consolidation left behind: whatever differs from it at HEAD, a person changed."""

from collections.abc import Mapping

from vademecum.artifacts import GENERATED
from vademecum.learning.sources import text_of
from vademecum.memfs import Repository, Tree, Writer

__all__ = ["add_to_baseline", "ancestor_of"]

_SEARCHED_COMMITS = 200


def ancestor_of(repository: Repository) -> dict[str, str]:
    """Path -> text of both artefacts and the archive as they were generated last; empty where they were not."""
    baseline = repository.baseline()
    return {path: text_of(baseline, path) if baseline else _last_learned(repository, path) for path in GENERATED}


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
    for commit in repository.log(path, limit=_SEARCHED_COMMITS):
        if commit.provenance.writer is Writer.LEARN:
            return text_of(repository.tree(commit.id), path)
    return ""
