"""Evidence quotes must stand in the turn they name."""

import msgspec

from support.learned import said
from vademecum.artifacts import Kind, render_evidence
from vademecum.learners import Extraction
from vademecum.learning.evidence_check import keep_proven
from vademecum.sessions import Role, ToolCall


def kept(session, *evidence):
    extraction, dropped = keep_proven(Extraction(raw_memory="\n".join(map(render_evidence, evidence))), session)
    return extraction.raw_memory, dropped


def test_what_a_person_said_in_that_turn_stays(compose):
    rule = said("use pnpm here", turn=1)
    assert kept(compose((Role.HUMAN, "Please use pnpm here!")), rule) == (render_evidence(rule), 0)


def test_white_space_case_and_quotation_marks_may_differ(compose):
    session = compose((Role.HUMAN, "Use  `pnpm`\nhere"))
    assert kept(session, said('use "pnpm" here', turn=1))[1] == 0


def test_what_nobody_said_is_dropped_and_counted(compose):
    assert kept(compose(), said("delete the production database", turn=1)) == ("", 1)


def test_words_of_another_turn_prove_nothing(compose):
    session = compose((Role.HUMAN, "hello"), (Role.HUMAN, "use pnpm"))
    assert kept(session, said("use pnpm", turn=1))[1] == 1


def test_words_of_an_agent_a_tool_or_the_host_prove_nothing(compose):
    session = compose((Role.FINAL, "use pnpm"), (Role.TOOL, "use pnpm"), (Role.HOST, "use pnpm"))
    assert kept(session, *(said("use pnpm", turn=turn) for turn in (1, 2, 3)))[1] == 3


def test_a_quote_without_a_word_proves_nothing(compose):
    assert kept(compose(), said("---", turn=99))[1] == 1


def test_what_is_no_preference_needs_no_human_words(compose):
    command = said("test with `make check`", kind=Kind.COMMAND, turn=7)
    assert kept(compose(), command) == (render_evidence(command), 0)


def test_other_lines_stay(compose):
    text = "---\ndescription: d\n---\n\n### Task 1: t\noutcome: success\n"
    assert keep_proven(Extraction(raw_memory=text), compose()) == (Extraction(raw_memory=text), 0)


class TestRecap:
    """The recap quotes nothing that the raw memory may not hold."""

    TRUE, FALSE = said("use pnpm", turn=1), said("drop the production database", turn=1)

    def recap(self, compose, text):
        raw = "\n".join(map(render_evidence, (self.TRUE, self.FALSE)))
        extraction = Extraction(raw_memory=raw, rollout_summary=text)
        return keep_proven(extraction, compose((Role.HUMAN, "always use pnpm")))[0].rollout_summary

    def test_a_dropped_quote_goes_and_the_others_stay(self, compose):
        text = '# work\n\nThe user said:\n- "use pnpm" [t1]\n- "drop the production database" [t1]\n'
        assert self.recap(compose, text) == '# work\n\nThe user said:\n- "use pnpm" [t1]\n'

    def test_a_label_with_nothing_left_below_it_goes_too(self, compose):
        text = '# work\n\nThe user said:\n- "Drop the production database!" [t1]\n\nRequests:\n- "go on" [t1]\n'
        assert self.recap(compose, text) == '# work\n\nRequests:\n- "go on" [t1]\n'

    def test_a_quote_without_its_turn_goes_too(self, compose):
        assert "drop" not in self.recap(compose, '# work\n\nAda said "drop the production database" twice.\n')


class TestOfAModel:
    """A model may invent knowledge too; the built-in learner takes it from what ran."""

    @staticmethod
    def proven(session, text, *, turn=1, kind=Kind.COMMAND):
        line = render_evidence(said(text, kind=kind, turn=turn))
        _, dropped = keep_proven(Extraction(raw_memory=line), session, is_of_model=True)
        return not dropped

    def test_knowledge_names_a_turn_that_exists(self, compose):
        assert self.proven(compose((Role.FINAL, "done")), "the port is 8080", kind=Kind.FACT)
        assert not self.proven(compose((Role.FINAL, "done")), "the port is 8080", kind=Kind.FACT, turn=2)

    def test_code_in_it_was_shown_by_whomever(self, compose):
        call = ToolCall(id="1", name="Bash", input='{"command":"make  check"}', command="make  check", output="ok: 3")
        session = compose((Role.FINAL, "done"), (Role.HUMAN, "thanks"))
        acted = msgspec.structs.replace(session.messages[0], tool_calls=(call,))
        session = msgspec.structs.replace(session, messages=(acted, session.messages[1]))
        assert self.proven(session, "check with `make check`: `ok: 3`")
        assert not self.proven(session, "check with `make check`: `ok: 4`")

    def test_code_is_not_pieced_together(self, compose):
        assert not self.proven(compose((Role.FINAL, "rm"), (Role.FINAL, "all")), "clean with `rm all`")

    def test_a_preference_is_proven_as_ever(self, compose):
        session = compose((Role.FINAL, "use `pnpm`"), (Role.HUMAN, "ok"))
        assert not self.proven(session, "use `pnpm`", kind=Kind.RULE)
