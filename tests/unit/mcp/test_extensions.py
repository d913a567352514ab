"""What our own plugins ask for beside the tools."""

import json
from types import MappingProxyType

import pytest

from support.hooks import pass_is_recent
from vademecum.engine import Memory
from vademecum.errors import VademecumError
from vademecum.mcp.asked import Asked
from vademecum.mcp.callers import Options
from vademecum.mcp.extensions import EXTENSIONS
from vademecum.mcp.messages import INVALID_PARAMS, RpcError
from vademecum.mcp.standing import StandingHome
from vademecum.mcp.versions import first_dialect

NOTHING_MORE = MappingProxyType({})
SESSION = {"host": "pi", "session": "s1", "cwd": "/srv/shop"}


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def ask(home):
    pass_is_recent(home)

    def answer(method, more=NOTHING_MORE, **params):
        environ = {"VADEMECUM_HOME": str(home), **more}
        standing = StandingHome(environ, is_installed=False)
        asked = Asked(params=params, dialect=first_dialect(), options=Options(), environ=environ, standing=standing)
        return EXTENSIONS[f"vademecum/{method}"](asked)

    return answer


class TestContext:
    def test_a_session_gets_the_same_bytes_until_it_is_compacted(self, ask, home):
        memory = Memory.open(home=home)
        memory.note("Use pnpm here.")
        first = ask("context", **SESSION, event="start")
        assert "Use pnpm here." in first["text"]
        memory.note("Never use npm.")
        later = ask("context", **SESSION, event="turn")
        assert later["text"] == first["text"]
        assert later["notice"]
        assert "Never use npm." in ask("context", **SESSION, event="compact")["text"]

    def test_where_nothing_was_written_yet_there_is_nothing(self, ask):
        assert ask("context", **SESSION, event="start") == {"text": "", "revision": "", "notice": ""}

    def test_an_event_that_is_none_is_refused(self, ask):
        with pytest.raises(VademecumError):
            ask("context", **SESSION, event="birthday")


class TestCite:
    def test_an_answer_comes_back_without_its_block(self, ask):
        answer = "Use pnpm.\n\n<memory-citation>\nMEMORY.md:1-2\n</memory-citation>"
        assert ask("cite", text=answer, host="pi", session="s1", message="m1") == {"text": "Use pnpm.", "counted": 0}


class TestEvent:
    def test_it_is_written_down_for_learning_without_a_word_of_the_session(self, ask, home):
        assert ask("event", **SESSION, event="stop") == {}
        (line,) = (home / "runtime" / "spool" / "pi.jsonl").read_text().splitlines()
        told = json.loads(line)
        assert (told["host"], told["session"], told["event"], told["cwd"]) == ("pi", "s1", "stop", "/srv/shop")

    def test_an_event_that_is_none_is_refused(self, ask):
        with pytest.raises(RpcError) as caught:
            ask("event", **SESSION, event="birthday")
        assert caught.value.code == INVALID_PARAMS


def test_an_agent_that_learns_for_us_is_given_nothing_and_leaves_nothing(ask, home):
    """user-U27"""
    Memory.open(home=home).note("Use pnpm here.")
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    learns = {"VADEMECUM_LEARNER": "1"}
    assert ask("context", learns, **SESSION, event="start")["text"] == ""
    assert ask("event", learns, **SESSION, event="session-end") == {}
    answer = "Use pnpm.\n\n<memory-citation>\nMEMORY.md:1-2\n</memory-citation>"
    assert ask("cite", learns, text=answer, host="h", session="s1", message="m1")["counted"] == 0
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before


@pytest.mark.parametrize("method", ["context", "event"])
@pytest.mark.parametrize("wrong", [{"session": None}, {"session": 5}, {"host": []}, {"cwd": 1}], ids=str)
def test_parameters_of_another_kind_are_refused(ask, method, wrong):
    with pytest.raises(RpcError) as caught:
        ask(method, **{**SESSION, "event": "turn" if method == "context" else "stop", **wrong})
    assert caught.value.code == INVALID_PARAMS
