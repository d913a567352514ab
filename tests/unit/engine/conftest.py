import pytest

from vademecum.state import State


@pytest.fixture
def state(tmp_path):
    with State.open(tmp_path / "state.db") as opened:
        yield opened
