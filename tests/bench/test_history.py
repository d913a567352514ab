"""Measurements of what a person asks of the history: a file of 2,000 lines with 500 commits."""

import random

import pytest

from support.budgets import note_milliseconds
from support.memfs import TOOL, create, page
from vademecum.memfs import blame, diff_trees, find_undoable, plan_undo, show

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

LINES, COMMITS = 2000, 500
PATH = "reference/long.md"
MIX = f"{LINES:,} lines, {COMMITS} commits"


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    memory = create(tmp_path_factory.mktemp("bench"))
    chance = random.Random(1)
    lines = [f"line {number} {chance.random()}" for number in range(LINES)]
    for number in range(COMMITS):
        for _ in range(4):
            lines[chance.randrange(LINES)] = f"changed {number} {chance.random()}"
        memory.commit({PATH: page("\n".join(lines) + "\n")}, subject=f"commit {number}", provenance=TOOL)
    return memory


def test_blame(benchmark, memory):
    """Budget: 1 s, so that a person does not wait."""
    benchmark.pedantic(lambda: blame(memory, PATH), rounds=6, warmup_rounds=1)
    note_milliseconds(benchmark, "blame", at_most=1000, mix=MIX)


def test_log_of_a_file(benchmark, memory):
    benchmark.pedantic(lambda: memory.log(PATH, limit=COMMITS), rounds=6, warmup_rounds=1)
    note_milliseconds(benchmark, "log of a file", mix=MIX)


def test_show(benchmark, memory):
    benchmark.pedantic(lambda: show(memory, "HEAD~3"), rounds=9, warmup_rounds=1)
    note_milliseconds(benchmark, "show", mix=MIX)


def test_diff_over_everything(benchmark, memory):
    first, last = memory.tree(f"HEAD~{COMMITS - 1}"), memory.tree()
    benchmark.pedantic(lambda: diff_trees(first, last), rounds=9, warmup_rounds=1)
    note_milliseconds(benchmark, "diff, all lines changed", mix=MIX)


def test_undo_worked_out(benchmark, memory):
    revision = "HEAD~20"
    benchmark.pedantic(lambda: plan_undo(memory, find_undoable(memory, revision)), rounds=9, warmup_rounds=1)
    note_milliseconds(benchmark, "undo, worked out", mix=MIX)
