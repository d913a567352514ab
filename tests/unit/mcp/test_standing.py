import shutil

import pytest

from vademecum.errors import StorageError
from vademecum.home import Home
from vademecum.mcp.standing import StandingHome


@pytest.fixture
def home(tmp_path):
    return Home(root=tmp_path / "home")


@pytest.fixture
def environ(home):
    return {"VADEMECUM_HOME": str(home.root)}


def test_where_none_ever_was_one_may_be_made(home, environ):
    standing = StandingHome(environ, is_installed=False)
    assert standing.find() == home
    home.create()
    assert standing.find() == home


@pytest.mark.parametrize("came", ["before the server", "while it ran", "with an installation"])
@pytest.mark.parametrize("leaves_a_folder", [False, True])
def test_one_that_is_gone_is_told_and_found_again_when_it_is_back(home, environ, came, leaves_a_folder):
    """An empty folder is what is left where a disk was unmounted."""
    if came == "before the server":
        home.create()
    standing = StandingHome(environ, is_installed=came == "with an installation")
    if came == "while it ran":
        home.create()
        standing.find()
    home.create()
    away = home.root.with_name("away")
    shutil.move(home.root, away)
    if leaves_a_folder:
        home.root.mkdir()
    with pytest.raises(StorageError, match="is gone") as caught:
        standing.find()
    assert "no new home was made" in caught.value.intact
    assert "Bring it back" in caught.value.next_step
    shutil.rmtree(home.root, ignore_errors=True)
    shutil.move(away, home.root)
    assert standing.find() == home
