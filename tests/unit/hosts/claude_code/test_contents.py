"""The texts for a model: what they tell it must be there, in either form."""

import re

import pytest
import yaml

from vademecum.hosts import host_named
from vademecum.hosts.claude_code import contents
from vademecum.toolbox import TOOLS

NAMES = {tool.name for tool in TOOLS}
#: How Claude Code calls a tool of a server of each form.
TOOLS_OF = {"plugin": "mcp__plugin_vademecum_vademecum__", "settings": "mcp__vademecum__"}


@pytest.fixture(params=sorted(TOOLS_OF))
def form(request):
    return request.param


@pytest.fixture
def texts(form, places):
    """What is written in this form: name of the file -> text."""
    edits = host_named("claude-code").forms[form](places)
    return {edit.path.name: edit.change(None) for edit in edits if edit.path.suffix == ".md"}


def test_every_tool_that_a_text_names_exists(form, texts):
    for text in texts.values():
        named = set(re.findall(r"mcp__\w+?__((?:memory|session)_\w+)", text))
        assert named | set(re.findall(r"`((?:memory|session)_\w+)`", text)) <= NAMES
        assert named or TOOLS_OF[form] in text


def test_a_skill_is_called_as_its_folder(form, places):
    """As the format of skills asks for."""
    edits = host_named("claude-code").forms[form](places)
    (skill,) = (edit for edit in edits if edit.path.name == "SKILL.md")
    assert yaml.safe_load(skill.change(None).split("---\n")[1])["name"] == skill.path.parent.name


def test_no_skill_is_called_as_a_command(form, places):
    """The agent would offer a model only one of the two."""
    edits = host_named("claude-code").forms[form](places)
    names = [
        edit.path.parent.name if edit.path.name == "SKILL.md" else edit.path.stem
        for edit in edits
        if edit.path.suffix == ".md"
    ]
    assert len(set(names)) == len(names) == 3


def test_tools_are_called_as_the_host_calls_those_of_this_form(form, texts):
    begins = {found for text in texts.values() for found in re.findall(r"mcp__\w*?vademecum__", text)}
    assert begins == {TOOLS_OF[form]}
    assert not any("{" in text for text in texts.values())


def test_every_text_says_what_it_is_for(texts):
    assert len(texts) == len(contents.TEXTS)
    assert all(yaml.safe_load(text.split("---\n")[1])["description"] for text in texts.values())


def test_the_skill_leads_to_tools_that_are_not_loaded_yet(form, texts):
    """The host defers the tools of servers: a model has to look for them before it can call one."""
    tools = TOOLS_OF[form]
    assert f"select:{tools}session_search,{tools}memory_why" in texts["SKILL.md"]


def test_the_server_is_told_where_the_host_names_its_calls_and_which_tools_to_load(places):
    words = contents.server_entry(places)["args"]
    assert words[words.index("--call-meta") + 1] == "claudecode/toolUseId"
    assert words[words.index("--everyday-meta") + 1] == "anthropic/alwaysLoad"
