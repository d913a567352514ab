import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from vademecum.recall.index import SearchIndex
from vademecum.recall.search import search
from vademecum.state import load_statements


@pytest.mark.parametrize("name", ["index", "search"])
def test_every_statement_is_named_described_and_used(name: str):
    text = files("vademecum.recall").joinpath("sql", f"{name}.sql").read_text("utf-8")
    statements = load_statements("vademecum.recall", name)
    assert len(statements) == text.count("-- name: ")
    code = Path(import_module(f"vademecum.recall.{name}").__file__).read_text("utf-8")
    assert [statement for statement in statements if f'"{statement}"' not in code] == []


@pytest.mark.parametrize("name", ["index", "search"])
def test_every_statement_fits_the_schema(name: str, index: SearchIndex):
    search(index, "creates the tables of a query")
    for statement in load_statements("vademecum.recall", name).values():
        index.database.all(f"EXPLAIN {statement}", dict.fromkeys(re.findall(r":(\w+)", statement)))
