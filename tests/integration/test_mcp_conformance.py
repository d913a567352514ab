"""The official client drives the server, in both ways that it can open a connection."""

import os
import warnings
from contextlib import asynccontextmanager

import anyio
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its dependencies
    import mcp_types as types
    from mcp import MCPError
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

from support.mcp_wire import COMMAND

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@pytest.fixture(params=VERSIONS)
def mode(request):
    return request.param


@pytest.fixture
def connect(mode, tmp_path):
    """Opens a connection of the official client."""
    program, *arguments = COMMAND
    environ = {"VADEMECUM_HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}

    @asynccontextmanager
    async def opened(**options):
        server = StdioServerParameters(command=program, args=arguments, env=environ, cwd=str(tmp_path))
        async with Client(server, mode=mode, **options) as client:
            yield client

    return opened


def test_it_agrees_on_a_version_and_learns_who_we_are(connect, mode):
    async def walk():
        async with connect() as client:
            assert client.protocol_version == VERSIONS[mode]
            assert client.server_info.name == "vademecum"
            assert "memory_search" in client.instructions

    anyio.run(walk)


def test_every_tool_is_one_that_it_understands(connect):
    async def walk():
        async with connect() as client:
            tools = (await client.list_tools()).tools
            assert {"memory", "memory_add_note", "memory_apply_patch"} <= {tool.name for tool in tools}
            for tool in tools:
                assert tool.description
                assert tool.input_schema["type"] == "object"

    anyio.run(walk)


def test_a_tool_is_called_and_answers(connect):
    async def walk():
        async with connect() as client:
            result = await client.call_tool("memory_add_note", {"note": "Use pnpm here."})
            assert not result.is_error
            assert "Use pnpm here." in result.content[0].text

    anyio.run(walk)


def test_what_a_tool_cannot_do_is_an_answer_to_the_model(connect):
    async def walk():
        async with connect() as client:
            result = await client.call_tool("memory_add_note", {"note": "x", "colour": "red"})
            assert result.is_error
            assert "colour" in result.content[0].text

    anyio.run(walk)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(connect):
    async def walk():
        async with connect() as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool("rm", {})
            assert caught.value.error.code == types.INVALID_PARAMS

    anyio.run(walk)


def test_many_calls_at_once_are_all_answered(connect):
    async def walk():
        answers = []
        async with connect() as client, anyio.create_task_group() as group:

            async def note(number):
                answers.append(await client.call_tool("memory_add_note", {"note": f"Rule number {number}."}))

            for number in range(12):
                group.start_soon(note, number)
        assert [answer.is_error for answer in answers] == [False] * 12

    anyio.run(walk)


def test_a_call_that_it_gives_up_leaves_the_connection_usable(connect):
    async def walk():
        async with connect() as client:
            with anyio.move_on_after(0.01):
                await client.call_tool("memory_add_note", {"note": "Given up."})
            assert (await client.list_tools()).tools

    anyio.run(walk)
