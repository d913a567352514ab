"""What waits for the person's word, from the setting to the decision."""

import re
import shutil
from datetime import UTC, datetime

import pytest

from support.product import Product, ruled
from vademecum import Memory
from vademecum.memfs import Provenance, Writer

RULE = "from now on always use pnpm here, never npm"
LATER = "never edit generated files by hand"
LATER_DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def proposed(product):
    product.call("config", "set", "review.learn", "propose")
    product.tell(ruled(RULE))
    assert product.learn().json["consolidation"]["status"] == "proposed"
    return product


def waiting(product):
    return product.call("proposals", "--json").json["proposals"]


def the_only(product):
    (proposal,) = waiting(product)
    return proposal["id"]


class TestWaiting:
    def test_nothing_that_waits_is_in_memory_or_in_a_prompt(self, proposed):
        assert "pnpm" not in proposed.context()
        assert not (proposed.memory / "MEMORY.md").exists()

    def test_learn_status_and_list_say_what_waits_once_each(self, proposed):
        """core-R102: a condition is told once, and no more when it is over."""
        learned = proposed.call("learn", "--from", str(proposed.sessions), "--all", "--now").out
        status = proposed.call("status").out
        listed = proposed.call("proposals").out
        assert "there was nothing new" in learned
        for told in (learned, status):
            assert told.count("vade proposals") == 1
        assert "1 change waits for you" in status
        assert "2 files" not in listed
        assert "3 files: MEMORY.md, memory_summary.md, rollout_summaries/" in listed
        proposed.call("proposals", "accept", the_only(proposed))
        assert "vade proposals" not in proposed.call("status").out
        assert proposed.call("proposals").out == "nothing waits for you\n"

    def test_the_json_of_the_list_and_of_status_are_the_same(self, proposed):
        (row,) = waiting(proposed)
        assert proposed.call("status", "--json").json["proposals"] == [row]
        assert row == {
            "id": row["id"],
            "kind": "learn",
            "at": row["at"],
            "subject": "Learn from 1 session",
            "paths": ["MEMORY.md", "memory_summary.md", row["paths"][2]],
            "conflicts": [],
            "session": None,
        }

    def test_showing_one_prints_what_would_change(self, proposed):
        shown = proposed.call("proposals", "show", the_only(proposed)[-8:]).out
        assert "MEMORY.md  new  +" in shown
        before, _, _ = shown.partition("Accepting it now would change:")
        assert before.count(RULE) == 1
        assert "\n    memory_summary.md\n" in before
        last = shown.rstrip().rpartition("\n")[2]
        assert f"vade proposals accept {the_only(proposed)}" in last
        assert f"vade proposals reject {the_only(proposed)}" in last
        assert "+ - from now on always use pnpm here, never npm" in shown
        changes = proposed.call("proposals", "show", the_only(proposed), "--json").json["changes"]
        assert [change["path"] for change in changes][:2] == ["MEMORY.md", "memory_summary.md"]

    def test_an_agents_edit_shows_who_and_why(self, product):
        product.call("init")
        product.agents_edit()
        listed = product.call("proposals").out
        assert "20261120T090000-ed17" in listed
        assert "agent's edit  Ada said what she likes" in listed
        assert "system/human.md" in listed

    def test_a_hostile_subject_does_not_move_the_terminal(self, product):
        product.call("init")
        repository = Memory.open(home=product.home, environ={}).repository()
        repository.keep_proposal(
            repository.tree(),
            {"log/a.md": b"x\x1b[2Jy\n"},
            subject="clear \x1b[2J it",
            provenance=Provenance(writer=Writer.MEMORY_TOOL, run="run-1", origin="model"),
        )
        for words in (("proposals",), ("proposals", "show", "run-1"), ("proposals", "reject", "run-1")):
            answer = product.call(*words)
            assert "\x1b" not in answer.out + answer.err


class TestRemovedMeanwhile:
    """What a person removed while it waited does not come back by accepting it."""

    NOTE = "the staging database is called quetzalcoatl"

    @pytest.fixture
    def noted(self, product):
        product.call("config", "set", "review.learn", "propose")
        product.call("note", self.NOTE)
        product.tell(ruled(RULE))
        product.learn()
        return product

    @pytest.mark.parametrize("remove", ["undo", "memory delete", "forget"])
    def test_a_note(self, noted, remove):
        (note,) = noted.memory.glob("extensions/ad_hoc/notes/*.md")
        path = note.relative_to(noted.memory).as_posix()
        noted.call(*{"undo": ["undo"], "forget": ["forget", path, "--yes"]}.get(remove, ["memory", "delete", path]))
        noted.call("proposals", "accept", the_only(noted))
        assert RULE in noted.context()
        noted.learn()
        assert "quetzalcoatl" not in noted.context()
        assert "quetzalcoatl" not in noted.read("MEMORY.md") + noted.read("memory_summary.md")

    def test_a_statement_of_a_run_that_was_undone(self, product):
        product.tell(ruled(RULE))
        product.learn()
        product.call("config", "set", "review.learn", "propose")
        product.tell(ruled(RULE, LATER, label="s2", started_at=LATER_DAY))
        product.learn()
        run = product.call("log", "--json").json["commits"][0]["provenance"]["run"]
        product.call("undo", run)
        (error,) = [product.fail("proposals", "accept", the_only(product), "--json").error]
        assert error["code"] == "conflict"
        assert "pnpm" not in product.context()

    @pytest.fixture
    def gone_on(self, product):
        """A session is in memory, and what came in it since waits."""
        product.tell(ruled(RULE))
        product.learn()
        product.call("config", "set", "review.learn", "propose")
        product.tell(ruled(RULE, LATER))
        assert product.learn().json["consolidation"]["status"] == "proposed"
        return product

    def delete(self, product):
        (summary,) = product.memory.glob("rollout_summaries/*.md")
        summary.unlink()
        product.call("adopt")

    def switch_off(self, product):
        (session,) = product.call("sessions", "--json").json["sessions"]
        product.call("mode", session["id"], "disabled")

    @pytest.mark.parametrize("remove", [delete, switch_off])
    def test_what_rests_on_a_session_that_a_person_took_out(self, gone_on, remove):
        remove(self, gone_on)
        gone_on.call("proposals", "accept", the_only(gone_on), "MEMORY.md")
        assert waiting(gone_on) == []
        assert not any(word in gone_on.context() for word in ("pnpm", "generated"))
        assert not any(word in gone_on.read("MEMORY.md") for word in ("pnpm", "generated"))

    def test_a_session_that_a_person_switched_off_leaves_by_accepting_that(self, gone_on):
        self.switch_off(gone_on)
        gone_on.learn()
        gone_on.call("proposals", "accept", the_only(gone_on))
        assert waiting(gone_on) == []
        assert not any(gone_on.memory.glob("rollout_summaries/*.md"))
        assert "pnpm" not in gone_on.context()


class TestLedger:
    """The row of a run says what became of what it had proposed."""

    def outcomes(self, product):
        return [line for line in product.call("runs").out.splitlines() if "consolidation" in line]

    @pytest.mark.parametrize(("word", "became"), [("accept", "accepted"), ("reject", "rejected")])
    def test_a_decision(self, proposed, word, became):
        assert "proposed, then" not in proposed.call("status").out
        name = the_only(proposed)
        proposed.call("proposals", word, name)
        assert f"proposed, then {became}" in proposed.call("status").out
        assert f"proposed, then {became}" in proposed.call("runs", "show", name).out

    def test_a_part_of_it(self, proposed):
        name = the_only(proposed)
        rollout = next(path for path in waiting(proposed)[0]["paths"] if path.startswith("rollout_summaries/"))
        proposed.call("proposals", "accept", name, rollout)
        assert "proposed, then accepted in part" in proposed.call("status").out
        proposed.call("proposals", "reject", name)
        assert "proposed, then accepted in part" in proposed.call("status").out

    def test_a_newer_run_in_its_place(self, proposed):
        proposed.tell(ruled(LATER, label="s2", started_at=LATER_DAY))
        proposed.learn()
        newer, older = self.outcomes(proposed)
        assert "then" not in newer
        assert "proposed, then replaced by a newer run" in older


class TestDeciding:
    def test_what_is_accepted_is_in_the_next_prompt(self, proposed):
        name = the_only(proposed)
        answer = proposed.call("proposals", "accept", name, "--json").json
        assert answer["commit"] == proposed.head()
        assert answer["paths"][:2] == ["MEMORY.md", "memory_summary.md"]
        assert (answer["id"], answer["left"], answer["conflicts"]) == (name, [], [])
        assert f"- {RULE}\n" in proposed.context()
        assert proposed.learn().json["consolidation"]["status"] == "no_new_input"
        assert proposed.call("status", "--json").json["waiting"] == [{"count": 1, "what": "already learned"}]

    def test_accepting_again_answers_the_same_and_changes_nothing(self, proposed):
        name = the_only(proposed)
        first = proposed.call("proposals", "accept", name, "--json").json
        again = proposed.call("proposals", "accept", name[-8:-2], "--json").json
        assert again == first | {"was_decided": True}
        assert proposed.head() == first["commit"]

    def test_what_was_decided_before_is_said_to_be(self, proposed):
        name = the_only(proposed)
        proposed.call("proposals", "accept", name)
        for words in ((name,), (name, "MEMORY.md")):
            out = proposed.call("proposals", "accept", *words).out
            assert out.startswith(f"decided already: accepted   {name}")
            assert "changed " not in out
        for word in ("reject", "show"):
            error = proposed.call("proposals", word, name, "--json", code=1).error
            assert f"{name} was decided already: accepted" in error["message"]

    def test_what_was_rejected_cannot_be_accepted_any_more(self, proposed):
        name = the_only(proposed)
        proposed.call("proposals", "reject", name)
        error = proposed.call("proposals", "accept", name, "MEMORY.md", "--json", code=1).error
        assert "decided already: rejected" in error["message"]

    def test_the_beginning_of_several_decided_ones_is_answered_with_their_ids(self, proposed):
        names = [the_only(proposed)]
        proposed.call("proposals", "accept", names[0])
        proposed.tell(ruled(LATER, label="s2", started_at=LATER_DAY))
        proposed.learn()
        names.append(the_only(proposed))
        proposed.call("proposals", "reject", names[1])
        error = proposed.call("proposals", "accept", names[0][:3], "--json", code=2).error
        assert all(name in error["message"] for name in names)

    def test_files_and_folders_may_be_accepted_one_by_one(self, proposed):
        name = the_only(proposed)
        answer = proposed.call("proposals", "accept", name, "rollout_summaries", "--json").json
        assert answer["left"] == ["MEMORY.md", "memory_summary.md"]
        assert the_only(proposed) == name
        assert "not decided yet" not in proposed.call("proposals", "accept", name).out

    def test_the_handbook_brings_the_summary_and_what_both_rest_on(self, proposed):
        name = the_only(proposed)
        answer = proposed.call("proposals", "accept", name, "MEMORY.md", "--json").json
        assert answer["left"] == []
        assert waiting(proposed) == []
        for path in re.findall(r"rollout_summaries/\S+\.md", proposed.read("MEMORY.md")):
            assert (proposed.memory / path).exists()
        assert f"- {RULE}\n" in proposed.context()

    def test_a_path_that_is_not_in_it_is_an_error(self, proposed):
        error = proposed.call("proposals", "accept", the_only(proposed), "log/x.md", "--json", code=1).error
        assert error["code"] == "not_found"
        assert len(waiting(proposed)) == 1

    def test_what_is_rejected_stays_away_until_it_is_said_again(self, proposed):
        answer = proposed.call("proposals", "reject", the_only(proposed), "--json").json
        assert answer["paths"] == ["ARCHIVE.md"]
        assert waiting(proposed) == []
        assert proposed.learn().json["consolidation"]["status"] == "no_new_input"
        proposed.tell(ruled(LATER, label="s2", started_at=LATER_DAY))
        assert proposed.learn().json["consolidation"]["status"] == "proposed"
        proposed.call("proposals", "accept", the_only(proposed))
        assert "generated files" in proposed.context()
        assert f"- {RULE}\n" not in proposed.context()
        assert "rejected: from now on always use pnpm" in proposed.read("ARCHIVE.md")

    def test_neither_its_tasks_nor_its_words_come_with_a_later_proposal_and_nothing_waits(self, proposed):
        proposed.call("proposals", "reject", the_only(proposed))
        assert "not in the memory files yet" not in proposed.call("status").out
        proposed.call("note", "a new note")
        assert proposed.learn().json["consolidation"]["status"] == "proposed"
        shown = proposed.call("proposals", "show", the_only(proposed)).out
        assert "a new note" in shown
        assert "pnpm" not in shown
        assert "rollout_summaries" not in shown

    def test_rejecting_the_rest_leaves_what_was_accepted_and_nothing_waits(self, proposed):
        name = the_only(proposed)
        accepted = proposed.call("proposals", "accept", name, "rollout_summaries", "--json").json["paths"]
        proposed.call("proposals", "reject", name)
        proposed.learn()
        assert [path for path in accepted if not (proposed.memory / path).exists()] == []
        assert f"- {RULE}\n" not in proposed.context()
        assert waiting(proposed) == []

    def test_letting_a_bullet_come_back_brings_its_session_too(self, proposed):
        commit = proposed.call("proposals", "reject", the_only(proposed), "--json").json["commit"]
        proposed.call("undo", commit)
        assert proposed.learn().json["consolidation"]["status"] == "proposed"
        proposed.call("proposals", "accept", the_only(proposed))
        assert f"- {RULE}\n" in proposed.context()

    def test_it_stays_away_without_the_database_too(self, proposed):
        proposed.call("proposals", "reject", the_only(proposed))
        proposed.lose("state.db")
        proposed.call("config", "set", "review.learn", "auto")
        proposed.learn()
        assert f"- {RULE}\n" not in proposed.context()

    def test_its_session_comes_back_in_no_file_without_the_database_until_it_goes_on(self, proposed):
        proposed.call("proposals", "reject", the_only(proposed))
        proposed.lose("state.db")
        proposed.call("config", "set", "review.learn", "auto")
        for _ in range(2):
            report = proposed.learn().json
            assert (report["extracted"], report["skipped"]) == (0, {"rejected": 1})
        assert sorted(path.name for path in proposed.memory.glob("rollout_summaries/*")) == []
        assert not (proposed.memory / "MEMORY.md").exists()
        assert "you rejected what was learned from them" in proposed.call("status").out
        assert proposed.learn("--dry-run").json["skipped"] == {"rejected": 1}
        proposed.tell(ruled(RULE, LATER))
        assert proposed.learn().json["extracted"] == 1
        assert LATER in proposed.context()
        assert f"- {RULE}\n" not in proposed.context()

    def test_on_another_machine_it_stays_away_too(self, proposed, tmp_path):
        proposed.call("proposals", "reject", the_only(proposed))
        other = Product(tmp_path / "other")
        other.folder.mkdir()
        other.sessions = proposed.sessions
        other.identity.mkdir(parents=True, mode=0o700)
        shutil.copytree(proposed.memory, other.memory)
        assert other.learn().json["skipped"] == {"rejected": 1}
        assert not (other.memory / "MEMORY.md").exists()

    def test_a_line_of_the_archive_that_a_person_takes_out_lets_it_come_back_without_the_database(self, proposed):
        proposed.call("proposals", "reject", the_only(proposed))
        proposed.lose("state.db")
        (proposed.memory / "ARCHIVE.md").unlink()
        proposed.git("commit", "-qam", "let it come")
        assert proposed.learn().json["extracted"] == 1

    def test_what_was_accepted_can_be_undone_and_stays_away(self, proposed):
        name = the_only(proposed)
        proposed.call("proposals", "accept", name, "rollout_summaries")
        proposed.call("proposals", "accept", name)
        proposed.call("undo", name)
        assert not (proposed.memory / "MEMORY.md").exists()
        for _ in range(2):
            proposed.learn()
            for waits in waiting(proposed):
                proposed.call("proposals", "accept", waits["id"])
        assert f"- {RULE}\n" not in proposed.context()

    def test_an_agents_edit_is_taken_in_as_the_agents_with_the_persons_word(self, product):
        product.call("init")
        product.agents_edit()
        product.call("proposals", "accept", "ed17")
        assert "I like tests" in product.context()
        trailers = product.git("log", "-1", "--format=%(trailers:only,unfold)")
        assert "Vade-Origin: model" in trailers
        assert "Vade-Accepted: human" in trailers

    def test_a_rejected_edit_leaves_no_trace(self, product):
        product.call("init")
        head = product.head()
        product.agents_edit()
        answer = product.call("proposals", "reject", "ed17", "--json").json
        assert (answer["commit"], answer["paths"]) == (None, [])
        assert product.head() == head
        assert product.git("for-each-ref", "refs/vademecum/proposals") == ""

    def test_a_conflict_shows_both_and_costs_one_file(self, product):
        product.call("init")
        product.agents_edit()
        product.edit("system/human.md", "\n---\n", "\n---\nI am Ada.\n")
        product.call("adopt")
        before = product.read("system/human.md")
        shown = product.call("proposals", "show", "ed17").out
        assert shown.index("In conflict. What is proposed:") < shown.index("+ I am Ada, and I like tests.")
        assert shown.index("In conflict. What was changed since:") < shown.index("+ I am Ada.\n")
        assert "in conflict with what was changed since: system/human.md" in product.call("proposals").out
        error = product.call("proposals", "accept", "ed17", "--json", code=4).error
        assert (error["code"], product.read("system/human.md")) == ("conflict", before)
        assert "vade proposals show" in error["next"]

    def test_a_partial_conflict_says_what_landed_and_what_waits(self, proposed):
        (proposed.memory / "MEMORY.md").write_text("- mine\n")
        proposed.call("adopt")
        answer = proposed.call("proposals", "accept", the_only(proposed), "--json", code=4).json
        assert answer["error"]["code"] == "conflict"
        assert (answer["left"], answer["conflicts"]) == (["MEMORY.md"], ["MEMORY.md"])
        assert "memory_summary.md" in answer["paths"]
        assert f"- {RULE}\n" in proposed.context()

    def test_while_a_consolidation_is_at_work_it_is_busy(self, proposed, monkeypatch):
        from vademecum.engine import review
        from vademecum.locks import Domain, Locks

        monkeypatch.setattr(review, "PATIENT_SECONDS", 0)
        with Locks(proposed.identity / "runtime/locks").hold(Domain.CONSOLIDATION, purpose="learn", wait_seconds=0):
            error = proposed.call("proposals", "accept", the_only(proposed), "--json", code=3).error
        assert (error["code"], error["retriable"]) == ("busy", True)
        assert len(waiting(proposed)) == 1

    @pytest.mark.parametrize("words", [("show", "nothing"), ("accept", "nothing"), ("reject", "nothing")])
    def test_an_unknown_id_is_an_error_with_a_way_on(self, product, words):
        product.call("init")
        error = product.call("proposals", *words, "--json", code=1).error
        assert error["code"] == "not_found"
        assert "vade proposals" in error["next"]


class TestLeftDrafts:
    def test_status_says_that_a_draft_was_left_and_learn_what_became_of_it(self, product):
        product.tell(ruled(RULE))
        product.learn()
        (product.identity / "runtime/drafts/20261101T000000-dead").mkdir()
        assert "1 draft of runs that did not end" in product.call("status").out
        assert product.call("status", "--json").json["left_drafts"] == ["20261101T000000-dead"]
        learned = product.learn()
        assert "20261101T000000-dead, which did not come to its end, was thrown away" in learned.err
        rows = product.call("runs", "--json").json["runs"]
        assert rows[0]["outcome"] == "discarded"
        assert product.call("status", "--json").json["left_drafts"] == []
