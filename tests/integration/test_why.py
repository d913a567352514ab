"""`vade why`: from a line of memory to what was said, by whom, when, and in whose conversation."""

import shutil
from datetime import UTC, datetime

import pytest

from support.compose import Format
from support.product import ruled, worked_on

RULE = "from now on always use pnpm here, never npm"
FULL = f"The build broke again. {RULE}. Thanks!"
AGAIN = "from now on always use pnpm here, never npm please"
TESTED = worked_on("s1")
LATER = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def learned(product):
    """One rule said in two sessions of two hosts."""
    product.tell(ruled(FULL, label="s1"))
    product.tell(ruled(AGAIN, label="s2", started_at=LATER), form=Format.CODEX)
    product.learn()
    return product


def line_of(product, path, words="pnpm"):
    """The place of the first bullet with these words."""
    lines = product.read(path).split("\n")
    number = next(at for at, line in enumerate(lines, 1) if words in line and "<!-- vade:" in line)
    return f"{path}:{number}"


def explained(product, what):
    (line,) = product.call("why", what, "--json").json["lines"]
    return line


def test_each_superseded_line_among_several_says_so_and_by_what_and_since_when(product):
    product.tell(ruled("from now on always use npm here, never pnpm", label="old"))
    product.tell(ruled("from now on always use pnpm here, never npm", label="new", started_at=LATER))
    product.learn()
    told = " ".join(product.call("why", "MEMORY.md").out.split())
    assert told.count("superseded on") == 1
    newer = "from now on always use pnpm here, never npm"
    assert f"superseded on 2026-11-20, by what you said later: {newer};" in told
    alone = " ".join(product.call("why", line_of(product, "MEMORY.md", "[superseded")).out.split())
    assert f"on 2026-11-20, by what you said later: {newer}" in alone


class TestBullets:
    def test_a_line_of_the_handbook_leads_to_the_very_words_of_the_person(self, learned):
        """codex-W26"""
        line = explained(learned, line_of(learned, "MEMORY.md"))
        first, second = line["spoken"]
        assert (first["words"], first["read_from"]) == (FULL, "host")
        assert (first["said"]["host"], second["said"]["host"]) == ("claude-code", "codex")
        assert first["said"]["project"] == "/srv/shop"
        assert first["said"]["turn"] == first["words_turn"] == 1
        assert first["said"]["at"].startswith("2026-11-02T")
        quoted = learned.read(first["said"]["path"]).split("\n")[first["said"]["line"] - 1]
        assert RULE in quoted

    def test_a_line_of_the_summary_names_its_place_in_the_handbook(self, learned):
        line = explained(learned, line_of(learned, "memory_summary.md"))
        assert f"MEMORY.md:{line['line']['handbook_line']}" == line_of(learned, "MEMORY.md")
        assert line["spoken"][0]["words"] == FULL

    def test_words_do_instead_of_a_place(self, learned):
        assert explained(learned, "pnpm HERE,  never npm")["spoken"][0]["words"] == FULL

    def test_the_commit_that_wrote_the_line_is_told_with_its_run(self, learned):
        commit = explained(learned, line_of(learned, "MEMORY.md"))["commit"]
        assert commit["provenance"]["writer"] == "learn"
        assert learned.call("runs", "show", commit["provenance"]["run"]).out

    def test_where_the_host_has_the_session_no_more_the_rollout_summary_quotes_it(self, learned):
        place = line_of(learned, "MEMORY.md")
        shutil.rmtree(learned.sessions)
        first, _ = explained(learned, place)["spoken"]
        assert (first["words"], first["read_from"]) == ("", "rollout summary")
        assert RULE in first["said"]["quote"]
        told = learned.call("why", place).out
        assert f"> {RULE}" in told
        assert "as the rollout summary quotes it" in told

    def test_without_the_state_the_repository_tells_it(self, learned):
        place = line_of(learned, "MEMORY.md")
        learned.lose("state.db")
        first, second = explained(learned, place)["spoken"]
        assert RULE in first["said"]["quote"]
        assert second["said"]["host"] == "codex"

    def test_words_that_a_person_reworded_are_told_with_what_was_learned(self, learned):
        path = "MEMORY.md"
        learned.edit(path, f"- {AGAIN}", "- pnpm only; ask before npm")
        for settle in (learned.commit_by_hand, learned.learn):
            settle()
            line = explained(learned, line_of(learned, path, "pnpm only"))
            assert line["line"]["is_yours"]
            assert "pnpm" in line["line"]["learned"]
            assert "never npm" in line["line"]["learned"]
        assert "yours; it was learned as" in learned.call("why", line_of(learned, path, "pnpm only")).out

    def test_what_tools_taught_is_told_with_what_the_person_asked(self, product):
        product.tell(TESTED)
        product.learn()
        line = explained(product, line_of(product, "MEMORY.md", "pytest"))
        (seen,) = line["spoken"]
        assert seen["said"]["kind"] == "command"
        assert seen["words"] == "please make the tests pass"

    def test_a_session_that_was_forgotten_is_not_read_again(self, learned):
        """The host still has it; memory was asked not to."""
        first = explained(learned, line_of(learned, "MEMORY.md"))["spoken"][0]["said"]
        learned.call("forget", first["session"], "--yes")
        told = learned.call("why", "MEMORY.md", "--json").out + learned.call("why", "ARCHIVE.md", "--json").out
        assert "The build broke" not in told
        assert first["session"] not in told


class TestFiles:
    def test_without_a_line_every_bullet_is_told_shortly(self, learned):
        learned.call("note", "the staging database is rebuilt every Monday")
        learned.learn()
        told = learned.call("why", "MEMORY.md").out
        assert "2026-11-02" in told
        assert "you noted" in told
        lines = learned.call("why", "MEMORY.md", "--json").json["lines"]
        assert len(lines) == learned.read("MEMORY.md").count("<!-- vade:")
        assert all(one["read_from"] != "host" for line in lines for one in line["spoken"])

    def test_some_lines_are_told_shortly(self, learned):
        place = line_of(learned, "MEMORY.md")
        number = int(place.partition(":")[2])
        lines = learned.call("why", f"MEMORY.md:{number - 1}-{number + 900}", "--json").json["lines"]
        assert [line["line"]["line"] for line in lines][:2] == [number - 1, number]
        assert lines[1]["spoken"][0]["read_from"] == "rollout summary"

    def test_a_note_and_a_bullet_of_it_name_who_wrote_it(self, product):
        product.tell(TESTED)
        product.call("note", "the staging database is rebuilt every Monday")
        product.learn()
        (note,) = [f["path"] for f in product.call("ls", "extensions/ad_hoc/notes", "--json").json["entries"]]
        for place in (line_of(product, "MEMORY.md", "staging"), f"{note}:6", note):
            (noted,) = explained(product, place)["spoken"]
            assert (noted["said"]["path"], noted["said"]["kind"], noted["read_from"]) == (note, "human", "note")

    def test_a_line_of_a_rollout_summary_leads_to_its_turn(self, learned):
        said = explained(learned, line_of(learned, "MEMORY.md"))["spoken"][0]["said"]
        line = explained(learned, f"{said['path']}:{said['line']}")
        assert line["spoken"][0]["words"] == FULL
        (session,) = explained(learned, f"{said['path']}:2")["spoken"]
        assert (session["said"]["session"], session["said"]["turn"]) == (said["session"], 0)

    def test_a_task_names_its_session(self, learned):
        text = learned.read("MEMORY.md").split("\n")
        number = next(at for at, line in enumerate(text, 1) if line.startswith("## Task 1"))
        (session,) = explained(learned, f"MEMORY.md:{number}")["spoken"]
        assert session["said"]["host"] == "codex"

    def test_a_page_is_told_by_its_commits(self, learned):
        learned.call(
            "memory", "create", "reference/x.md", "--description", "x", "--text", "one\ntwo", "--reason", "why"
        )
        pages = learned.call("why", "reference/x.md", "--json").json["lines"]
        assert [page["commit"]["subject"] for page in pages] == ["why"]
        assert (pages[0]["line"]["line"], pages[0]["last_line"]) == (1, 5)
        told = learned.call("why", "reference/x.md:4").out
        assert "no recorded source" in told
        assert "why" in told

    def test_an_edit_of_an_agent_names_its_session(self, learned):
        proposal = learned.agents_edit()
        learned.call("proposals", "accept", proposal)
        told = learned.call("why", "system/human.md:4").out
        assert "in session s1" in told
        assert "no recorded source" not in told

    def test_a_person_s_own_line_has_no_recorded_source(self, learned):
        learned.edit("MEMORY.md", "## User preferences\n", "## User preferences\n- ask me first\n")
        learned.commit_by_hand()
        number = learned.read("MEMORY.md").split("\n").index("- ask me first") + 1
        told = learned.call("why", f"MEMORY.md:{number}").out
        assert "no recorded source" in told
        assert "you (edit)" in told

    def test_a_bullet_whose_source_nobody_knows_says_so(self, learned):
        learned.edit(
            "MEMORY.md", "## User preferences\n", "## User preferences\n- gone <!-- vade:0123456789 gone#t1 -->\n"
        )
        learned.commit_by_hand()
        told = learned.call("why", "gone").out
        assert "nobody knows here" in told


class TestRemoved:
    def test_what_a_person_deleted_says_how_it_went(self, learned):
        for path in ("MEMORY.md", "memory_summary.md"):
            (line,) = [line for line in learned.read(path).split("\n") if RULE[:20] in line and "<!-- vade" in line]
            learned.edit(path, line + "\n", "")
        learned.learn()
        told = learned.call("why", "use pnpm here").out
        assert told.startswith("ARCHIVE.md:")
        assert "you deleted it on 20" in told
        assert FULL in told

    def test_what_rests_says_that_nobody_used_it(self, product, days_later):
        product.tell(TESTED)
        product.learn()
        days_later(40)
        assert product.learn().json["consolidation"]["status"] == "landed"
        assert "pytest -q" not in product.read("MEMORY.md")
        told = product.call("why", "pytest -q").out
        assert "nobody used it for too long" in told
        assert "please make the tests pass" in told


class TestErrors:
    @pytest.mark.parametrize(
        ("what", "message"),
        [
            ("MEMORY.md:999", "line 999 is outside MEMORY.md"),
            ("MEMORY.md:0", "line 0 is outside MEMORY.md"),
            ("MEMORY.md:9-3", "MEMORY.md:9-3 names no lines"),
            ("src/nowhere.ts", "no line that holds these words"),
            ("nothing.md", "there is no file 'nothing.md' in memory"),
            ("nothing.md:3", "there is no file 'nothing.md' in memory"),
            ("words that nobody said", "no line that holds these words"),
            ("../x.md", "../x.md"),
            ("", "no line that holds these words"),
        ],
    )
    def test_what_is_not_there_is_said(self, learned, what, message):
        answer = learned.fail("why", what)
        assert message in answer.err

    def test_control_characters_of_a_session_do_not_reach_the_terminal(self, product):
        product.tell(ruled(f"{RULE} \x1b[31mred\x1b[0m \u202eevil"))
        product.learn()
        told = product.call("why", line_of(product, "MEMORY.md")).out
        assert "\x1b" not in told
        assert "\u202e" not in told
