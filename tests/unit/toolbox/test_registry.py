import json
import subprocess
import sys

import pytest

from vademecum.artifacts import OUR_TOOLS
from vademecum.engine import AskedBy, Memory
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.toolbox import TOOLS, Access, call_tool, tools_for
from vademecum.toolbox.edit_arguments import COMMANDS, MemoryArguments

#: Reflection is not there yet.
OFFERED = OUR_TOOLS - {"memory_reflect"}
HEAVY = (
    "pygit2",
    "sqlite3",
    "click",
    "yaml",
    "filelock",
    "vademecum.engine",
    "vademecum.artifacts",
    "vademecum.recall",
)


def tokens(text):
    return len(text) / 4


class TestListing:
    def test_every_tool_is_there_once_under_the_name_that_learning_knows_as_our_own(self):
        assert sorted(tool.name for tool in TOOLS) == sorted(OFFERED)

    def test_schemas_are_plain_json_without_references(self):
        for tool in TOOLS:
            text = json.dumps(tool.schema)
            assert "$ref" not in text
            assert tool.schema["type"] == "object"
            assert tool.schema["additionalProperties"] is False
            for name, field in tool.schema["properties"].items():
                assert "type" in field or "enum" in field, name
                assert "description" in field or "enum" in field, name

    def test_the_schema_of_memory_names_every_command_and_every_field_of_one(self):
        schema = next(tool.schema for tool in TOOLS if tool.name == "memory")
        assert schema["properties"]["command"]["enum"] == sorted(COMMANDS)
        used = {name for command in COMMANDS.values() for name in (*command.needed, *command.optional)}
        assert used | {"command", "reason"} == set(schema["properties"])
        assert schema["required"] == ["command", "reason"]
        assert set(MemoryArguments.__struct_fields__) == set(schema["properties"])

    def test_a_model_is_told_when_to_look_that_search_comes_first_and_to_cite_lines(self):
        told = {tool.name: tool.description for tool in TOOLS}
        assert TOOLS[0].name == "memory_search"
        assert "Search first" in told["memory_search"]
        assert "Skip it" in told["memory_search"]
        assert "cite the lines" in told["memory_search"]
        assert "<memory-citation>" in told["memory_read"]

    def test_all_that_is_listed_is_short(self):
        """Hosts put every tool into every conversation."""
        assert max(tokens(tool.description) for tool in TOOLS) < 180
        assert tokens(json.dumps([(tool.name, tool.description, tool.schema) for tool in TOOLS])) < 2_600

    def test_listing_loads_neither_engine_nor_stores(self):
        code = f"import sys, vademecum.toolbox; print([name for name in {HEAVY!r} if name in sys.modules])"
        done = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.strip() == "[]"


class TestWhoMayWhat:
    def test_an_agent_that_learns_only_reads(self):
        offered = tools_for({LEARNER_VARIABLE: "1"})
        assert {tool.access for tool in offered} == {Access.READ}
        assert {"memory_read", "memory_search", "session_search"} <= {tool.name for tool in offered}
        assert tools_for({}) == TOOLS

    @pytest.mark.parametrize("tool", [tool.name for tool in TOOLS if tool.access is not Access.READ])
    def test_it_cannot_call_what_it_is_not_offered(self, tmp_path, tool):
        memory = Memory.open(home=tmp_path / "home", environ={LEARNER_VARIABLE: "1"})
        answer = call_tool(memory, tool, {"note": "x"}, AskedBy(), confirm=lambda _question: True)
        assert answer.data["error"]["code"] == "refused"
        assert not memory.folder.root.exists()

    def test_no_tool_that_reads_makes_a_commit_or_a_memory(self, tmp_path):
        memory = Memory.open(home=tmp_path / "home", environ={})
        for tool in tools_for({LEARNER_VARIABLE: "1"}):
            call_tool(memory, tool.name, {"path": "MEMORY.md"}, AskedBy())
            call_tool(memory, tool.name, {"query": "x"}, AskedBy())
            call_tool(memory, tool.name, {"what": "x"}, AskedBy())
            call_tool(memory, tool.name, {}, AskedBy())
        assert not memory.folder.root.exists()


class TestCalling:
    @pytest.mark.parametrize("tool", sorted(OFFERED))
    @pytest.mark.parametrize("arguments", [None, [], "x", 3])
    def test_arguments_that_are_no_object_are_answered_as_a_wrong_call(self, tmp_path, tool, arguments):
        answer = call_tool(Memory.open(home=tmp_path / "home", environ={}), tool, arguments, AskedBy())
        assert answer.is_error
        assert answer.data["error"]["code"] == "usage"
        assert "no object" in answer.text

    @pytest.mark.parametrize("tool", sorted(OFFERED))
    def test_an_argument_that_nobody_knows_is_named(self, tmp_path, tool):
        answer = call_tool(Memory.open(home=tmp_path / "home", environ={}), tool, {"colour": "red"}, AskedBy())
        assert answer.data["error"]["code"] == "usage"

    @pytest.mark.parametrize("tool", ["memory_read", "memory_list", "memory_search", "memory_why", "session_search"])
    def test_where_nothing_was_written_the_first_step_is_told(self, tmp_path, tool):
        arguments = {"memory_read": {"path": "MEMORY.md"}, "memory_why": {"what": "MEMORY.md"}}.get(tool, {})
        answer = call_tool(Memory.open(home=tmp_path / "home", environ={}), tool, arguments, AskedBy())
        assert answer.data["error"]["code"] == "no_repository"
        assert "vade learn" in answer.text

    def test_a_tool_that_is_not_there_is_answered_with_those_that_are(self, tmp_path):
        answer = call_tool(Memory.open(home=tmp_path / "home", environ={}), "memory_fly", {}, AskedBy())
        assert answer.is_error
        assert "memory_search" in answer.text

    def test_every_answer_is_plain_json(self, learned, ask):
        for tool in TOOLS:
            for arguments in ({}, {"path": "MEMORY.md"}, {"query": "heron"}, {"what": "MEMORY.md"}, {"note": "x y"}):
                assert json.loads(json.dumps(ask(tool.name, **arguments).data)) is not None
