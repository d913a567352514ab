"""What a run did to the memory: its commit, how many bullets changed by it, and which sessions it took in."""

import msgspec

from vademecum.artifacts import HANDBOOK_PATH, ROLLOUT_FOLDER, keyed_bullets
from vademecum.memfs import Repository, Tree

__all__ = ["RunWork", "work_of"]


class RunWork(msgspec.Struct, frozen=True, kw_only=True):
    """What one run changed."""

    #: 40 hexadecimal digits.
    commit: str
    #: Paths, sorted.
    files: tuple[str, ...]
    #: Bullets of the handbook, known by their keys.
    bullets_added: int
    bullets_changed: int
    bullets_removed: int
    #: Sessions whose recaps it wrote, or took out.
    sessions: int


def work_of(repository: Repository, run: str) -> RunWork | None:
    """What the newest commit of a run changed; None where it made none that still stands in history."""
    commit = repository.of_run(run)
    if commit is None:
        return None
    before, after = (_bullets(repository.tree(revision)) for revision in (f"{commit.id}~1", commit.id))
    return RunWork(
        commit=commit.id,
        files=commit.paths,
        bullets_added=len(after.keys() - before.keys()),
        bullets_changed=sum(after[key] != before[key] for key in after.keys() & before.keys()),
        bullets_removed=len(before.keys() - after.keys()),
        sessions=sum(path.startswith(ROLLOUT_FOLDER) for path in commit.paths),
    )


def _bullets(tree: Tree) -> dict[str, object]:
    text = tree.content(HANDBOOK_PATH) or b""
    return dict(keyed_bullets(text.decode(errors="replace")))
