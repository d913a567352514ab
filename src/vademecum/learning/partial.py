"""Deciding on a part of a proposal: what goes together, and what the rest may not take along."""

from collections.abc import Collection, Iterator

import msgspec

from vademecum.artifacts import (
    HANDBOOK_PATH,
    ROLLOUT_FOLDER,
    SUMMARY_PATH,
    RolloutSummary,
    Section,
    keyed_bullets,
    parse_bullet,
    parse_rollout_summary,
    parse_sections,
    render_sections,
    session_source,
)
from vademecum.learning.sources import text_of
from vademecum.memfs import Proposal, Tree

__all__ = ["accepted_summary", "offered_rollouts", "with_evidence"]

#: Headings of the summary are `##`, those of projects in them `###`: the second one of a section's path.
_PROJECT_DEPTH = 2


def offered_rollouts(proposal: Proposal) -> dict[str, RolloutSummary]:
    """The rollout summaries that a proposal brings, by path."""
    paths = [path for path in proposal.commit.paths if path.startswith(ROLLOUT_FOLDER)]
    found = {path: parse_rollout_summary(text_of(proposal.tree, path)) for path in paths if proposal.tree.has(path)}
    return {path: summary for path, summary in found.items() if summary}


def with_evidence(proposal: Proposal, paths: Collection[str]) -> frozenset[str]:
    """These paths, with the rollout summaries that their lines name or rest on: memory points to nothing missing."""
    texts = [text_of(proposal.tree, path) for path in (HANDBOOK_PATH, SUMMARY_PATH) if path in paths]
    sources = {source for text in texts for bullet in keyed_bullets(text).values() for source in bullet.sources}
    sessions = {_session_in(source) for source in sources}
    rested_on = (
        path
        for path, rollout in offered_rollouts(proposal).items()
        if _session_in(session_source(rollout.session_id, 1)) in sessions or any(path in text for text in texts)
    )
    return frozenset((*paths, *rested_on))


def _session_in(source: str) -> str:
    return source.rpartition("#t")[0]


def accepted_summary(proposal: Proposal, tree: Tree) -> str | None:
    """The proposed summary with what the handbook of this revision holds of it.

    None where that brings nothing into the context: the summary has all of it, or none of the handbook was accepted.
    """
    if SUMMARY_PATH not in proposal.commit.paths:
        return None
    text = text_of(proposal.tree, SUMMARY_PATH)
    accepted = keyed_bullets(text).keys() & keyed_bullets(text_of(tree, HANDBOOK_PATH)).keys()
    shown = {key for state in (proposal.base, tree) for key in keyed_bullets(text_of(state, SUMMARY_PATH))}
    if accepted <= shown:
        return None
    sections = [
        msgspec.structs.replace(section, lines=tuple(_standing(section, accepted, tree)))
        for section in parse_sections(text)
    ]
    return render_sections(list(_held(sections)))


def _standing(section: Section, accepted: Collection[str], tree: Tree) -> Iterator[str]:
    for line in section.lines:
        bullet = parse_bullet(line)
        topic = line.rpartition(": ")[2]
        is_gone = topic.startswith(ROLLOUT_FOLDER) and not tree.has(topic)
        if not is_gone and not (bullet and bullet.key and bullet.key not in accepted):
            yield line


def _held(sections: list[Section]) -> Iterator[Section]:
    """Without the headings of projects and days below which nothing is left."""
    for at, section in enumerate(sections):
        below = sections[at:]
        depth = len(section.path)
        end = next((n for n, other in enumerate(below[1:], 1) if len(other.path) <= depth), len(below))
        if depth < _PROJECT_DEPTH or any(line.strip() for other in below[:end] for line in other.lines):
            yield section
