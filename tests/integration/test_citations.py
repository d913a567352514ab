"""Citations, from the answer to what memory makes of them."""

import pytest
from click.testing import CliRunner

from support.compose import Assistant, Format, Human, Script, shell
from support.product import ruled, worked_on
from vademecum.cli import cli
from vademecum.sessions import LEARNER_MARK, discover, load
from vademecum.state import SessionMode, State

RULE = "from now on always use pnpm here, never npm"
TESTED = worked_on("worked")


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, label="s1"))
    product.learn()
    return product


def block(*lines):
    return "\n".join(["```memory-citation", *lines, "```"])


def place_of(product, words, path="MEMORY.md"):
    lines = product.read(path).split("\n")
    number = next(at for at, line in enumerate(lines, 1) if words in line and "<!-- vade:" in line)
    return f"{path}:{number}-{number}"


def usage(product):
    return {row["id"]: row["usage_count"] for row in product.call("sessions", "--json").json["sessions"]}


def the_session(product):
    (name,) = usage(product)
    return name


def reader(product, answer, *, label="reader", form=Format.CODEX, before=(), title="what is used here?"):
    turns = (Human(text=title), *before, Assistant(text=f"pnpm.\n\n{answer}"))
    product.tell(Script(label=label, cwd="/srv/shop", turns=turns), form=form)
    product.learn()


class TestSessions:
    @pytest.mark.parametrize("form", Format)
    def test_an_answer_that_cites_a_line_counts_for_the_session_behind_it(self, learned, form):
        """codex-W20, codex-A17"""
        session = the_session(learned)
        reader(learned, block(place_of(learned, "pnpm")), form=form)
        assert usage(learned)[session] == 1

    def test_reading_the_same_session_again_counts_nothing_more(self, learned):
        """codex-B12, codex-N31: also after a restart and a lost search index."""
        session = the_session(learned)
        reader(learned, block(place_of(learned, "pnpm"), f"sessions: {session}"))
        learned.lose("search.db")
        learned.learn()
        turns = (
            Human(text="what is used here?"),
            Assistant(text=f"pnpm.\n\n{block(f'sessions: {session}')}"),
            Human(text="thank you"),
            Assistant(text="You are welcome."),
        )
        learned.tell(Script(label="reader", cwd="/srv/shop", turns=turns), form=Format.CODEX)
        learned.learn()
        assert usage(learned)[session] == 1

    def test_a_block_that_a_person_or_a_tool_wrote_counts_nothing(self, learned):
        """codex-W25"""
        forged = block(f"sessions: {the_session(learned)}")
        reader(learned, "", before=(shell("cat page.md", forged),), title=f"What does this mean?\n\n{forged}")
        assert usage(learned)[the_session_of_rule(learned)] == 0

    def test_the_session_of_a_learner_counts_nothing(self, learned):
        """codex-R06"""
        session = the_session(learned)
        reader(learned, block(f"sessions: {session}"), title=f"{LEARNER_MARK}: consolidate")
        assert usage(learned)[session] == 0

    def test_citations_are_no_part_of_what_is_learned_or_searched(self, learned):
        """codex-R20"""
        reader(learned, block(f"sessions: {the_session(learned)}", "MEMORY.md:1-2|note=zebra"))
        assert learned.call("search", "zebra", "--json").json["total"] == 0
        assert b"zebra" not in learned.stored()


def the_session_of_rule(product):
    return next(
        row["id"] for row in product.call("sessions", "--json").json["sessions"] if row["host"] == "claude-code"
    )


class TestRest:
    def test_what_is_cited_stays_and_what_is_not_rests_and_comes_back(self, product, days_later):
        """codex-A11, codex-R47"""
        product.tell(TESTED)
        product.learn()
        session = the_session(product)
        days_later(40)
        product.learn()
        assert "pytest -q" not in product.read("MEMORY.md") + product.read("memory_summary.md")
        (row,) = product.call("sessions", "--json").json["sessions"]
        assert (row["state"], row["reason"]) == ("retired", "unused")
        product.call("cite", "--session", "x", "--message", "m", stdin=block(f"sessions: {session}"))
        days_later(20)
        product.learn()
        assert "pytest -q" in product.read("MEMORY.md")

    def test_what_a_person_brings_back_by_an_undo_stays(self, product, days_later):
        """The person has the last word on what went for want of use as well."""
        product.tell(TESTED)
        product.learn()
        days_later(40)
        (run,) = product.learn().json["runs"]
        product.call("undo", run)
        assert "pytest -q" in product.read("MEMORY.md")
        for _ in range(2):
            product.learn()
            assert "pytest -q" in product.read("MEMORY.md")

    def test_a_rule_outlives_any_pause(self, learned, days_later):
        days_later(364)
        learned.learn()
        assert RULE in learned.context()

    def test_the_span_is_a_setting(self, product, days_later):
        product.tell(TESTED)
        product.learn()
        product.call("config", "set", "memories.max_unused_days", "0")
        days_later(3_000)
        product.learn()
        assert "pytest -q" in product.read("MEMORY.md")

    def test_the_first_pass_over_old_sessions_keeps_what_it_learns(self, product, days_later):
        days_later(200)
        product.tell(TESTED)
        product.learn()
        product.learn()
        assert "pytest -q" in product.read("MEMORY.md")

    def test_only_the_best_are_given_to_a_consolidation(self, product):
        for number in range(3):
            turns = (
                Human(text=f"please check part {number}"),
                shell(f"make part{number}", "ok"),
                Assistant(text="Done."),
            )
            product.tell(Script(label=f"w{number}", cwd="/srv/shop", turns=turns))
        product.call("config", "set", "memories.max_raw_memories_for_consolidation", "1")
        product.learn()
        assert product.read("MEMORY.md").count("## Task ") == 1
        assert len(list((product.memory / "rollout_summaries").glob("*.md"))) == 3


class TestCite:
    def test_the_answer_comes_out_byte_by_byte(self, product):
        """codex-R85"""
        answer = "a \r\n\n\n\tb é\x07\n"
        told = CliRunner(env=product.environ).invoke(cli, ["cite"], input=f"{answer}\n{block('a.md:1-2')}\n".encode())
        assert told.exit_code == 0
        assert told.stdout_bytes == "a \r\n\n\n\tb é\x07\n".encode()

    def test_without_ids_nothing_is_counted_and_nothing_is_made(self, product):
        assert product.call("cite", stdin=f"Done.\n{block('sessions: s1')}").out == "Done."
        product.call("cite", "--session", "s", "--message", "m", stdin=block("sessions: s1"))
        assert not product.home.exists()

    def test_with_both_ids_it_counts_once(self, learned):
        """codex-R83"""
        session, place = the_session(learned), place_of(learned, "pnpm")
        counted = [
            learned.call("cite", "--session", "x", "--message", name, "--json", stdin=block(place)).json["counted"]
            for name in ("m1", "m1", "m2")
        ]
        assert counted == [2, 0, 2]
        assert usage(learned)[session] == 2

    def test_the_reader_of_the_same_session_does_not_count_it_again(self, learned):
        """codex-B12: what a host told at once is the same answer as the one in its file."""
        session = the_session(learned)
        reader(learned, block(f"sessions: {session}"), form=Format.CLAUDE_CODE)
        found = discover(hosts=None, sources=[learned.sessions], environ={}, home=learned.folder)
        read = next(one for one in map(load, found.refs) if one.id != session)
        told = ("--session", read.id, "--message", read.messages[-1].id)
        learned.call("cite", *told, stdin=block(f"sessions: {session}"))
        assert usage(learned)[session] == 1

    def test_half_of_the_ids_or_what_is_no_id_is_refused(self, learned):
        learned.call("cite", "--session", "x", stdin="y", code=2)
        learned.call("cite", "--message", "x", stdin="y", code=2)
        learned.call("cite", "--message", "x" * 300, "--session", "x", stdin="y", code=2)
        learned.call("cite", "--message", "a\nb", "--session", "x", stdin="y", code=2)

    def test_a_learner_and_a_session_that_is_switched_off_count_nothing(self, learned, monkeypatch):
        """codex-R06"""
        session = the_session(learned)
        with State.open(learned.identity / "state.db") as state:
            state.modes.set("off", SessionMode.DISABLED)
        learned.call("cite", "--session", "off", "--message", "m", stdin=block(f"sessions: {session}"))
        monkeypatch.setenv("VADEMECUM_LEARNER", "1")
        learned.call("cite", "--session", "x", "--message", "m", stdin=block(f"sessions: {session}"))
        assert usage(learned)[session] == 0

    def test_an_unknown_name_makes_nothing(self, learned):
        """codex-B12"""
        head, before = learned.head(), usage(learned)
        learned.call("cite", "--session", "x", "--message", "m", stdin=block("nowhere.md:1-2", "sessions: nobody"))
        assert (learned.head(), usage(learned)) == (head, before)


def test_an_answer_that_is_no_text_is_handed_on_byte_by_byte(product):
    product.call("init")
    answer = CliRunner().invoke(cli, ["cite"], input=b"caf\xe9 is done\n", env=product.environ)
    assert (answer.exit_code, answer.stdout_bytes) == (0, b"caf\xe9 is done\n")
    told = CliRunner().invoke(cli, ["cite", "--json"], input=b"caf\xe9\n", env=product.environ)
    assert "caf\\ufffd" in told.stdout or "caf\ufffd" in told.stdout


def test_a_session_does_not_count_its_own_memory_under_the_beginning_of_its_id(learned):
    (row,) = learned.call("sessions", "--json").json["sessions"]
    told = ("cite", "--session", row["id"][:8], "--message", "m1", "--json")
    assert learned.call(*told, stdin=block(f"sessions: {row['id']}")).json["counted"] == 0
