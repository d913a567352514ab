"""The fixtures that close the home folder and the network do close them."""

import os
import socket
from pathlib import Path

import pytest


def test_the_home_folder_of_a_test_is_a_temporary_one(closed_home: Path):
    assert Path.home() == closed_home
    assert os.environ["VADEMECUM_HOME"].startswith(str(closed_home))


def test_nothing_but_loopback_can_be_reached():
    with socket.socket() as client, pytest.raises(Exception, match="tried to reach"):
        client.connect(("192.0.2.1", 80))


def test_variables_of_the_real_environment_are_gone():
    assert not [name for name in os.environ if name.startswith(("GIT_", "ANTHROPIC", "OPENAI"))]
