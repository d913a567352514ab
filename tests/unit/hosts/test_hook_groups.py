"""Our hooks stand beside those of the person, and go without them."""

import json
import shlex

import pytest

from vademecum.hosts.hook_groups import hooks_of, put_hooks, take_hooks
from vademecum.hosts.protocol import HOOK_PROGRAM

HOST = "codex"
THEIRS = {"type": "command", "command": "notify-send begun"}


def line(python="/usr/bin/python3"):
    return shlex.join((python, "-I", "-S", str(HOOK_PROGRAM), HOST, "session-start"))


def hook(python="/usr/bin/python3"):
    return {"type": "command", "command": line(python), "timeout": 10}


def text_of(*groups):
    return json.dumps({"hooks": {"SessionStart": list(groups)}}, indent=2)


def groups_of(text):
    return json.loads(text)["hooks"]["SessionStart"]


@pytest.mark.parametrize("hooks", [[THEIRS, hook()], [hook(), THEIRS], [hook(), THEIRS, hook("/old/python")]])
class TestInAGroupThatThePersonExtended:
    def test_ours_goes_and_theirs_stays(self, hooks):
        left = take_hooks(text_of({"matcher": "startup", "hooks": hooks}), HOST)
        assert groups_of(left) == [{"matcher": "startup", "hooks": [THEIRS]}]

    def test_one_of_ours_stands_there_afterwards_the_newest(self, hooks):
        text = put_hooks(text_of({"hooks": hooks}), HOST, {"SessionStart": {"hooks": [hook()]}})
        assert sorted(one["command"] for one in groups_of(text)[0]["hooks"]) == sorted([THEIRS["command"], line()])
        assert len(groups_of(text)) == 1

    def test_it_is_known_as_ours(self, hooks):
        assert set(hooks_of(text_of({"hooks": hooks}), HOST)) == {"session-start"}


def test_ours_is_brought_up_to_date_where_it_stands_in_a_persons_group():
    text = put_hooks(text_of({"hooks": [THEIRS, hook("/old/python")]}), HOST, {"SessionStart": {"hooks": [hook()]}})
    assert groups_of(text) == [{"hooks": [THEIRS, hook()]}]
    assert put_hooks(text, HOST, {"SessionStart": {"hooks": [hook()]}}) == text


def test_a_group_of_ours_alone_goes_whole():
    text = text_of({"hooks": [THEIRS]}, {"hooks": [hook(), hook("/old/python")]})
    assert groups_of(take_hooks(text, HOST)) == [{"hooks": [THEIRS]}]


def test_a_file_with_nothing_of_ours_stays_as_it_is():
    text = text_of({"hooks": [THEIRS]})
    assert take_hooks(text, HOST) == text
