"""The answers of one line."""

from vademecum.mcp.batches import Batch


def test_answers_go_out_together_when_the_last_one_is_there():
    sent = []
    batch = Batch(3, sent.append)
    batch.add({"id": 1})
    batch.add(None)
    assert sent == []
    batch.add({"id": 2})
    assert sent == [[{"id": 1}, {"id": 2}]]


def test_where_nothing_is_answered_nothing_goes_out():
    sent = []
    batch = Batch(2, sent.append)
    batch.add(None)
    batch.add(None)
    assert sent == []
