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


def modules():
    """(name, text, tree) of every module; read and parsed once for all rules."""
    if not _modules:
        for path in SOURCES:
            text = path.read_text(encoding="utf-8")
            _modules.append((name_of(path), text, ast.parse(text)))
    return _modules


_modules = []


def docstring_lines(tree):
    """Lines that belong to docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners) and ast.get_docstring(node))
    return {line for body in bodies for line in range(body[0].lineno, body[0].end_lineno + 1)}


def code_and_strings(text, tree):
    """The text without comments and docstrings, line by line."""
    described = docstring_lines(tree)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        f"{token.start[0]}: {token.string}"
        for token in tokens
        if token.type != tokenize.COMMENT and token.start[0] not in described
    ]


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_only_the_modules_of_a_host_hold_its_name():
    """Comments and docstrings may say where a rule comes from, in the room that reads the hosts' files only."""
    named = [
        (name, line)
        for name, text, tree in modules()
        if not MAY_NAME_A_HOST.fullmatch(name)
        for line in (code_and_strings(text, tree) if name.startswith("sessions/") else text.splitlines())
        if HOST_WORDS.search(CASE_NUMBER.sub("", line))
    ]
    assert named == []


def test_a_module_is_short():
    lengths = {name: len(text.splitlines()) for name, text, _ in modules()}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_a_function_is_short():
    lengths = {
        f"{name}: {node.name}": node.end_lineno - node.lineno + 1
        for name, _, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES} == {}


def test_nothing_is_left_to_do():
    left = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
    assert [(name, found) for name, text, _ in modules() if (found := left.findall(text))] == []


def test_every_module_says_what_it_is():
    """But `__main__.py`, which is one line."""
    assert [name for name, _, tree in modules() if not ast.get_docstring(tree) and name != "__main__.py"] == []


ROOMS = [name_of(path.parent) for path in SOURCES if path.name == "__init__.py" and path.parent != ROOT]


@pytest.mark.parametrize("room", ROOMS)
def test_the_door_of_a_room_shows_what_it_says(room):
    """`__all__` names what the room offers, each once; what the door brings in is offered or used by itself.

    A package inside a room may offer nothing: its modules are asked by name.
    """
    module = importlib.import_module(f"vademecum.{room.replace('/', '.')}")
    offered = list(getattr(module, "__all__", []))
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


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_no_unit_test_knows_the_evaluation_stories():
    """Rules that were fitted to the phrases of the stories would be measured on what they know."""
    stories = re.compile(r"(?:tests\.)?stories\b|\.{2,}")
    knowing = [
        (path.relative_to(UNIT_FOLDER).as_posix(), name)
        for path in UNIT_TESTS
        for name in modules_imported_by(ast.parse(path.read_text(encoding="utf-8")))
        if stories.match(name)
    ]
    assert knowing == []


@pytest.mark.slow
@pytest.mark.timeout(60)
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
