from support.consolidating import record
from vademecum.engine.status import waiting


def test_what_waits_is_counted_by_reason(state):
    assert waiting(state) == {}
    state.records.upsert(record())
    assert waiting(state) == {"to_consolidate": 1}
