import re
from importlib.resources import files
from pathlib import Path

import pytest

import vademecum.state
from vademecum.state import State, load_statements
from vademecum.state.statements import split_script

SQL_FILES = sorted(entry.name for entry in files("vademecum.state").joinpath("sql").iterdir())


@pytest.mark.parametrize("name", SQL_FILES)
def test_every_statement_is_named_described_and_used(name: str):
    text = files("vademecum.state").joinpath("sql", name).read_text("utf-8")
    statements = load_statements("vademecum.state", name.removesuffix(".sql"))
    assert len(statements) == text.count("-- name: ")
    code = Path(vademecum.state.__file__).with_name(name.replace(".sql", ".py")).read_text("utf-8")
    assert set(re.findall(r'_SQL\["(\w+)"\]', code)) == set(statements)


@pytest.mark.parametrize("name", SQL_FILES)
def test_every_statement_fits_the_schema(name: str, state: State):
    for statement in load_statements("vademecum.state", name.removesuffix(".sql")).values():
        assert len(list(split_script(statement))) == 1
        parameters = dict.fromkeys(re.findall(r":(\w+)", statement))
        state._database.all(f"EXPLAIN {statement}", parameters)


def test_a_script_is_split_at_statements_and_not_at_semicolons_in_text():
    script = "CREATE TABLE a (x TEXT DEFAULT ';'); -- one; two\nINSERT INTO a VALUES ('b;c');\n"
    assert len(list(split_script("CREATE TABLE a (x TEXT DEFAULT ';');\nINSERT INTO a VALUES ('b;\nc');\n"))) == 2
    assert "b;c" in "".join(split_script(script))
