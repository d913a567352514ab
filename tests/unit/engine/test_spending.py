from support.consolidating import AT
from vademecum.engine.spending import usage_counts
from vademecum.state import Citation, CitedKind


def test_every_answer_counts_for_what_it_cited(state):
    assert usage_counts(state) == {}
    for message, kind, cited in (
        ("m1", CitedKind.PATH, "MEMORY.md"),
        ("m2", CitedKind.PATH, "MEMORY.md"),
        ("m2", CitedKind.SESSION, "s1"),
    ):
        state.usage.count([Citation(kind=kind, cited=cited, citing_session="s9", message_id=message, at=AT)])
    assert usage_counts(state) == {"MEMORY.md": 2, "s1": 1}
