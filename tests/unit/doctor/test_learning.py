"""The doctor says who learns, whether that can be reached, and what is spent; it asks nobody who costs money."""

import socket
from pathlib import Path

import pytest

from vademecum.doctor import examine
from vademecum.engine import Memory
from vademecum.findings import Level


def examined(tmp_path: Path, **environ: str) -> list[tuple[Level, str]]:
    memory = Memory.open(home=tmp_path / "home", environ=environ)
    memory.create()
    return [(found.level, found.what) for found in examine(memory).findings]


def test_what_is_switched_off_is_told(tmp_path: Path):
    """user-U44"""
    found = examined(tmp_path, VADEMECUM_MEMORIES_USE_MEMORIES="false", VADEMECUM_MEMORIES_GENERATE_MEMORIES="false")
    assert (Level.NOTE, "the setting memories.use_memories is off: agents get nothing") in found
    assert (Level.NOTE, "the setting memories.generate_memories is off: nothing is learned") in found


def test_what_a_session_here_would_get_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (told,) = [what for level, what in examined(tmp_path) if "would get" in what]
    assert told.startswith(f"a session in {tmp_path} would get ")


def test_an_examination_writes_nothing(tmp_path: Path):
    memory = Memory.open(home=tmp_path / "home", environ={})
    memory.create()
    examine(memory)
    before = sorted(memory.home.root.rglob("*"))
    examine(memory)
    assert sorted(memory.home.root.rglob("*")) == before


def test_a_server_of_the_persons_own_is_reached_and_not_asked(tmp_path: Path):
    pytest.importorskip("pydantic_ai")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        settings = {
            "VADEMECUM_MEMORIES_LEARNER": "model",
            "VADEMECUM_MODEL_EXTRACT_MODEL": "openai-compatible:small",
            "VADEMECUM_MODEL_BASE_URL": address,
        }
        assert (Level.OK, f"something listens at {address}") in examined(tmp_path, **settings)
        connection, _ = server.accept()
        with connection:
            assert connection.recv(100) == b""
    (told,) = [what for level, what in examined(tmp_path, **settings) if level is Level.PROBLEM]
    assert told.startswith(f"nothing answers at {address}")
