"""Closes the home folder and the network for every test, and lets nothing be skipped unseen.

tests/unit/test_guards.py proves all three.
"""

import gc
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")

#: With this variable set (CI does it), a test that is skipped for another reason than these is a failed one.
STRICT_SKIPS = "VADEMECUM_TEST_STRICT_SKIPS"
EXPECTED_SKIPS = (
    r".+ not installed: `make test-hosts` does it",
    r"node not installed: it comes with npm",
    r"root may read everything",
    r"mount namespaces are not permitted here, .+",
    r"only a user who may mount can make a small file system",
)


#: What one example takes depends on who else uses the machine; the limit of the whole test is the one that counts.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")


class NetworkClosed(Exception):
    """A test tried to reach something that is not loopback."""


@pytest.fixture(autouse=True, scope="session")
def closed_environment() -> Iterator[None]:
    """Nothing of the real environment but the search path is left."""
    with pytest.MonkeyPatch.context() as patch:
        for name in set(os.environ) - set(_KEPT):
            if not name.startswith(("PYTEST", "COVERAGE", "HYPOTHESIS", "VADEMECUM_TEST_")):
                patch.delenv(name)
        yield


@pytest.fixture(autouse=True)
def closed_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that belongs to this test."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "xdg-data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg-config"))
    monkeypatch.setenv("VADEMECUM_HOME", str(home / "vademecum"))
    return home


@pytest.fixture(autouse=True)
def closed_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only loopback and local sockets can be reached."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in _LOOPBACK:
            raise NetworkClosed(f"a test tried to reach {address[0]}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)


def pytest_collection_finish() -> None:
    """Thousands of tests that stay until the end are no garbage: not looked through again, and not copied by a fork."""
    gc.collect()
    gc.freeze()


def _is_expected(reason: str) -> bool:
    return any(re.fullmatch(expected, reason) for expected in EXPECTED_SKIPS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Turns an unexpected skip into a failure, so that CI never stays green by running less."""
    report: pytest.TestReport = yield
    if os.environ.get(STRICT_SKIPS) and report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not _is_expected(reason):
            report.outcome = "failed"
            report.longrepr = f"skipped, and tests/conftest.py does not expect that: {reason}"
    return report
