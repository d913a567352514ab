"""How one commit comes about: edits checked, built on the tip of main, published together with the work tree."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path

import pygit2

from vademecum.errors import HeadMoved, RefusedError, RepositoryMissing
from vademecum.memfs.commits.commit import create_commit, describe
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.git import refs
from vademecum.memfs.pages.rules import refuse_unfit
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.memfs.seeds import seed_files
from vademecum.memfs.writing.adoption import Adoption, find_hand_edits
from vademecum.memfs.writing.changeset import Changeset
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, format_file, known_format, next_step
from vademecum.memfs.writing.publication import Publication, publishing

__all__ = ["Clock", "Committing"]

#: Tells the time of a commit; aware, of any zone.
Clock = Callable[[], datetime]

_ADOPT = "Adopt hand edits"
_START = "Start the memory repository"


class Committing:
    """The commits of one repository. Each method tries once, and needs the `memory-write` lock.

    All raise `BusyError` and `HeadMoved` where a person's git command is in the way.
    """

    def __init__(
        self, root: Path, git: pygit2.Repository, clock: Clock, cache: Path | None, tree_at: Callable[[str], Tree]
    ) -> None:
        self._root, self._git, self._clock, self._cache, self._tree_at = root, git, clock, cache, tree_at

    def start(self) -> None:
        """Make the first commit: the seeds, but where something stands already."""
        files = WorkTree(self._root)
        known_format(files.read(FORMAT_PATH))
        seeds = {path: text.encode() for path, text in seed_files().items() if files.read(path) is None}
        seeds[FORMAT_PATH] = format_file(PRESENT)
        changes, provenance = Changeset(self._git, None, seeds), Provenance(writer=Writer.MEMORY_TOOL)
        with publishing(self._root, self._git, None) as publication:
            self._publish(publication, changes, None, self._build(changes, None, _START, provenance))

    def bring_to_format(self) -> None:
        """Bring an older content format to the present one, a commit a step."""
        while refs.head(self._git) is not None and (step := next_step(self._head())):
            try:
                refs.refuse_unusual_state(self._git)
            except RefusedError:
                return  # what may be written meanwhile (a proposal) does not wait for the person's merge
            subject, edits = step
            base = self._head()
            changes = Changeset(self._git, base.tree_id, edits)
            with publishing(self._root, self._git, base.revision) as publication:
                commit = self._build(changes, base.revision, subject, Provenance(writer=Writer.MEMORY_TOOL))
                changes.bring_back(self._root, publication.index, base.revision)
                # The format file is ours: what somebody wrote into it and did not commit counts for nothing.
                obstacles = changes.obstacles(self._root, publication.index)
                for obstacle in (error for path, error in obstacles.items() if path != FORMAT_PATH):
                    raise obstacle
                self._publish(publication, changes, base.revision, commit)

    def commit(
        self,
        edits: Mapping[str, str | None],
        on: str | None,
        subject: str,
        provenance: Provenance,
        cleared: Collection[str],
    ) -> Commit | None:
        """Commit whole texts by path; see `Repository.commit`."""
        base = self._head()
        if on is not None and on != base.revision:
            raise HeadMoved(f"main moved on to {base.revision[:10]}; the change was made on {on[:10]}")
        refuse_unfit(edits, base, subject, provenance, cleared=cleared)
        encoded = {path: None if text is None else text.encode() for path, text in edits.items()}
        changes = Changeset(self._git, base.tree_id, encoded)
        if not changes.edits:
            return None
        refs.refuse_unusual_state(self._git)
        with publishing(self._root, self._git, base.revision) as publication:
            commit = self._build(changes, base.revision, subject, provenance)
            changes.bring_back(self._root, publication.index, base.revision)
            for obstacle in changes.obstacles(self._root, publication.index).values():
                raise obstacle
            return self._publish(publication, changes, base.revision, commit)

    def adopt(self) -> Adoption:
        """Commit hand edits; see `Repository.adopt`."""
        refs.refuse_unusual_state(self._git)
        base = self._head()
        found = find_hand_edits(self._root, base, cache=self._cache)
        commit, refused = None, dict(found.refused)
        if not found.edits:
            return Adoption(commit=None, refused=refused)
        with publishing(self._root, self._git, base.revision) as publication:
            changes = Changeset(self._git, base.tree_id, found.edits)
            obstacles = changes.obstacles(self._root, publication.index)
            refused |= {path: str(error) for path, error in obstacles.items()}
            fit = {path: data for path, data in changes.edits.items() if path not in obstacles}
            if fit:
                changes = Changeset(self._git, base.tree_id, fit)
                made = self._build(changes, base.revision, _ADOPT, Provenance(writer=Writer.USER, origin="human"))
                commit = self._publish(publication, changes, base.revision, made)
        return Adoption(commit=commit, refused=refused)

    def obstacles(self, edits: Mapping[str, bytes | None]) -> dict[str, RefusedError]:
        """Say which edits the work tree stands in the way of, and why; by path."""
        base = self._head()
        changes = Changeset(self._git, base.tree_id, edits)
        with publishing(self._root, self._git, base.revision) as publication:
            changes.bring_back(self._root, publication.index, base.revision)
            return changes.obstacles(self._root, publication.index)

    def build(self, tree_id: pygit2.Oid, parents: list[str], subject: str, provenance: Provenance) -> str:
        """Write a commit that no branch names yet, and return its id."""
        return create_commit(self._git, tree_id, parents, subject=subject, provenance=provenance, at=self._clock())

    def _head(self) -> Tree:
        tip = refs.head(self._git)
        if tip is None:
            raise RepositoryMissing(f"the repository at {self._root} has lost its branch main")
        return self._tree_at(tip)

    def _build(self, changes: Changeset, parent: str | None, subject: str, provenance: Provenance) -> str:
        return self.build(changes.write_tree(), [] if parent is None else [parent], subject, provenance)

    def _publish(self, publication: Publication, changes: Changeset, parent: str | None, commit: str) -> Commit:
        publication.move_main(parent, commit, changes.files)
        return describe(self._git, self._git[commit].peel(pygit2.Commit), changes.edits)
