"""Landing: the checked bytes of a draft become one commit on a HEAD that may have moved; conflicts are kept for review.

The draft's work is never thrown away. Each path is merged on its own: what only the draft changed lands; what both
sides changed is merged line by line; what cannot be merged, or has a hand edit that nobody committed, goes to
`refs/vademecum/proposals/<run>`. So does what a draft changes under `system/`: it would stand in every prompt, and a
person looks at it first.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

import msgspec

from vademecum.memfs.commits.commit import newest_commit_where
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.git.refs import proposal_ref
from vademecum.memfs.landing.attempts import again_when_moved
from vademecum.memfs.landing.drafts import Frozen
from vademecum.memfs.landing.merging import Edits, Merged, merge
from vademecum.memfs.pages import rules
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Commit, Provenance
from vademecum.memfs.repository import Repository

__all__ = ["Landing", "LandingStatus", "land", "propose"]

_NOTHING: Mapping[str, str | None] = MappingProxyType({})


class LandingStatus(StrEnum):
    """What became of a draft."""

    LANDED = "landed"  #: a commit on main holds it, or all of it that waits for nobody
    NO_CHANGES = "no_changes"  #: main has all of it already
    PROPOSED = "proposed"  #: nothing could land now; all of it waits for review


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of `land`."""

    status: LandingStatus
    #: The commit on main; None unless landed.
    commit: Commit | None = None
    #: The reference that keeps the paths that wait for a person; None when there are none.
    proposal_ref: str | None = None
    #: The paths kept there, sorted: in conflict, under `system/`, or all of them where everything is to be reviewed.
    conflicts: tuple[str, ...] = ()
    #: The tree that the run has seen, with what landed of its own work: the next baseline.
    seen: str


def land(
    repository: Repository,
    frozen: Frozen,
    *,
    subject: str,
    provenance: Provenance,
    extra_edits: Mapping[str, str | None] = _NOTHING,
) -> Landing:
    """Land a frozen draft that passed `check`. Landing the same run again finds the first commit and changes nothing.

    Parameters
    ----------
    repository: where the draft was opened.
    frozen: what `check` has seen; exactly these bytes land.
    subject: first line of the commit's message.
    provenance: its `run` is required.
    extra_edits: files of the engine's own that belong to the same commit; they win over the draft's.

    Raises
    ------
    UsageError: the run is missing, or cannot be part of a reference's name.
    BusyError: others were writing for 30 s.
    HeadMoved: a person committed faster than this could land; all of it can be landed again.
    RefusedError: an extra edit may not become durable (see `Repository.commit`).
    StorageError: the disk failed; either all or nothing landed.
    """
    edits = _all_edits(frozen, subject, provenance, extra_edits)
    with repository.writing(f"landing run {provenance.run}"):
        done = repository.find_run(provenance, after=frozen.base.revision)
        if done is not None:
            return _landed_before(repository, frozen.base, edits, done)
        return again_when_moved(lambda: _land_anew(repository, frozen.base, edits, subject, provenance))


def propose(
    repository: Repository,
    frozen: Frozen,
    *,
    subject: str,
    provenance: Provenance,
    extra_edits: Mapping[str, str | None] = _NOTHING,
) -> Landing:
    """Keep all of a frozen draft that passed `check` for review. Parameters and errors are those of `land`.

    A run of which a person took in or rejected something already is not proposed again.
    """
    base = frozen.base
    edits = _all_edits(frozen, subject, provenance, extra_edits)
    changes = {path: data for path, data in edits.items() if base.content(path) != data}
    with repository.writing(f"proposing run {provenance.run}"):
        if not changes or newest_commit_where(
            repository.git, lambda found: found.run == provenance.run, until=repository.head()
        ):
            return Landing(status=LandingStatus.NO_CHANGES, seen=base.tree_id)
        ref = repository.keep_proposal(base, changes, subject=subject, provenance=provenance)
    return Landing(status=LandingStatus.PROPOSED, proposal_ref=ref, conflicts=tuple(sorted(changes)), seen=base.tree_id)


def _all_edits(
    frozen: Frozen, subject: str, provenance: Provenance, extra_edits: Mapping[str, str | None]
) -> dict[str, bytes | None]:
    proposal_ref(provenance.run or "")
    # Before anything is kept: a proposal must not hold what a commit would refuse either.
    rules.refuse_unfit(extra_edits, frozen.base, subject, provenance)
    extras = {path: None if text is None else text.encode() for path, text in extra_edits.items()}
    return {**frozen.edits, **extras}


def _land_anew(repository: Repository, base: Tree, edits: Edits, subject: str, provenance: Provenance) -> Landing:
    head = repository.tree()
    clean, conflicts = _split(merge(repository, base, head, edits), head, edits)
    # The proposal first: killed between the two, the run is landed again and nothing is missing.
    proposal = None
    if conflicts:
        proposal = repository.keep_proposal(base, conflicts, subject=subject, provenance=provenance)
    else:
        repository.drop_proposal(provenance.run or "")  # of an attempt before this one that had some
    texts = {path: None if data is None else decode(data, path) for path, data in clean.items()}
    commit = repository.commit(texts, subject=subject, provenance=provenance, on=head.revision)
    return Landing(
        status=_status(commit, proposal),
        commit=commit,
        proposal_ref=proposal,
        conflicts=tuple(conflicts),
        seen=repository.overlay(base, {path: edits[path] for path in clean}),
    )


def _split(merged: Merged, head: Tree, edits: Edits) -> Merged:
    """What may land, and what waits for a person: conflicts, and whatever is new under `system/`."""
    held = {path for path, data in merged.clean.items() if rules.is_block(path) and data != head.content(path)}
    clean = {path: data for path, data in merged.clean.items() if path not in held}
    waits = {**merged.conflicts, **{path: edits[path] for path in held}}
    return Merged(clean, dict(sorted(waits.items())))


def _status(commit: Commit | None, proposal: str | None) -> LandingStatus:
    if commit is not None:
        return LandingStatus.LANDED
    return LandingStatus.NO_CHANGES if proposal is None else LandingStatus.PROPOSED


def _landed_before(repository: Repository, base: Tree, edits: Edits, commit: Commit) -> Landing:
    proposal = repository.proposal(commit.provenance.run or "")
    conflicts = () if proposal is None else tuple(change.path for change in base.diff(proposal))
    return Landing(
        status=LandingStatus.LANDED,
        commit=commit,
        proposal_ref=None if proposal is None else proposal_ref(commit.provenance.run or ""),
        conflicts=conflicts,
        seen=repository.overlay(base, {path: data for path, data in edits.items() if path not in conflicts}),
    )
