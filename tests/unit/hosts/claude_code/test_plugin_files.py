"""The texts of the plugin: what they tell a model must be there."""

import re

import pytest
import yaml

from vademecum.hosts.claude_code import plugin_files
from vademecum.toolbox import TOOLS

PREFIX = "mcp__plugin_vademecum_vademecum__"
NAMES = {tool.name for tool in TOOLS}


@pytest.mark.parametrize("path", plugin_files.TEXTS)
def test_every_tool_that_a_text_names_exists(path):
    text = plugin_files.text(path)
    named = set(re.findall(rf"{PREFIX}(\w+)", text)) | set(re.findall(r"`((?:memory|session)_\w+)`", text))
    assert named
    assert named <= NAMES


@pytest.mark.parametrize("path", plugin_files.TEXTS)
def test_every_text_says_what_it_is_for(path):
    assert yaml.safe_load(plugin_files.text(path).split("---\n")[1])["description"]


def test_the_skill_leads_to_tools_that_are_not_loaded_yet():
    """The host defers the tools of servers: a model has to look for them before it can call one."""
    assert f"select:{PREFIX}session_search,{PREFIX}memory_why" in plugin_files.text("skills/memory/SKILL.md")


def test_the_server_is_told_where_the_host_names_its_calls_and_which_tools_to_load(places):
    words = plugin_files.server(places)["mcpServers"]["vademecum"]["args"]
    assert words[words.index("--call-meta") + 1] == "claudecode/toolUseId"
    assert words[words.index("--everyday-meta") + 1] == "anthropic/alwaysLoad"
