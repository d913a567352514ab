import pytest

from vademecum.artifacts import OUR_TOOLS, is_our_command, is_our_tool


@pytest.mark.parametrize("name", sorted(OUR_TOOLS))
def test_our_tools_are_known_with_and_without_the_prefix_of_a_host(name):
    assert is_our_tool(name)
    assert is_our_tool(f"mcp__vademecum__{name}")
    assert is_our_tool(f"mcp__plugin_vademecum_vademecum__{name}")
    assert is_our_tool(f"vademecum_{name}")


@pytest.mark.parametrize("name", ["", "bash", "memory_leak_check", "my_memory", "read", "mcp__files__read", "search"])
def test_other_tools_are_not_ours(name):
    assert not is_our_tool(name)


@pytest.mark.parametrize("command", ["vade context", "  /usr/local/bin/vade search x", "python3 -m vademecum learn"])
def test_commands_that_run_our_program_are_known(command):
    assert is_our_command(command)


@pytest.mark.parametrize("command", ["", "vader --help", "evade x", "git log vade", "cat vade notes"])
def test_other_commands_are_not_ours(command):
    assert not is_our_command(command)
