"""Learning from a running opencode, as a person asks for it and as a pass in the background finds it."""

import json
import os
import time

import pytest

from support.opencode_api import Odd, OpencodeApi
from support.opencode_stores import START_MS, Conversation, text, tool, write_database
from vademecum.engine import learn_in_background
from vademecum.engine.spool import note_event, transcripts
from vademecum.home import Home
from vademecum.sessions.opencode import api

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "from now on always use pnpm here, never npm"
#: What a machine may take that does other things as well; a server that stalls takes a minute.
BUSY_SECONDS = 10
SECRET = "ghp_" + "a1B2" * 9


def talk(session_id="ses_a", *rules, **columns):
    one = Conversation(session_id, directory="/srv/shop", **columns)
    for rule in rules or (RULE,):
        one.user(text(rule)).assistant(text("Will do."))
    return one


def learn_at(product, server, *words, code=0):
    return product.call("learn", "--from", server.url, "--all", "--now", *words, code=code)


def host_database(closed_home, *conversations):
    return write_database(closed_home / "xdg-data/opencode/opencode.db", *conversations)


class TestByItsAddress:
    def test_its_sessions_are_learned_once(self, product):
        with OpencodeApi(talk("ses_a", RULE, f"the token is {SECRET}")) as server:
            assert learn_at(product, server, "--json").json["extracted"] == 1
            asked = len(server.asked)
            again = learn_at(product, server, "--json").json
            assert (again["extracted"], again["skipped"]) == (0, {"unchanged": 1})
            assert [path for path, _ in server.asked[asked:] if path.startswith("/session/")] == []
            assert "pnpm" in product.context()
            assert SECRET.encode() not in product.stored()
            assert "pnpm" in product.call("sessions", "show", "ses_a").out
        ended = product.fail("sessions", "show", "ses_a")
        assert "no server answers" in ended.err

    def test_a_session_that_went_on_is_learned_again(self, product):
        with OpencodeApi(talk()) as server:
            learn_at(product, server)
            server.conversations["ses_a"] = talk(
                "ses_a", RULE, "please always indent with tabs", time_updated=START_MS + 90_000
            )
            assert learn_at(product, server, "--json").json["extracted"] == 1
        assert "tabs" in product.context()

    def test_a_session_that_cannot_be_read_now_is_learned_when_it_can(self, product):
        """codex-R10"""
        with OpencodeApi(talk("ses_a"), talk("ses_b", "please always indent with tabs")) as server:
            server.odd["/session/ses_a/message"] = Odd(status=400)
            first = learn_at(product, server, "--json").json
            assert (first["extracted"], first["no_output"], first["skipped"]) == (1, 0, {"unreadable": 1})
            server.odd.clear()
            assert learn_at(product, server, "--json").json["extracted"] == 1
        assert "pnpm" in product.context()

    @pytest.mark.parametrize("status", [Odd(status=500), Odd(pause_seconds=60)], ids=["broken", "stalled"])
    def test_which_servers_its_host_has_is_not_asked_to_tell_text_from_outside(self, product, status):
        """codex-A25: names decide, so a server that was added late, is down or does not answer changes nothing."""
        product.call("config", "set", "memories.disable_on_external_context", "true")
        fetched = talk("ses_b", "please always indent with tabs").assistant(tool("docs_example_lookup", "a page"))
        with OpencodeApi(talk("ses_a"), fetched) as server:
            server.odd["/mcp"] = server.odd["/config"] = server.odd["/experimental/tool/ids"] = status
            began = time.monotonic()
            report = learn_at(product, server, "--json").json
            assert time.monotonic() - began < 2 + BUSY_SECONDS
            assert (report["extracted"], report["skipped"]) == (1, {"polluted": 1})
            assert not server.odd.keys() & {path.partition("?")[0] for path, _ in server.asked}
        assert "tabs" not in product.context()

    def test_an_error_takes_nothing_away_that_was_learned_before(self, product):
        """codex-R10"""
        with OpencodeApi(talk()) as server:
            learn_at(product, server)
            server.conversations["ses_a"].columns["time_updated"] = START_MS + 90_000
            server.odd["/session/ses_a/message"] = Odd(status=400)
            learn_at(product, server)
        assert "pnpm" in product.context()

    def test_a_session_that_stands_in_a_database_here_is_read_from_there(self, product, closed_home):
        host_database(closed_home, talk("ses_a"))
        with OpencodeApi(talk("ses_a"), talk("ses_b", "please always indent with tabs")) as server:
            report = learn_at(product, server, "--json").json
            assert (report["discovered"], report["extracted"]) == (2, 2)
            assert [path for path, _ in server.asked if "ses_a" in path] == []
        assert product.call("learn", "--all", "--now", "--json").json["skipped"] == {"unchanged": 1}

    def test_one_session_of_it_is_learned_by_its_id(self, product):
        with OpencodeApi(talk("ses_a"), talk("ses_b", "please always indent with tabs")) as server:
            assert learn_at(product, server, "--session", "ses_b", "--json").json["extracted"] == 1
            assert [path for path, _ in server.asked if "ses_a" in path] == []

    def test_only_sessions_of_the_hosts_that_were_asked_for(self, product):
        with OpencodeApi(talk()) as server:
            assert learn_at(product, server, "--host", "codex", "--json").json["discovered"] == 0

    @pytest.mark.parametrize("address", ["http://example.org:4096", "https://127.0.0.1:4096", "http://127.0.0.1/x"])
    def test_another_machine_is_refused_as_a_wrong_use(self, product, address):
        answer = product.call("learn", "--from", address, code=2)
        assert "on this machine only" in answer.err
        assert "http://127.0.0.1:4096" in answer.err

    def test_a_server_that_is_not_there_is_an_error_with_a_next_step(self, product):
        with OpencodeApi() as server:
            pass
        answer = product.call("learn", "--from", server.url, code=1)
        assert f"no server of opencode answers at {server.url}" in answer.err
        assert "opencode serve" in answer.err


class TestInTheBackground:
    def note(self, product, server, session="ses_a", **changes):
        home = Home(root=product.home)
        event = {"host": "opencode", "event": "stop", "session": session, "server": server.url, **changes}
        note_event(home, **event)
        return home

    def test_a_server_that_a_host_named_is_asked(self, product):
        with OpencodeApi(talk()) as server:
            home = self.note(product, server)
            assert learn_in_background(home, {**os.environ, "VADEMECUM_HOME": str(product.home)})
            assert transcripts(home) == {server.url: "opencode"}
        assert "pnpm" in product.context()

    def test_it_is_forgotten_when_it_has_ended_and_nothing_is_told(self, product):
        with OpencodeApi(talk()) as server:
            home = self.note(product, server)
            learn_in_background(home, {**os.environ, "VADEMECUM_HOME": str(product.home)})
        report = product.call("learn", "--json").json
        assert report["skipped"] == {}
        learn_in_background(home, {**os.environ, "VADEMECUM_HOME": str(product.home)})
        assert transcripts(home) == {}

    def test_what_a_database_holds_is_no_reason_to_ask_for_it(self, product, closed_home):
        host_database(closed_home, talk())
        with OpencodeApi(talk()) as server:
            home = self.note(product, server)
            server.asked.clear()
            learn_in_background(home, {**os.environ, "VADEMECUM_HOME": str(product.home)})
            assert [path for path, _ in server.asked if path.startswith("/session/")] == []
        report = product.call("learn", "--all", "--json").json
        assert (report["discovered"], report["skipped"]) == (1, {"unchanged": 1})

    def test_one_that_could_not_be_asked_is_counted_and_stops_nothing(self, product, closed_home):
        host_database(closed_home, talk())
        with OpencodeApi(talk("ses_b")) as server:
            server.login = None
            self.note(product, server, session="ses_b")
            server.login = "Basic another"
            report = product.call("learn", "--all", "--now", "--json").json
            assert (report["extracted"], report["skipped"]) == (1, {"server": 1})


class TestWhatHostsName:
    def test_an_address_where_nobody_listens_is_not_kept(self, product):
        with OpencodeApi(talk()) as server:
            pass
        home = Home(root=product.home)
        note_event(home, host="opencode", event="stop", session="ses_a", server=server.url)
        assert transcripts(home) == {}

    def test_an_address_where_another_one_listens_is_not_kept(self, product):
        """`opencode run` says that it listens on the usual port, where another opencode may be."""
        with OpencodeApi(talk("ses_other")) as server:
            home = Home(root=product.home)
            note_event(home, host="opencode", event="stop", session="ses_a", server=server.url)
            assert transcripts(home) == {}

    def test_an_address_of_another_machine_is_not_kept(self, product):
        home = Home(root=product.home)
        note_event(home, host="opencode", event="stop", session="ses_a", server="http://192.0.2.1:4096")
        assert transcripts(home) == {}

    def test_a_server_that_hangs_holds_an_event_up_for_a_moment_only(self, product, monkeypatch):
        monkeypatch.setattr(api, "_LIVENESS_SECONDS", 0.2)
        with OpencodeApi(talk()) as server:
            server.odd["/session/ses_a"] = Odd(body=b"{", again=b" ", pause_seconds=0.01)
            begun = time.monotonic()
            note_event(Home(root=product.home), host="opencode", event="stop", session="ses_a", server=server.url)
            assert time.monotonic() - begun < 2
        (line,) = (product.home / "runtime/spool/opencode.jsonl").read_text().splitlines()
        assert (json.loads(line)["session"], json.loads(line)["transcript"]) == ("ses_a", "")
