import pytest

from vademecum.errors import HeadMoved, NotFound
from vademecum.memfs import again_when_moved


def moves(times, then):
    """An action that a person's commits come before so many times."""
    left = iter([HeadMoved("main moved")] * times)

    def action():
        for error in left:
            raise error
        return then()

    return action


def test_it_is_done_again_until_main_stands():
    assert again_when_moved(moves(3, lambda: "done")) == "done"


def test_a_person_who_goes_on_committing_wins_in_the_end():
    """The write lock is held meanwhile: it may not be held for ever."""
    calls = []

    def action():
        calls.append(1)
        raise HeadMoved("main moved")

    with pytest.raises(HeadMoved):
        again_when_moved(action)
    assert 1 < len(calls) < 100


def test_nothing_else_is_tried_again():
    calls = []

    def action():
        calls.append(1)
        raise NotFound("there is no such page")

    with pytest.raises(NotFound):
        again_when_moved(action)
    assert calls == [1]
