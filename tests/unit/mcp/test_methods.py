"""Which methods there are, and what the server says of itself."""

import re

import pytest

from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.mcp.methods import QUICK, SLOW, greeting
from vademecum.mcp.versions import first_dialect
from vademecum.toolbox import tools_for


def test_our_own_methods_are_named_in_the_greeting():
    named = greeting(first_dialect(), {})["capabilities"]["experimental"]["vademecum"]["methods"]
    assert sorted(named) == ["vademecum/cite", "vademecum/context", "vademecum/event"]
    assert set(named) < set(SLOW)


def test_what_may_take_its_time_is_never_answered_between_two_messages():
    assert set(QUICK).isdisjoint(SLOW)


@pytest.mark.parametrize(("environ", "may_write"), [({}, True), ({LEARNER_VARIABLE: "1"}, False)])
def test_the_instructions_name_tools_that_are_served(environ, may_write):
    """An agent that learns for us is told of no tool that writes."""
    named = set(re.findall(r"\b(?:memory|session)_\w+", greeting(first_dialect(), environ)["instructions"]))
    assert {"memory_search", "memory_read"} <= named
    assert ("memory_add_note" in named) == may_write
    assert named <= {tool.name for tool in tools_for(environ)}
