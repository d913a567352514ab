"""An agent's environment holds what it needs and nothing else; its program is not found where one happens to stand."""

import os

import pytest

from support.fake_agents import program
from vademecum.errors import LoginRefused
from vademecum.learners.hosts.environment import find_program, pick, scrubbed


def test_only_known_variables_reach_an_agent_and_the_sign_of_a_learner():
    environ = {
        "HOME": "/home/a",
        "PATH": "/bin",
        "LC_ALL": "C",
        "OWN_KEY": "k",
        "SOME_SECRET": "s",
        "PYTHONPATH": "/evil",
        "LD_PRELOAD": "/evil.so",
        "NODE_OPTIONS": "--require /evil.js",
        "TERM": "xterm",
    }
    assert scrubbed(environ, ["OWN_*"]) == {
        "HOME": "/home/a",
        "PATH": "/bin",
        "LC_ALL": "C",
        "OWN_KEY": "k",
        "TERM": "dumb",
        "VADEMECUM_LEARNER": "1",
    }


def test_a_star_stands_for_any_part_of_a_name():
    assert pick({"A_API_KEY": "1", "A_KEY": "2", "B": "3", "BB": "4"}, ["*_API_KEY", "B"]) == {
        "A_API_KEY": "1",
        "B": "3",
    }


def test_a_program_is_found_by_its_absolute_path(tmp_path):
    agent = program(tmp_path / "bin" / "agent", "true")
    assert find_program("agent", "", {"PATH": f"/nowhere{os.pathsep}{agent.parent}"}) == str(agent)


@pytest.mark.parametrize("path", ["", ".", "bin", f".{os.pathsep}bin", os.pathsep])
def test_a_program_in_the_present_folder_is_not_taken(tmp_path, monkeypatch, path):
    program(tmp_path / "agent", "true")
    program(tmp_path / "bin" / "agent", "true")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LoginRefused, match="`agent` is not on the PATH") as caught:
        find_program("agent", "", {"PATH": path})
    assert "vade config set agent.program" in caught.value.next_step


def test_the_setting_goes_before_the_path(tmp_path):
    on_path = program(tmp_path / "bin" / "agent", "true")
    named = program(tmp_path / "other", "true")
    assert find_program("agent", str(named), {"PATH": str(on_path.parent)}) == str(named)


def test_a_setting_that_names_no_program_is_an_error_and_not_passed_over(tmp_path):
    on_path = program(tmp_path / "bin" / "agent", "true")
    for wrong in (tmp_path, tmp_path / "absent"):
        with pytest.raises(LoginRefused, match="is no program"):
            find_program("agent", str(wrong), {"PATH": str(on_path.parent)})
