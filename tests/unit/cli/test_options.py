"""Asking a person."""

import pytest

from vademecum.cli import options
from vademecum.cli.interrupts import Unanswered
from vademecum.errors import UsageError


class Terminal:
    def __init__(self, *, is_one):
        self.isatty = lambda: is_one


def test_a_given_yes_asks_nobody(monkeypatch):
    monkeypatch.setattr(options.sys, "stdin", Terminal(is_one=False))
    assert options.confirmed("Sure?", yes=True)


def test_where_nobody_can_answer_it_is_a_wrong_call(monkeypatch):
    monkeypatch.setattr(options.sys, "stdin", Terminal(is_one=False))
    with pytest.raises(UsageError) as caught:
        options.confirmed("Sure?", yes=False)
    assert "--yes" in caught.value.next_step


def test_who_goes_away_from_a_question_is_told_how_that_leaves_things(monkeypatch):
    def gone(_question, err):
        raise options.click.Abort

    monkeypatch.setattr(options.sys, "stdin", Terminal(is_one=True))
    monkeypatch.setattr(options.click, "confirm", gone)
    with pytest.raises(Unanswered, match="nothing was changed"):
        options.confirmed("Sure?", yes=False)


@pytest.mark.parametrize("answer", [True, False])
def test_at_a_terminal_the_person_decides(monkeypatch, answer):
    monkeypatch.setattr(options.sys, "stdin", Terminal(is_one=True))
    monkeypatch.setattr(options.click, "confirm", lambda question, err: answer)
    assert options.confirmed("Sure?", yes=False) is answer
