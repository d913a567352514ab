"""All commands name a commit in the same words."""

from datetime import UTC, datetime

import pytest

from vademecum.cli.commit_lines import commit_line, who
from vademecum.memfs import Commit, Provenance, Writer


def commit(subject="Learn", **provenance):
    return Commit(
        id="1a2b3c4d5e" * 4,
        subject=subject,
        at=datetime(2026, 11, 5, 9, 30, tzinfo=UTC),
        provenance=Provenance(**provenance),
        paths=("a.md",),
        author="x",
    )


@pytest.mark.parametrize("writer", Writer)
@pytest.mark.parametrize("origin", [None, "human", "model"])
def test_every_commit_has_somebody_who_wrote_it(writer, origin):
    assert who(commit(writer=writer, origin=origin))


def test_an_edit_is_the_persons_the_agents_or_ours():
    told = [who(commit(writer=Writer.MEMORY_TOOL, origin=origin)) for origin in ("human", "model", None)]
    assert told == ["you", "agent", "vade"]


def test_one_line_says_when_who_why_and_in_which_run():
    assert commit_line(commit(writer=Writer.LEARN, run="r1")) == (
        "1a2b3c4d5e  2026-11-05 09:30  learned        Learn  (run r1)"
    )


def test_a_subject_with_a_line_break_forges_no_line():
    assert len(commit_line(commit("a\nb\x1b[2J", writer=Writer.USER)).splitlines()) == 1
