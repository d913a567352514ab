from contextlib import ExitStack

from vademecum.engine.open_stores import OpenStores


def stores(closed, name):
    stack = ExitStack()
    stack.callback(closed.append, name)
    return stack


def fill(open_stores, closed, names):
    for name in names:
        open_stores.put(name, stores(closed, name))


class TestOpenStores:
    def test_what_was_not_used_for_the_longest_time_is_closed_first(self):
        closed = []
        with OpenStores() as open_stores:
            fill(open_stores, closed, "abcdefghijklmnop")
            assert closed == []
            assert open_stores.use("a")
            fill(open_stores, closed, "q")
            assert closed == ["b"]
            assert (open_stores.use("a"), open_stores.use("b")) == (True, False)

    def test_in_the_end_all_are_closed_once(self):
        closed = []
        with OpenStores() as open_stores:
            fill(open_stores, closed, "abc")
        assert sorted(closed) == ["a", "b", "c"]
