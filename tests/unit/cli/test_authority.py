"""Whose word a command is."""

import io

import click
import pytest

from vademecum.cli import authority
from vademecum.errors import RefusedError
from vademecum.learner_names import AGENT_VARIABLES
from vademecum.sessions import Origin


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def streams(monkeypatch):
    """Set which of the three streams is a terminal."""

    def choose(*terminals):
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(authority.sys, name, Terminal() if name in terminals else io.StringIO())

    return choose


@pytest.fixture(autouse=True)
def in_a_command():
    with click.Context(click.Command("undo"), info_name="vade undo"):
        yield


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_what_is_typed_or_seen_at_a_terminal_is_the_persons(streams, name):
    streams(name)
    authority.require_person(yes=False)
    assert authority.who_asks(yes=False).origin is Origin.HUMAN


def test_without_a_terminal_it_is_theirs_where_they_say_so(streams):
    streams()
    assert authority.who_asks(yes=False).origin is Origin.MODEL
    assert authority.who_asks(yes=True).origin is Origin.HUMAN
    authority.require_person(yes=True)
    with pytest.raises(RefusedError, match="`vade undo` is for the person to decide, and there is no terminal here"):
        authority.require_person(yes=False)


@pytest.mark.parametrize("variable", AGENT_VARIABLES)
def test_in_the_shell_of_an_agent_a_terminal_tells_nothing(streams, monkeypatch, variable):
    streams("stdin", "stdout", "stderr")
    monkeypatch.setenv(variable, "1")
    assert authority.who_asks(yes=False).origin is Origin.MODEL
    with pytest.raises(RefusedError, match=rf"an agent runs this shell \({variable} is set\)"):
        authority.require_person(yes=False)
    authority.require_person(yes=True)


def test_an_agent_that_learns_is_nobody_whoever_says_yes(streams, monkeypatch):
    streams("stdin")
    monkeypatch.setenv("VADEMECUM_LEARNER", "1")
    for ask in (authority.require_person, authority.who_asks):
        with pytest.raises(RefusedError, match="an agent that learns for memory changes nothing"):
            ask(yes=True)
    with pytest.raises(RefusedError):
        authority.writes(lambda: None)()


def test_a_process_without_streams_has_no_terminal(monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(authority.sys, name, None)
    assert not authority.is_terminal_here()
