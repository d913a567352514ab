"""Which methods there are, and what the server says of itself."""

import re

from vademecum.mcp.instructions import INSTRUCTIONS
from vademecum.mcp.methods import QUICK, SLOW, greeting
from vademecum.mcp.versions import first_dialect
from vademecum.toolbox import TOOLS


def test_our_own_methods_are_named_in_the_greeting():
    named = greeting(first_dialect())["capabilities"]["experimental"]["vademecum"]["methods"]
    assert sorted(named) == ["vademecum/cite", "vademecum/context", "vademecum/event"]
    assert set(named) < set(SLOW)


def test_what_may_take_its_time_is_never_answered_between_two_messages():
    assert set(QUICK).isdisjoint(SLOW)


def test_the_instructions_name_tools_that_are_there():
    named = set(re.findall(r"\b(?:memory|session)_\w+", INSTRUCTIONS))
    assert {"memory_search", "memory_read", "memory_add_note"} <= named
    assert named <= {tool.name for tool in TOOLS}
