"""Whose word a command is."""

import click
import pytest

from vademecum.cli import authority
from vademecum.errors import RefusedError
from vademecum.learner_names import AGENT_VARIABLES
from vademecum.sessions import Origin


@pytest.fixture(autouse=True)
def in_a_command():
    with click.Context(click.Command("undo"), info_name="vade undo"):
        yield


def test_what_is_typed_is_the_persons_terminal_or_not():
    authority.require_person(yes=False)
    assert authority.who_asks(yes=False).origin is Origin.HUMAN


@pytest.mark.parametrize("variable", AGENT_VARIABLES)
def test_in_the_shell_of_an_agent_it_is_theirs_where_they_say_so(monkeypatch, variable):
    monkeypatch.setenv(variable, "1")
    assert authority.who_asks(yes=False).origin is Origin.MODEL
    with pytest.raises(RefusedError, match=rf"an agent runs this shell \({variable} is set\)"):
        authority.require_person(yes=False)
    authority.require_person(yes=True)


def test_an_agent_that_learns_is_nobody_whoever_says_yes(monkeypatch):
    monkeypatch.setenv("VADEMECUM_LEARNER", "1")
    for ask in (authority.require_person, authority.who_asks):
        with pytest.raises(RefusedError, match="an agent that learns for memory changes nothing"):
            ask(yes=True)
    with pytest.raises(RefusedError):
        authority.writes(lambda: None)()
