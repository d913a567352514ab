"""The MCP server from spawn to answered `tools/list`, beside the same tools on the official SDK."""

import statistics
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from support.budgets import Row, best_median, note_milliseconds, note_row
from support.mcp_wire import COMMAND, Wire, call, request

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

ROUNDS = 9
#: The same tools, described to the official SDK; it is imported and opened as its guide shows.
OFFICIAL = """
import asyncio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from vademecum.toolbox import TOOLS as OURS
TOOLS = [types.Tool(name=t.name, description=t.description, input_schema=dict(t.schema)) for t in OURS]
async def list_tools(context, params):
    return types.ListToolsResult(tools=TOOLS)
async def main():
    server = Server("official", on_list_tools=list_tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
asyncio.run(main())
"""


def list_tools(home: Path, command: tuple[str, ...]) -> float:
    """Seconds from spawn to the answer."""
    began = time.perf_counter()
    with Wire(home, command=command) as wire:
        wire.greet()
        assert wire.ask(request(1, "tools/list"))["result"]["tools"]
        return time.perf_counter() - began


def test_spawn_to_tools(benchmark, tmp_path: Path):
    official: list[float] = []
    command = (sys.executable, "-I", "-c", OFFICIAL)
    benchmark.pedantic(
        lambda: list_tools(tmp_path, COMMAND),
        setup=lambda: official.append(list_tools(tmp_path, command)),
        rounds=ROUNDS,
        warmup_rounds=1,
    )
    note_milliseconds(benchmark, "MCP, spawn to tools/list", at_most=200, mix="handshake and tools/list, exit included")
    own = benchmark.stats.stats.data
    theirs = official[-len(own) :]
    ratios = {
        "median": statistics.median(theirs) / statistics.median(own),
        "judged": best_median(theirs) / best_median(own),
        "best": min(theirs) / min(own),
    }
    note_row(
        benchmark,
        Row(what="MCP, official SDK", unit="x ours", budget=5, rising=True, mix="the same tools and walk", **ratios),
    )


def test_a_first_call(benchmark, tmp_path: Path):
    """The engine is loaded and a note is written, durably."""
    numbers = count()

    def note() -> None:
        with Wire(tmp_path / "home") as wire:
            wire.greet()
            arguments = {"note": f"Rule number {next(numbers)}."}
            assert not wire.ask(call(2, "memory_add_note", arguments))["result"]["isError"]

    benchmark.pedantic(note, rounds=ROUNDS, warmup_rounds=1)
    note_milliseconds(benchmark, "MCP, spawn to first note", mix="with the engine loaded")
