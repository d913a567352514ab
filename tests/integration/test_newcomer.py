"""What a newcomer types and expects: near misses are understood, answers say where things are and what comes next."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from support.product import ruled
from vademecum.errors import VademecumError
from vademecum.state import LastPass, State

RULE = "from now on always use pnpm here, never npm"


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE))
    product.learn()
    return product


def session_ids(product):
    return [row["id"] for row in product.call("sessions", "--json").json["sessions"]]


class TestNearMisses:
    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            (("serach", "x"), "`search`"),
            (("stats",), "`status`"),
            (("config", "lst"), "`list`"),
            (("runs", "shwo"), "`show`"),
            (("install", "claude"), "`claude-code`"),
            (("install", "gemini-cli"), "`gemini`"),
            (("uninstall", "open-code"), "`opencode`"),
            (("config", "set", "memory.learner", "x"), "`memories.learner`"),
            (("config", "get", "lerner"), "`learner`"),
        ],
    )
    def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(self, product, typed, meant):
        answer = product.call(*typed, code=2)
        assert f"did you mean {meant}" in answer.err

    def test_a_setting_that_is_not_there_is_answered_in_few_words(self, product):
        answer = product.call("config", "set", "zzzzzz", "x", code=2)
        assert "vade config" in answer.err
        assert max(map(len, answer.err.splitlines())) < 100

    def test_what_is_like_nothing_is_answered_with_what_there_is(self, product):
        answer = product.call("zzzzzz", code=2)
        assert "did you mean" not in answer.err
        assert "search" in answer.err

    def test_a_wrong_option_names_the_help_of_its_command(self, product):
        assert "`vade read --help`" in product.call("read", "x", "--nothing", code=2).err

    def test_a_filter_with_a_value_that_is_none_is_a_usage_error(self, learned):
        answer = learned.call("search", "after:yesterday x", code=2)
        assert "`after:yesterday`" in answer.err
        assert "2026-11-20" in answer.err

    @pytest.mark.parametrize(("lines", "expected"), [("3-5", (3, 3)), ("2", (2, 1))])
    def test_the_place_that_search_prints_can_be_read(self, learned, lines, expected):
        reading = learned.call("read", f"MEMORY.md:{lines}", "--json").json
        assert (reading["start_line"], len(reading["content"].split("\n"))) == expected

    @pytest.mark.parametrize(
        "words", [("MEMORY.md:5-3",), ("MEMORY.md:0",), ("MEMORY.md:3", "--offset", "2"), ("MEMORY.md:9999",)]
    )
    def test_lines_that_make_no_sense_are_a_usage_error(self, learned, words):
        learned.call("read", *words, code=2)

    def test_a_beginning_of_a_session_id_will_do(self, learned):
        (identifier,) = session_ids(learned)
        assert RULE in learned.call("sessions", "show", identifier[:8]).out

    def test_a_beginning_of_several_is_an_error_that_lists_them(self, learned):
        learned.tell(*(ruled(RULE, label=f"s{number}") for number in range(20)))
        learned.learn()
        ids = session_ids(learned)
        beginning = next(name[0] for name in ids if sum(other[0] == name[0] for other in ids) > 1)
        answer = learned.call("sessions", "show", beginning, code=2)
        assert sum(name in answer.err for name in ids) > 1


class TestLearning:
    @pytest.mark.parametrize("days", [0, 1, 30])
    @pytest.mark.parametrize("form", ["{days}", "{days}d", "{day}"])
    def test_since_takes_days_spans_and_dates(self, product, days, form):
        """A session of ten days ago is old for one day and young for thirty."""
        product.tell(ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=10)))
        day = (datetime.now().astimezone() - timedelta(days=days)).date()
        words = ("learn", "--from", str(product.sessions), "--now", "--since", form.format(days=days, day=day))
        assert product.call(*words, "--json").json["extracted"] == (days == 30)

    def test_since_takes_weeks(self, product):
        product.tell(ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=10)))
        learn = ("learn", "--from", str(product.sessions), "--now", "--json", "--since")
        assert product.call(*learn, "1w").json["extracted"] == 0
        assert product.call(*learn, "2w").json["extracted"] == 1

    @pytest.mark.parametrize("when", ["", "-1", "2x", "soon", "2026-13-01", "2999-01-01"])
    def test_any_other_since_is_a_usage_error_that_names_it(self, product, when):
        assert f"--since {when}:" in product.call("learn", "--since", when, code=2).err

    def test_where_learning_is_off_there_is_one_line_and_nothing_else(self, learned):
        learned.call("config", "set", "generate_memories", "false")
        answer = learned.call("learn", "--from", str(learned.sessions), "--all", "--now")
        assert len(answer.out.splitlines()) == 1
        assert "generate_memories" in answer.out
        assert answer.err == ""

    def test_no_line_is_said_twice(self, product):
        product.tell(ruled(RULE))
        answer = product.call("learn", "--from", str(product.sessions), "--all", "--now")
        assert (answer.out + answer.err).count("1 session found") == 1
        assert "1 sessions" not in answer.out + answer.err


class TestDryRun:
    LEARN = ("learn", "--all", "--now", "--dry-run")

    def test_it_lists_what_would_become_of_every_session(self, product):
        product.tell(ruled(RULE), ruled(RULE, label="s2"))
        product.learn("--max", "1")
        product.tell(ruled("hm", label="s3"))
        answer = product.call(*self.LEARN, "--from", str(product.sessions), "--json").json
        outcomes = sorted((row["outcome"], row["statements"]) for row in answer["sessions"])
        assert outcomes == [("learned", 1), ("nothing to keep", 0), ("unchanged", 0)]
        assert {row["project"] for row in answer["sessions"] if row["outcome"] == "learned"} == {"/srv/shop"}

    def test_a_person_reads_agent_day_project_and_how_much(self, product):
        product.tell(ruled(RULE))
        line = product.call(*self.LEARN, "--from", str(product.sessions)).out.splitlines()[0]
        assert line.split("  ")[0] == "2026-11-02"
        assert "1 statement " in line
        assert line.endswith("/srv/shop")

    def test_a_real_pass_lists_none(self, product):
        product.tell(ruled(RULE))
        assert "sessions" not in product.learn().json


class TestEmptyMachine:
    @pytest.mark.parametrize(
        "words",
        [
            ("context",),
            ("search", "x"),
            ("ls",),
            ("log",),
            ("read", "MEMORY.md"),
            ("adopt",),
            ("status",),
            ("sessions",),
            ("runs",),
        ],
    )
    def test_every_command_names_the_same_first_step(self, product, words):
        answer = product.call(*words, code=0 if words[0] in ("context", "status", "sessions", "runs") else 1)
        assert "Run `vade learn` to learn from your sessions, or `vade note TEXT`" in answer.out + answer.err

    def test_the_home_of_an_identity_that_is_not_there_says_so(self, product):
        assert "has no memory yet" in product.call("home", "--identity", "work").out
        assert product.call("home", "--identity", "work", "--json").json["exists"] is False


class TestSettings:
    @pytest.mark.parametrize(
        ("key", "value", "allowed"),
        [
            ("use_memories", "maybe", "true or false"),
            ("budget_tokens", "1", "500 to 32000"),
            ("learner", "x", "extractive"),
        ],
    )
    def test_a_bad_value_is_answered_with_what_is_allowed(self, product, key, value, allowed):
        answer = product.call("config", "set", key, value, code=2)
        assert allowed in answer.err
        assert "No setting was changed." in answer.err
        assert "using" not in answer.err

    def test_what_was_set_can_be_unset(self, product):
        product.call("config", "set", "use_memories", "off")
        assert product.call("config", "unset", "use_memories").out == "memories.use_memories = true (the default)\n"
        assert product.call("config", "get", "use_memories").out == "true\n"

    def test_booleans_are_written_alike_everywhere(self, product):
        listed = product.call("config").out
        assert "memories.use_memories = true\n" in listed
        assert "memories.use_memories = false\n" in product.call("config", "set", "use_memories", "off").out

    def test_a_change_that_the_environment_hides_is_said(self, product, monkeypatch):
        monkeypatch.setenv("VADEMECUM_MEMORIES_USE_MEMORIES", "on")
        assert "overrides" in product.call("config", "set", "use_memories", "off").err


class TestLists:
    def test_sessions_fit_eighty_columns_and_their_short_ids_open_them(self, product):
        product.tell(*(ruled(RULE, label=f"s{n}", cwd=f"/srv/{'deep/' * 30}{n}") for n in range(4)))
        product.learn()
        lines = product.call("sessions").out.splitlines()
        heads = [line for line in lines if not line.startswith(" ")]
        assert len(heads) == 4
        assert max(map(len, lines)) <= 80
        for line in heads:
            product.call("sessions", "show", line.split()[0])

    def test_the_whole_id_is_one_option_away(self, learned):
        (identifier,) = session_ids(learned)
        assert identifier not in learned.call("sessions").out
        assert identifier in learned.call("sessions", "-v").out
        assert identifier in learned.call("sessions", "list", "--verbose").out

    def test_the_log_names_the_person_as_you(self, learned):
        learned.call("note", "call her Ada")
        learned.edit("MEMORY.md", "pnpm", "PNPM")
        learned.call("adopt")
        writers = [line.split("  ")[2].strip() for line in learned.call("log").out.splitlines()]
        assert writers == ["you (edit)", "you", "learned", "vade"]


class TestSearching:
    def test_a_hit_says_in_words_where_it_is_from(self, learned):
        lines = learned.call("search", "pnpm").out.splitlines()
        (identifier,) = session_ids(learned)
        assert f"said in claude-code session {identifier[:8]}, 2026-11-02, in /srv/shop" in lines
        assert any(line.startswith(("MEMORY.md:", "memory_summary.md:")) for line in lines)

    def test_the_count_is_the_last_line(self, learned):
        answer = learned.call("search", "pnpm")
        assert re.fullmatch(r"\d+ of \d+ results?(; go on with --offset \d+)?", answer.out.splitlines()[-1])
        assert answer.err == ""
        assert learned.call("search", "zzzz").out == "nothing was found\n"

    @pytest.mark.parametrize("query", ["", "  "])
    def test_a_blank_query_is_a_usage_error(self, learned, query):
        learned.call("search", query, code=2)

    def test_a_filter_that_is_none_is_searched_as_words_and_said(self, learned):
        assert "`always:use` is no filter" in learned.call("search", "always:use", "--explain").out
        assert learned.call("search", "always:use", "--json").json["total"] > 0

    @pytest.mark.parametrize("words", [("--", "pnpm", "-npm"), ("pnpm -npm",)])
    def test_words_are_excluded_behind_two_dashes_or_in_quotes(self, learned, words):
        assert learned.call("search", "pnpm", "--json").json["total"] > 0
        assert all(" npm" not in hit["snippet"] for hit in learned.call("search", "--json", *words).json["results"])

    def test_one_fact_is_shown_once(self, learned):
        hits = learned.call("search", "pnpm", "--in", "memory", "--json").json["results"]
        assert sum(RULE in hit["snippet"] and hit["path"] in ("MEMORY.md", "memory_summary.md") for hit in hits) == 1


class TestHandEdits:
    BAD = "---\ndescription: x\n---\na\n<<<<<<< ours\n"

    def broken_and_fit(self, product):
        (product.memory / "reference").mkdir()
        (product.memory / "reference" / "bad.md").write_text(self.BAD, encoding="utf-8")
        product.edit("MEMORY.md", "pnpm", "PNPM")

    def test_status_tells_of_edits_that_wait(self, learned):
        assert "edited" not in learned.call("status").out
        self.broken_and_fit(learned)
        text = learned.call("status").out
        assert "1 file edited by hand, not yet taken in: vade adopt" in text
        assert "reference/bad.md cannot be taken in: holds a conflict marker" in text
        shape = learned.call("status", "--json").json
        assert shape["hand_edits"] == ["MEMORY.md"]
        assert [edit["path"] for edit in shape["unfit_edits"]] == ["reference/bad.md"]

    @pytest.mark.parametrize("as_json", [True, False])
    def test_a_refused_file_is_left_and_named_and_the_fit_ones_are_taken_in(self, learned, as_json):
        self.broken_and_fit(learned)
        answer = learned.call("adopt", *(["--json"] if as_json else []))
        reason = "holds a conflict marker (<<<<<<<) in line 5"
        if as_json:
            assert answer.json["paths"] == ["MEMORY.md"]
            assert answer.json["refused"] == [{"path": "reference/bad.md", "reason": reason}]
        else:
            assert "adopted  MEMORY.md" in answer.out
            assert f"left     reference/bad.md: {reason}" in answer.out
            assert "Correct what was left in an editor" in answer.out
        assert "PNPM" in learned.git("show", "HEAD:MEMORY.md")

    def test_the_line_of_a_secret_is_named_and_the_secret_is_not(self, learned):
        secret = "ghp_" + "a1B2c3D4e" * 4
        learned.edit("MEMORY.md", "pnpm", f"pnpm {secret}")
        answer = learned.call("adopt")
        line = next(n for n, text in enumerate(learned.read("MEMORY.md").split("\n"), 1) if secret in text)
        assert f"in line {line}" in answer.out
        assert secret not in answer.out + answer.err

    def test_status_tells_of_proposals(self, learned):
        name = learned.agents_edit()
        assert "1 change waits for you: vade proposals" in learned.call("status").out
        assert [proposal["id"] for proposal in learned.call("status", "--json").json["proposals"]] == [name]


def test_files_that_lost_their_history_get_no_new_one_by_the_way(product):
    """`vade init` begins a new one, by a person's decision."""
    product.call("note", "the first")
    (product.memory / ".git").rename(product.memory.parent / "kept")
    product.tell(ruled("always use pnpm here"))
    assert "history is gone" in product.call("note", "x", code=1).err
    assert "history is gone" in product.learn(code=1).err
    assert not (product.memory / ".git").exists()
    product.call("init")
    product.call("note", "the second")


def test_what_memory_was_updated_from_is_said_where_no_session_was_learned(product):
    product.tell(ruled("from now on always use pnpm here, never npm"))
    product.learn()
    product.call("note", "the till is green")
    out = product.call("learn", "--from", str(product.sessions), "--all", "--now").out
    assert "memory was updated in one commit (learn from notes and edits)" in out


def test_a_lost_state_is_told_with_its_place(product):
    product.tell(ruled("from now on always use pnpm here, never npm"))
    product.learn()
    product.lose("state.db")
    out = product.call("learn", "--from", str(product.sessions), "--all", "--now").out
    assert f"{product.identity / 'state.db'} was missing" in out


def test_the_next_step_of_status_never_leads_to_status(product):
    product.call("note", "the till is green")
    with State.open(product.identity / "state.db") as state:
        state.passes.keep(
            LastPass(
                at=datetime.now(UTC),
                discovered=0,
                extracted=0,
                no_output=0,
                failed=0,
                skipped={},
                error="the disk said no",
                next_step=VademecumError.next_step,
            )
        )
    assert "vade doctor" in product.call("status").out
    assert "vade status" not in product.call("status").out
