"""The tools as a client lists and calls them."""

import msgspec
import pytest

from support.mcp_wire import MODERN_META
from vademecum.engine import Memory
from vademecum.mcp import tools
from vademecum.mcp.asked import Asked
from vademecum.mcp.callers import Options
from vademecum.mcp.messages import INVALID_PARAMS, RpcError
from vademecum.mcp.standing import StandingHome
from vademecum.mcp.tools import call, listing
from vademecum.mcp.versions import Dialect, first_dialect
from vademecum.toolbox import TOOLS, Access


@pytest.fixture
def ask(tmp_path):
    """Builds a request of a client whose memory lies in a folder of the test."""

    def build(params=None, *, options=None, environ=None, confirm=None):
        environ = {"VADEMECUM_HOME": str(tmp_path / "home"), **(environ or {})}
        return Asked(
            params=params or {},
            dialect=first_dialect(),
            options=options or Options(),
            environ=environ,
            standing=StandingHome(environ, is_installed=False),
            confirm=confirm,
        )

    return build


@pytest.fixture
def memory(tmp_path):
    return Memory.open(home=tmp_path / "home")


def note(words="Use pnpm here.", **meta):
    return {"name": "memory_add_note", "arguments": {"note": words}, "_meta": meta}


class TestListing:
    def test_every_tool_of_the_toolbox_is_listed_in_its_order(self, ask):
        listed = listing(ask())["tools"]
        assert [tool["name"] for tool in listed] == [tool.name for tool in TOOLS]
        assert all(tool["inputSchema"]["type"] == "object" for tool in listed)

    def test_a_host_is_told_which_ones_only_read(self, ask):
        hints = {tool["name"]: tool["annotations"] for tool in listing(ask())["tools"]}
        assert {name for name, hint in hints.items() if hint["readOnlyHint"]} == {
            tool.name for tool in TOOLS if tool.access is Access.READ
        }
        assert {name for name, hint in hints.items() if hint.get("destructiveHint")} == {"memory_mode", "memory_reset"}
        assert {hint["openWorldHint"] for hint in hints.values()} == {False}

    def test_who_learns_for_us_sees_only_those_that_read(self, ask):
        listed = {tool["name"] for tool in listing(ask(environ={"VADEMECUM_LEARNER": "1"}))["tools"]}
        assert listed == {tool.name for tool in TOOLS if tool.access is Access.READ}

    def test_a_host_can_have_the_everyday_ones_marked(self, ask):
        listed = listing(ask(options=Options(everyday_meta="host/always")))["tools"]
        marked = [tool["name"] for tool in listed if tool.get("_meta") == {"host/always": True}]
        assert marked == ["memory_search", "memory_read", "memory_add_note"]
        assert all("_meta" not in tool for tool in listing(ask())["tools"])


class TestCalling:
    @pytest.mark.parametrize(
        "params", [{}, {"name": 5}, {"name": "memory", "arguments": [1]}, {"name": "rm", "arguments": {}}], ids=str
    )
    def test_what_is_no_call_is_refused(self, ask, params):
        with pytest.raises(RpcError) as caught:
            call(ask(params))
        assert caught.value.code == INVALID_PARAMS

    def test_the_answer_is_text_for_the_model_and_nothing_in_its_place(self, ask):
        """Claude Code 2.1 and Codex 0.171 show a model `structuredContent` in the place of the text."""
        result = call(ask(note()))
        assert set(result) == {"content", "isError"}
        assert "Use pnpm here." in result["content"][0]["text"]

    def test_what_a_tool_cannot_do_is_told_to_the_model(self, ask):
        result = call(ask({"name": "memory_read", "arguments": {"path": "nowhere.md"}}))
        assert result["isError"]
        assert "next:" in result["content"][0]["text"]

    def test_a_memory_that_cannot_be_opened_is_told_to_the_model(self, ask):
        result = call(ask(note(), options=Options(identity="../up")))
        assert result["isError"]
        assert "next:" in result["content"][0]["text"]

    def test_whoever_learns_for_us_cannot_call_what_writes(self, ask):
        for name in ("memory", "memory_add_note", "memory_reset", "memory_mode"):
            with pytest.raises(RpcError):
                call(ask({"name": name, "arguments": {}}, environ={"VADEMECUM_LEARNER": "1"}))

    def test_a_modern_client_gets_its_form(self, ask):
        asked = ask({**note(), "_meta": MODERN_META})
        result = call(msgspec.structs.replace(asked, dialect=MODERN))
        assert result["resultType"] == "complete"

    def test_the_person_is_asked_before_memory_is_reset(self, ask, memory):
        call(ask(note()))
        questions = []

        def say_no(question):
            questions.append(question)
            return False

        result = call(ask({"name": "memory_reset", "arguments": {}}, confirm=say_no))
        assert result["isError"]
        assert len(questions) == 1
        assert memory.ls("extensions/ad_hoc/notes")

    def test_where_nobody_can_be_asked_memory_is_not_reset(self, ask, memory):
        call(ask(note()))
        result = call(ask({"name": "memory_reset", "arguments": {}}))
        assert result["isError"]
        assert "vade reset" in result["content"][0]["text"]
        assert memory.ls("extensions/ad_hoc/notes")


MODERN = Dialect(version="2026-07-28")


class TestSession:
    """Of whom a commit says that they asked for it."""

    def session(self, memory):
        return memory.log(limit=1)[0].provenance.session

    def test_what_the_message_says(self, ask, memory):
        call(ask(note(vademecum={"session": "s1"})))
        assert self.session(memory) == "s1"

    def test_what_the_host_says(self, ask, memory):
        call(ask(note(sessionId="s2"), options=Options(session_meta="sessionId")))
        assert self.session(memory) == "s2"

    def test_where_the_host_says_it_nowhere_its_record_of_the_call_does(self, ask, memory, monkeypatch):
        looked = []

        def look(host, identifier, **_):
            looked.append((host, identifier))
            return "s3"

        monkeypatch.setattr("vademecum.sessions.calling_session", look)
        options = Options(host="h", call_meta="host/call")
        call(ask({"name": "memory_list", "arguments": {}, "_meta": {"host/call": "c0"}}, options=options))
        call(ask(note(**{"host/call": "c1"}), options=options))
        assert self.session(memory) == "s3"
        assert looked == [("h", "c1")], "a tool that only reads does not wait for a session"

    def test_nobody_said_so(self, ask, memory):
        call(ask(note(), options=Options(host="h", call_meta="host/call")))
        assert self.session(memory) is None

    def test_the_everyday_tools_exist(self):
        assert {tool.name for tool in TOOLS} >= tools._EVERYDAY
