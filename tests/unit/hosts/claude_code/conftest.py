from pathlib import Path

import pytest

from vademecum.hosts import Places


@pytest.fixture
def user_home(tmp_path: Path) -> Path:
    folder = tmp_path / "user"
    folder.mkdir()
    return folder


@pytest.fixture
def places(user_home: Path) -> Places:
    return Places(user_home=user_home, environ={}, python=Path("/opt/python"))
