"""Session modes through the command line: switched off, switched on, and text from outside."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from support.compose import Assistant, Format, Human, Script, SubAgent, Tool, shell
from support.product import Product, ruled
from support.work_trees import repository

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"
OTHER = "never edit generated files by hand"


def only_id(product):
    (row,) = product.call("sessions", "--json").json["sessions"]
    return row["id"]


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, label="first"))
    product.learn()
    return product


def shun(product):
    product.call("config", "set", "memories.disable_on_external_context", "true")


def with_tool(rule, tool, label="web", **options):
    turns = (Human(text=rule), tool, Assistant(text="Will do."))
    return Script(label=label, cwd="/srv/shop", turns=turns, **options)


class TestSwitching:
    def test_that_lines_stay_until_the_next_learn_is_said_and_is_so(self, learned):
        told = learned.call("mode", only_id(learned)[:8], "disabled").out
        assert (
            "stays in MEMORY.md and memory_summary.md, and is given to new sessions, until the next vade learn" in told
        )
        assert RULE in learned.read("MEMORY.md")
        assert RULE in learned.context()
        learned.learn()
        assert RULE not in learned.read("MEMORY.md")
        assert RULE not in learned.context()

    def test_what_rests_on_a_session_that_is_switched_off_goes_and_comes_back(self, learned):
        name = only_id(learned)
        answer = learned.call("mode", name[:8], "disabled", "--json").json
        assert (answer["session"], answer["mode"]) == (name, "disabled")
        assert learned.call("search", "xylophonist", "--json", "--in", "sessions").json["total"] == 0
        told = learned.call("learn", "--from", str(learned.sessions), "--all", "--now").out
        assert "take 1 session out of memory" in told
        assert "xylophonist" not in learned.context()
        assert not list(learned.memory.glob("rollout_summaries/*.md"))
        (row,) = learned.call("sessions", "--json").json["sessions"]
        assert (row["mode"], row["state"], row["reason"]) == ("disabled", "retired", "disabled")
        learned.call("mode", name, "enabled")
        learned.learn()
        assert RULE in learned.context()
        assert learned.call("search", "xylophonist", "--json", "--in", "sessions").json["total"] > 0

    def test_a_session_is_switched_off_before_it_is_learned(self, product, tmp_path, monkeypatch):
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(product.sessions))
        product.tell(ruled(RULE, label="first"))
        (file,) = product.sessions.rglob("*.jsonl")
        product.sessions.joinpath("projects").mkdir()
        file.parent.parent.joinpath(file.parent.name).rename(product.sessions / "projects" / "-srv-shop")
        (file,) = product.sessions.rglob("*.jsonl")
        product.call("mode", file.stem, "disabled")
        report = product.learn().json
        assert (report["extracted"], report["skipped"]) == (0, {"mode_off": 1})
        assert "switched off for memory" in product.call("status").out
        product.call("mode", file.stem, "enabled")
        assert product.learn().json["extracted"] == 1

    def test_without_a_word_it_says_how_the_session_stands(self, learned):
        name = only_id(learned)
        assert f"{name} is switched on, and memory has learned from it" in learned.call("mode", name[:8]).out
        learned.call("mode", name, "disabled")
        head = learned.head()
        assert "is switched off" in learned.call("mode", name[:8]).out
        assert learned.call("mode", name, "--json").json["mode"] == "disabled"
        assert learned.head() == head
        learned.call("mode", name, "enabled")
        learned.call("forget", name, "--yes")
        assert "is forgotten" in learned.call("mode", name).out

    def test_asking_makes_nothing_where_there_is_no_memory_yet(self, product):
        assert product.call("mode", "nonsense", "--json", code=1).error["code"] == "not_found"
        assert not product.memory.exists()

    def test_what_no_agent_has_is_refused(self, learned):
        assert learned.call("mode", "nonsense", "disabled", "--json", code=1).error["code"] == "not_found"

    def test_it_outlives_a_reset_and_a_lost_database(self, learned):
        """codex-R70: neither of them lets a session be learned that a person switched off."""
        learned.call("mode", only_id(learned), "disabled")
        learned.learn()
        learned.call("reset", "--yes")
        learned.lose("state.db")
        assert learned.learn().json["skipped"] == {"mode_off": 1}
        assert "xylophonist" not in learned.context()

    def test_a_lost_database_before_the_next_learn_changes_nothing(self, learned):
        learned.call("mode", only_id(learned), "disabled")
        learned.lose("state.db")
        learned.learn()
        assert "xylophonist" not in learned.context()
        assert not list(learned.memory.glob("rollout_summaries/*.md"))

    def test_it_is_switched_on_again_where_only_its_hash_is_known(self, learned):
        name = only_id(learned)
        learned.call("mode", name, "disabled")
        learned.learn()
        learned.lose("state.db")
        learned.call("mode", name, "enabled")
        learned.learn()
        assert RULE in learned.context()

    def test_the_archive_does_not_say_which_session_it_is(self, learned):
        name = only_id(learned)
        learned.call("mode", name, "disabled")
        archive = learned.read("ARCHIVE.md")
        assert "## Sessions switched off" in archive
        assert name not in archive
        learned.learn()
        assert "## Sessions switched off" in learned.read("ARCHIVE.md")

    def test_what_was_forgotten_cannot_be_switched_on(self, learned):
        name = only_id(learned)
        learned.call("forget", name, "--yes")
        assert learned.call("mode", name, "enabled", "--json", code=4).error["code"] == "refused"

    def test_saying_it_twice_is_said_once(self, learned):
        name = only_id(learned)
        learned.call("mode", name, "disabled")
        head = learned.head()
        assert "already" in learned.call("mode", name, "disabled").out
        assert learned.head() == head

    def test_undoing_the_commit_switches_it_on_again(self, learned):
        learned.call("mode", only_id(learned), "disabled")
        learned.call("undo")
        learned.learn()
        assert RULE in learned.context()


class TestTextFromOutside:
    @pytest.mark.parametrize("form", [Format.CLAUDE_CODE, Format.CODEX, Format.OPENCODE_DB, Format.OPENCODE_TREE])
    @pytest.mark.parametrize("tool", [Tool(tool="docs/lookup", input={"q": "x"}, output="a page")])
    def test_a_session_that_called_a_server_is_left_alone_where_the_setting_says_so(self, product, form, tool):
        """codex-R81: tools of MCP servers count, as each host names them."""
        shun(product)
        product.tell(with_tool(RULE, tool), ruled(OTHER, label="plain"), form=form)
        report = product.learn().json
        assert (report["extracted"], report["skipped"].get("polluted")) == (1, 1)
        assert "xylophonist" not in product.context()
        assert "text from outside" in product.call("status").out
        # Counted by the same words in every later pass, without being read again.
        skipped = product.learn().json["skipped"]
        assert (skipped["polluted"], skipped["unchanged"]) == (1, 1)

    def test_a_call_that_failed_counts_too(self, product):
        """codex-R80"""
        shun(product)
        product.tell(with_tool(RULE, Tool(tool="docs/lookup", input={"q": "x"}, output="no", failed=True)))
        assert product.learn().json["skipped"] == {"polluted": 1}

    def test_a_page_fetched_by_a_shell_counts_too_and_the_own_machine_does_not(self, product):
        """codex-W47"""
        shun(product)
        product.tell(
            with_tool(RULE, shell("curl -s https://example.org/x | head", "a page"), label="fetched"),
            with_tool(OTHER, shell("curl -s http://localhost:8080/health", "ok"), label="local"),
        )
        report = product.learn().json
        assert (report["extracted"], report["skipped"]) == (1, {"polluted": 1})

    def test_our_own_tools_are_not_outside(self, product):
        shun(product)
        product.tell(with_tool(RULE, Tool(tool="vademecum/memory_search", input={"query": "x"}, output="a page")))
        assert product.learn().json["extracted"] == 1

    def test_without_the_setting_it_is_learned_and_stays_when_the_setting_comes(self, product):
        product.tell(with_tool(RULE, Tool(tool="docs/lookup", input={"q": "x"}, output="a page")))
        assert product.learn().json["extracted"] == 1
        shun(product)
        assert product.learn().json["skipped"] == {"unchanged": 1}
        assert RULE in product.context()

    def test_without_the_setting_what_was_left_alone_is_learned(self, product):
        shun(product)
        product.tell(with_tool(RULE, Tool(tool="docs/lookup", input={"q": "x"}, output="a page")))
        product.learn()
        product.call("config", "set", "memories.disable_on_external_context", "false")
        assert product.learn().json["extracted"] == 1
        assert RULE in product.context()

    def test_a_person_who_switches_it_on_is_obeyed(self, product):
        shun(product)
        product.tell(with_tool(RULE, Tool(tool="docs/lookup", input={"q": "x"}, output="a page"), label="web"))
        product.learn()
        (file,) = product.sessions.rglob("*.jsonl")
        product.call("mode", file.stem, "enabled")
        assert product.learn().json["extracted"] == 1

    def test_what_a_helper_fetched_marks_the_session_of_its_parent(self, product):
        """codex-W29"""
        shun(product)
        fetched = Tool(tool="docs/lookup", input={"q": "x"}, output="a page")
        helper = SubAgent(prompt="look it up", result="found", turns=(fetched, Assistant(text="found")))
        product.tell(with_tool(RULE, helper))
        report = product.learn().json
        product.learn()
        assert "xylophonist" not in product.context(), report


class TestLearningSwitchedOff:
    def test_what_begins_meanwhile_stays_out_and_what_began_before_does_not(self, learned):
        """codex-R07: what is said while memory is off is not learned when it is on again."""
        later = datetime.now(UTC) + timedelta(days=1)
        learned.tell(ruled(OTHER, label="before"))
        learned.call("config", "set", "memories.generate_memories", "false")
        learned.tell(ruled("always call the customer Bartholomew", label="meanwhile", started_at=later))
        for file in learned.sessions.rglob("*.jsonl"):
            os.utime(file, (later.timestamp(), later.timestamp()))
        words = ("learn", "--from", str(learned.sessions), "--all", "--now")
        assert "1 session of this time will not" in learned.call(*words).out
        learned.call("config", "set", "memories.generate_memories", "true")
        report = learned.learn().json
        assert (report["extracted"], report["skipped"]["mode_off"]) == (1, 1)
        assert OTHER in learned.context()
        assert "Bartholomew" not in learned.context()

    def test_a_memory_that_never_learned_keeps_nothing_out(self, product):
        product.call("note", "a first note")
        product.call("config", "set", "memories.generate_memories", "false")
        product.tell(ruled(RULE, label="first"))
        product.learn()
        product.call("config", "set", "memories.generate_memories", "true")
        assert product.learn().json["extracted"] == 1

    def test_each_session_stays_out_of_the_memory_of_its_own_folder(self, product, tmp_path):
        product.call("config", "set", "identity.scope", "repository")
        shop, till = (repository(tmp_path / name) for name in ("shop", "till"))
        product.tell(ruled(RULE, label="first", cwd=str(shop)))
        product.learn()
        product.call("config", "set", "memories.generate_memories", "false")
        later = datetime.now(UTC) + timedelta(days=1)
        product.tell(
            ruled("always call the customer Bartholomew", label="meanwhile", started_at=later, cwd=str(shop)),
            ruled(OTHER, label="elsewhere", started_at=later, cwd=str(till)),
        )
        for file in product.sessions.rglob("*.jsonl"):
            os.utime(file, (later.timestamp(), later.timestamp()))
        assert product.learn().json["skipped"] == {"mode_off": 1}
        product.call("config", "set", "memories.generate_memories", "true")
        report = product.learn().json
        assert (report["extracted"], report["skipped"]["mode_off"]) == (1, 1)
        assert "Bartholomew" not in product.context(str(shop))
        assert OTHER in product.context(str(till))


def test_private_words_reach_no_archive_and_no_report(product: Product):
    private = "<private>my sister is called Quintessa</private>"
    product.tell(with_tool(f"{RULE} {private}", Tool(tool="docs/lookup", input={"q": "x"}, output="a page")))
    product.learn()
    product.call("mode", only_id(product), "disabled")
    (product.identity / "state.db").write_bytes(b"garbage" * 999)
    product.learn()
    product.call("status")
    assert b"Quintessa" not in product.stored()


def test_where_every_repository_has_its_own_memory_it_is_counted_the_same(product, tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    product.call("config", "set", "identity.scope", "repository")
    shun(product)
    cwd = str(tmp_path / "shop")
    fetched = Tool(tool="docs/lookup", input={"q": "x"}, output="a page")
    turns = (Human(text=RULE), fetched, Assistant(text="Will do."))
    product.tell(Script(label="web", cwd=cwd, turns=turns), ruled(OTHER, label="plain", cwd=cwd))
    for unchanged in (0, 1):
        skipped = product.learn().json["skipped"]
        assert (skipped["polluted"], skipped.get("unchanged", 0)) == (1, unchanged)
    product.call("config", "set", "memories.disable_on_external_context", "false")
    assert product.learn().json["extracted"] == 1


def test_why_tells_nothing_of_a_session_that_is_switched_off(learned):
    assert RULE in learned.call("why", RULE).out
    learned.call("mode", only_id(learned), "disabled")
    learned.learn()
    assert learned.call("why", RULE, "--json", code=1).error["code"] == "not_found"


class TestWhoseSession:
    """A command about a session speaks of the identity that the session belongs to, wherever it is called."""

    @pytest.fixture
    def shop(self, product, tmp_path, monkeypatch):
        product.call("config", "set", "identity.scope", "repository")
        shop, till = repository(tmp_path / "shop"), repository(tmp_path / "till")
        product.tell(ruled(RULE, label="first", cwd=str(shop)), ruled(OTHER, label="second", cwd=str(till)))
        monkeypatch.chdir(till)
        return shop

    def session_in(self, product, folder):
        rows = product.learn("--dry-run").json["sessions"]
        return next(row["id"] for row in rows if row["project"] == str(folder))

    def test_one_that_was_learned_is_switched_off_where_it_was_learned(self, product, shop, monkeypatch):
        session = self.session_in(product, shop)
        product.learn()
        told = product.call("mode", session, "disabled").out
        product.learn()
        monkeypatch.chdir(shop)
        identity = product.call("status", "--json").json["identity"]
        assert f"(identity {identity})" in told
        (row,) = product.call("sessions", "--json").json["sessions"]
        assert (row["id"], row["mode"]) == (session, "disabled")
        assert RULE not in product.context(str(shop))

    def test_one_that_was_not_learned_yet_is_switched_off_where_it_would_be(self, product, shop, monkeypatch):
        session = self.session_in(product, shop)
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(product.sessions / "claude-code"))
        told = product.call("mode", session, "disabled", "--json").json
        monkeypatch.chdir(shop)
        assert product.call("status", "--json").json["identity"] == told["identity"]
        assert product.learn().json["skipped"]["mode_off"] == 1

    def test_an_identity_that_is_named_is_meant(self, product, shop):
        session = self.session_in(product, shop)
        product.learn()
        product.call("init", "--identity", "mine")
        product.call("note", "x", "--identity", "mine")
        assert "no agent on this machine" in product.fail("mode", session, "disabled", "--identity", "mine").err
