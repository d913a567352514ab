"""What stands where hooks read and write, in the place of a file of ours, is told with a next step."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.doctor import examine
from vademecum.engine import Memory
from vademecum.findings import Level

SPOILS: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a link": lambda path: path.symlink_to("/nowhere/at-all"),
    "a pipe": os.mkfifo,
}
READ = {"hook.json", "context.json"}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(home=tmp_path / "home", environ={})
    memory.create()
    return memory


def warnings(memory: Memory) -> list[tuple[str, str]]:
    found = (one for one in examine(memory).findings if one.area == "hooks" and one.level is Level.WARNING)
    return [(one.what, one.next or "") for one in found]


@pytest.mark.parametrize("kind", SPOILS)
@pytest.mark.parametrize("name", ["hook.json", "context.json", "spool", "spool/codex.jsonl", "hosts.json", "hook.log"])
def test_what_is_no_plain_file_is_called_what_it_is(memory: Memory, name: str, kind: str):
    path = (memory.folder.cache if name == "context.json" else memory.home.runtime) / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    SPOILS[kind](path)
    found = warnings(memory)
    if name == "spool" and kind == "a folder":
        assert not found
        return
    ((what, next_step),) = found
    assert what.startswith(f"{path} is {kind}, so ")
    # A folder may hold something; all else in the place of what hooks read is replaced by the next who writes it.
    assert next_step.startswith("Move it away (mv " if name not in READ or kind == "a folder" else "Run `vade ")


@pytest.mark.parametrize("data", [b"", b"hello", b"[]", b'{"version": "x"}', b"\xff\x00"])
@pytest.mark.parametrize("name", sorted(READ))
def test_what_holds_something_else_is_damaged_and_the_named_step_mends_it(memory: Memory, name: str, data: bytes):
    path = (memory.folder.cache if name == "context.json" else memory.home.runtime) / name
    path.write_bytes(data)
    ((what, _),) = warnings(memory)
    assert what.startswith(f"{path} is damaged or old, ")
    memory.create()
    memory.context()
    assert not warnings(memory)
