"""Deciding on a part of a proposal: what goes together."""

from collections.abc import Collection

from vademecum.artifacts import (
    RENDERED,
    ROLLOUT_FOLDER,
    RolloutSummary,
    keyed_bullets,
    parse_rollout_summary,
    session_of,
    spelled_session,
)
from vademecum.learning.sources import text_of
from vademecum.memfs import Proposal

__all__ = ["offered_rollouts", "what_goes_along"]


def offered_rollouts(proposal: Proposal) -> dict[str, RolloutSummary]:
    """The rollout summaries that a proposal brings, by path."""
    paths = [path for path in proposal.commit.paths if path.startswith(ROLLOUT_FOLDER)]
    found = {path: parse_rollout_summary(text_of(proposal.tree, path)) for path in paths if proposal.tree.has(path)}
    return {path: summary for path, summary in found.items() if summary}


def what_goes_along(proposal: Proposal, paths: Collection[str]) -> frozenset[str]:
    """These paths, and what none of them may be without.

    Handbook and summary say the same, one for search and one for the context: who accepts one has accepted both. With
    them come the rollout summaries that their lines name or rest on, so that memory points to nothing missing.
    """
    rendered = [path for path in RENDERED if path in proposal.commit.paths] if set(paths) & set(RENDERED) else []
    texts = [text_of(proposal.tree, path) for path in rendered]
    sources = {source for text in texts for bullet in keyed_bullets(text).values() for source in bullet.sources}
    sessions = {session_of(source) for source in sources}
    rested_on = (
        path
        for path, rollout in offered_rollouts(proposal).items()
        if spelled_session(rollout.session_id) in sessions or any(path in text for text in texts)
    )
    return frozenset((*paths, *rendered, *rested_on))
