"""The rules of the house that no linter knows: who may name a host, lengths, doors, and what imports cost."""

import ast
import importlib
import inspect
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import vademecum

ROOT = Path(vademecum.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
HOST_WORDS = re.compile(r"claude|codex|opencode|gemini", re.IGNORECASE)
#: A case number of a specification (`codex-W53`) is an address, not a dependency.
CASE_NUMBER = re.compile(r"\bcodex-[A-Z]+\d+\b|\bcodex-\d+(?:\.\d+)*\b")
MAY_NAME_A_HOST = re.compile(
    r"sessions/(?:(?:claude_code|codex|gemini|opencode)/\w+|pi|registry)\.py|hook\.py|learner_names\.py"
    r"|learners/hosts/.+|hosts/(?:claude_code|codex|opencode|pi|gemini)/.+|hosts/registry\.py"
)
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
HEAVY = {
    "click",
    "filelock",
    "msgspec",
    "platformdirs",
    "pygit2",
    "rich",
    "sqlite3",
    "tomlkit",
    "yaml",
    "backports",
    "ahocorasick_rs",
}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def parametrize_sources(paths):
    return pytest.mark.parametrize("path", paths, ids=name_of)


def docstring_lines(tree):
    """Lines that belong to docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners) and ast.get_docstring(node))
    return {line for body in bodies for line in range(body[0].lineno, body[0].end_lineno + 1)}


def code_and_strings(text):
    """The text without comments and docstrings, line by line."""
    described = docstring_lines(ast.parse(text))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        f"{token.start[0]}: {token.string}"
        for token in tokens
        if token.type != tokenize.COMMENT and token.start[0] not in described
    ]


@parametrize_sources([path for path in SOURCES if not MAY_NAME_A_HOST.fullmatch(name_of(path))])
def test_only_the_modules_of_a_host_hold_its_name(path):
    """Comments and docstrings may say where a rule comes from, in the room that reads the hosts' files only."""
    text = path.read_text(encoding="utf-8")
    lines = code_and_strings(text) if name_of(path).startswith("sessions/") else text.splitlines()
    assert [line for line in lines if HOST_WORDS.search(CASE_NUMBER.sub("", line))] == []


@parametrize_sources(SOURCES)
def test_a_module_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@parametrize_sources(SOURCES)
def test_a_function_is_short(path):
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long_ones = {node.name: node.end_lineno - node.lineno + 1 for node in functions}
    assert {name: lines for name, lines in long_ones.items() if lines > MAX_FUNCTION_LINES} == {}


@parametrize_sources(SOURCES)
def test_nothing_is_left_to_do(path):
    text = path.read_text(encoding="utf-8")
    assert [word for word in ("TODO", "FIXME", "XXX", "HACK") if re.search(rf"\b{word}\b", text)] == []


@parametrize_sources([path for path in SOURCES if name_of(path) != "__main__.py"])
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


ROOMS = [name_of(path.parent) for path in SOURCES if path.name == "__init__.py" and path.parent != ROOT]


@pytest.mark.parametrize("room", ROOMS)
def test_the_door_of_a_room_shows_what_it_says(room):
    """`__all__` names what the room offers, each once; what the door brings in is offered or used by itself."""
    module = importlib.import_module(f"vademecum.{room.replace('/', '.')}")
    offered = list(module.__all__)
    assert sorted(set(offered)) == sorted(offered)
    assert [name for name in offered if not hasattr(module, name)] == []
    tree = ast.parse(inspect.getsource(module))
    brought = {alias.asname or alias.name for node in imports_of_ours(tree) for alias in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert brought - set(offered) - used == set()


def imports_of_ours(tree):
    return [
        node for node in tree.body if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vademecum")
    ]


UNIT_FOLDER = Path(__file__).parent
UNIT_TESTS = sorted(UNIT_FOLDER.rglob("*.py"))


def modules_imported_by(tree):
    """Dotted names, wherever in the file they are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.relative_to(UNIT_FOLDER).as_posix())
def test_no_unit_test_knows_the_evaluation_stories(path):
    """Rules that were fitted to the phrases of the stories would be measured on what they know."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [name for name in modules_imported_by(tree) if re.match(r"(?:tests\.)?stories\b|\.{2,}", name)] == []


def test_no_error_is_raised_that_says_nothing():
    """What fails as expected has a class that says what failed: none of those that anything may raise.

    `private.py` stands below them and tells of what it was given as the disk tells of it.
    """
    forbidden = {"Exception", "RuntimeError", "OSError", "IOError"}
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
        and name_of(path) != "private.py"
        and isinstance(node.exc, ast.Call)
        and getattr(node.exc.func, "id", "") in forbidden
    ]
    assert found == []


def loaded_by(statement):
    """Modules that a fresh isolated interpreter has loaded after a statement."""
    program = f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); {statement}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    return set(run.stdout.split())


@pytest.mark.slow
@pytest.mark.timeout(30)
class TestImports:
    def test_the_package_loads_nothing_heavy(self):
        assert loaded_by("import vademecum") & HEAVY == set()

    def test_a_hook_loads_nothing_but_itself_and_what_is_built_in(self):
        """Neither `re` nor what imports it, `json` before all."""
        uses = "from vademecum.bare.process import decoded, encoded; from vademecum.bare.files import digest"
        program = f"import vademecum.hook; {uses}; decoded(encoded({{'a': digest('b')}}))"
        more = loaded_by(program) - loaded_by("import os, sys")
        ours = {"vademecum", "vademecum.hook", "vademecum.bare"}
        ours |= {f"vademecum.bare.{name}" for name in ("arranging", "events", "files", "pins", "process", "routing")}
        assert more - {"_thread", "time", "_json", "_sha2", "_sha256"} == ours

    def test_the_version_is_told_without_loading_anything_heavy(self):
        """`vade --version` may cost little more than click."""
        program = (
            "import sys, json\nfrom vademecum.cli import cli\n"
            "try:\n    cli.main(['--version'])\nexcept SystemExit:\n    pass\n"
            "print(json.dumps(sorted(sys.modules)))"
        )
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30)
        loaded = set(json.loads(run.stdout.splitlines()[-1]))
        assert loaded & (HEAVY - {"click", "msgspec"}) == set()
