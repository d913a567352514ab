from contextlib import ExitStack

from vademecum.engine.desks import Shelf


def stores(closed, name):
    stack = ExitStack()
    stack.callback(closed.append, name)
    return stack


def fill(shelf, closed, names):
    for name in names:
        shelf.put(name, stores(closed, name))


class TestShelf:
    def test_what_was_not_used_for_the_longest_time_is_closed_first(self):
        closed = []
        with Shelf() as shelf:
            fill(shelf, closed, "abcdefghijklmnop")
            assert closed == []
            assert shelf.use("a")
            fill(shelf, closed, "q")
            assert closed == ["b"]
            assert (shelf.use("a"), shelf.use("b")) == (True, False)

    def test_in_the_end_all_are_closed_once(self):
        closed = []
        with Shelf() as shelf:
            fill(shelf, closed, "abc")
        assert sorted(closed) == ["a", "b", "c"]
