"""What a bullet rests on is found by the name that it gives."""

import pytest

from support.consolidating import record
from support.memfs import learn
from vademecum.artifacts import render_rollout_summary, session_source, stem_digest
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.learning.said import Sayings

RAW = "### Task 1: x\noutcome: success\n- [t1] rule/project 2026-11-02T10:00:00Z: use pnpm here\n"


@pytest.mark.parametrize("name", ["s1", "s 1#x", "s_1"])
@pytest.mark.parametrize("has_state", [True, False])
def test_a_statement_is_found_whatever_characters_its_session_has(state, memory, name, has_state):
    """A source spells some of them otherwise; what is found says the id itself, by which the host knows it."""
    one = record(name, raw_memory=RAW, stem=f"2026-11-02T09-00-00-{stem_digest(name)}-work")
    path = rollout_path(one.stem)
    memory.commit({path: render_rollout_summary(summary_of(one))}, subject="x", provenance=learn())
    state.records.upsert(one)
    source = session_source(name, 1)
    said = Sayings(state if has_state else None, memory.tree()).statement(source)
    assert (said.source, said.session, said.path, said.quote) == (source, name, path, "use pnpm here")
