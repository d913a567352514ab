"""Landing: the checked bytes of a draft become one commit on a HEAD that may have moved; conflicts are kept for review.

The draft's work is never thrown away. Each path is merged on its own: what only the draft changed lands; what both
sides changed is merged line by line; what cannot be merged, or has a hand edit that nobody committed, goes to
`refs/vademecum/proposals/<run>`.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

import msgspec

from vademecum.errors import HeadMoved
from vademecum.memfs import rules
from vademecum.memfs.drafts import Frozen
from vademecum.memfs.records import Commit, Provenance
from vademecum.memfs.refs import proposal_ref
from vademecum.memfs.repository import Repository
from vademecum.memfs.text import decode
from vademecum.memfs.tree import Tree

__all__ = ["Landing", "LandingStatus", "land"]

_NOTHING: Mapping[str, str | None] = MappingProxyType({})
_Edits = Mapping[str, bytes | None]


class LandingStatus(StrEnum):
    """What became of a draft."""

    LANDED = "landed"  #: a commit on main holds it, or all of it that had no conflict
    NO_CHANGES = "no_changes"  #: main has all of it already
    PROPOSED = "proposed"  #: nothing could land now; all of it waits for review


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of `land`."""

    status: LandingStatus
    #: The commit on main; None unless landed.
    commit: Commit | None = None
    #: The reference that keeps the conflicting paths; None when there are none.
    proposal_ref: str | None = None
    #: The paths kept there, sorted.
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
    RefusedError: an extra edit may not become durable (see `Repository.commit`).
    StorageError: the disk failed; either all or nothing landed.
    """
    proposal_ref(provenance.run or "")
    # Before anything is kept: a proposal must not hold what a commit would refuse either.
    rules.refuse_unfit(extra_edits, frozen.base, subject, provenance)
    extras = {path: None if text is None else text.encode() for path, text in extra_edits.items()}
    edits = {**frozen.edits, **extras}
    with repository.writing(f"landing run {provenance.run}"):
        done = repository.find_run(provenance, after=frozen.base.revision)
        if done is not None:
            return _landed_before(repository, frozen.base, edits, done)
        return _land_anew(repository, frozen.base, edits, subject, provenance)


def _land_anew(repository: Repository, base: Tree, edits: _Edits, subject: str, provenance: Provenance) -> Landing:
    while True:
        head = repository.tree()
        clean, conflicts = _merge(repository, base, head, edits)
        # The proposal first: killed between the two, the run is landed again and nothing is missing.
        proposal = None
        if conflicts:
            proposal = repository.keep_proposal(base, conflicts, subject=subject, provenance=provenance)
        texts = {path: None if data is None else decode(data, path) for path, data in clean.items()}
        try:
            commit = repository.commit(texts, subject=subject, provenance=provenance, on=head.revision)
        except HeadMoved:
            continue  # a person committed with plain git in between: merge with that, too
        return Landing(
            status=_status(commit, proposal),
            commit=commit,
            proposal_ref=proposal,
            conflicts=tuple(conflicts),
            seen=repository.overlay(base, {path: edits[path] for path in clean}),
        )


def _status(commit: Commit | None, proposal: str | None) -> LandingStatus:
    if commit is not None:
        return LandingStatus.LANDED
    return LandingStatus.NO_CHANGES if proposal is None else LandingStatus.PROPOSED


def _landed_before(repository: Repository, base: Tree, edits: _Edits, commit: Commit) -> Landing:
    proposal = repository.proposal(commit.provenance.run or "")
    return Landing(
        status=LandingStatus.LANDED,
        commit=commit,
        proposal_ref=None if proposal is None else proposal_ref(commit.provenance.run or ""),
        conflicts=() if proposal is None else tuple(change.path for change in base.diff(proposal)),
        seen=repository.overlay(base, {path: data for path, data in edits.items() if path in commit.paths}),
    )


def _merge(
    repository: Repository, base: Tree, head: Tree, edits: _Edits
) -> tuple[dict[str, bytes | None], dict[str, bytes | None]]:
    """Split the edits into what can land on the present HEAD, merged where both sides changed a path, and the rest."""
    clean: dict[str, bytes | None] = {}
    conflicts: dict[str, bytes | None] = {}
    for path, data in sorted(edits.items()):
        ancestor, ours = _content(base, path), _content(head, path)
        if ours in (ancestor, data):
            clean[path] = data
            continue
        merged = _merged(repository, path, ancestor or b"", ours, data)
        if merged is None:
            conflicts[path] = data
        else:
            clean[path] = merged
    for path in repository.obstacles(clean):
        del clean[path]
        conflicts[path] = edits[path]
    return clean, dict(sorted(conflicts.items()))


def _merged(
    repository: Repository, path: str, ancestor: bytes, ours: bytes | None, theirs: bytes | None
) -> bytes | None:
    """Merge two versions; None when lines overlap, one side deleted the file, or the result breaks a rule."""
    if ours is None or theirs is None:
        return None
    try:
        before = ours.decode()
    except UnicodeDecodeError:
        return None  # somebody committed a file that is not text: nothing to merge with
    merged = repository.merge_lines(ancestor, ours, theirs)
    if merged is None:
        return None
    text = merged.decode()
    breaks = rules.is_read_only(before) or rules.header_violation(text, path, before) or rules.secret_kind(text)
    return None if breaks else merged


def _content(tree: Tree, path: str) -> bytes | None:
    return tree.read_bytes(path) if tree.has(path) else None
