"""The door of the room and the registry of readers."""

import subprocess
import sys

import pytest

from vademecum import sessions
from vademecum.errors import UsageError
from vademecum.sessions.registry import HOSTS, reader_for


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_a_reader_that_says_its_name(host: str) -> None:
    reader = reader_for(host)
    assert reader.host == host
    assert all(callable(part) for part in (reader.roots, reader.discover, reader.recognises, reader.read))


def test_an_unknown_host_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        reader_for("emacs")
    assert all(host in caught.value.next_step for host in HOSTS)


def test_the_door_exports_what_it_names() -> None:
    assert all(hasattr(sessions, name) for name in sessions.__all__)


def test_importing_the_room_imports_no_reader() -> None:
    """A prompt is compiled without any of them."""
    code = "import sys, vademecum.sessions as room; print([h for h in sys.modules if 'sessions.' in h])"
    environ = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environ)
    for reader in ("claude_code", "codex", "gemini", "opencode", "pi"):
        assert f"sessions.{reader}'" not in run.stdout
