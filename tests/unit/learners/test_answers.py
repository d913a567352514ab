"""What a model answered: an extraction or a verdict, or a plain reason why it is neither."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.scripted_learner import answer
from vademecum.artifacts import parse_raw_memory
from vademecum.errors import LearnerFailed
from vademecum.learners import Consolidated, Extraction, Verdict
from vademecum.learners.answers import (
    BLANKS,
    MAX_RAW_MEMORY_CHARACTERS,
    MAX_ROLLOUT_SUMMARY_CHARACTERS,
    read_extraction,
    read_verdict,
    repair_request,
)

RULE = "[t4] rule/project 2026-11-02T10:00:00Z: use pnpm here, never npm"
KEYS = ("raw_memory", "rollout_summary", "rollout_slug", "outcome")
GOOD = json.loads(answer(RULE))


def reason(text, read=read_extraction):
    with pytest.raises(LearnerFailed) as caught:
        read(text)
    return str(caught.value)


def changed(**values):
    return json.dumps(GOOD | values)


class TestExtraction:
    def test_a_whole_answer_is_read(self):
        found = read_extraction(answer(RULE))
        (task,) = parse_raw_memory(found.raw_memory).tasks
        assert [item.text for item in task.evidence] == ["use pnpm here, never npm"]
        assert (found.rollout_slug, found.outcome) == ("fix_tests", "success")
        assert found.rollout_summary == "# The tests run again.\n"

    @pytest.mark.parametrize(
        "fence", ["```json\n{}\n```", "```\n{}\n```", "\n  ```JSON\r\n{}\r\n```  \n", "{}", " \n{}\n"]
    )
    def test_a_code_fence_around_the_object_is_no_harm(self, fence):
        """codex-R22: an answer that is right inside costs no session."""
        assert read_extraction(fence.replace("{}", answer(RULE))) == read_extraction(answer(RULE))

    @pytest.mark.parametrize(
        "text",
        [
            "Here it is: {}",
            "{} I hope that helps.",
            "{}{}",
            "```json\n{}\n```\nDone.",
            "[{}]",
            "```json\n{}",
        ],
    )
    def test_text_around_the_object_is_refused(self, text):
        assert "JSON object" in reason(text.replace("{}", answer(RULE)))

    @pytest.mark.parametrize("length", [1, 20, 100, len(answer(RULE)) - 1])
    def test_half_an_object_is_refused(self, length):
        assert "JSON object" in reason(answer(RULE)[:length])

    @pytest.mark.parametrize("text", ["", " \n\t", "\ufeff"])
    def test_nothing_is_no_answer(self, text):
        """codex-R11: an answer without text never counts as "nothing worth keeping"."""
        assert reason(text)

    def test_four_blank_values_are_a_good_answer(self):
        assert read_extraction(json.dumps(dict.fromkeys(KEYS, " "))) == Extraction()
        assert read_extraction(json.dumps(dict.fromkeys(KEYS, ""))).is_empty

    @pytest.mark.parametrize("name", ["raw_memory", "rollout_summary"])
    def test_half_of_the_pair_is_refused(self, name):
        """codex-R21: where one of both texts is blank, neither is stored."""
        assert f"{name} is empty" in reason(changed(**{name: "  "}))

    def test_a_slug_may_be_blank(self):
        """codex-R28: what is not known is an empty string."""
        assert read_extraction(changed(rollout_slug="")).rollout_slug == ""

    @pytest.mark.parametrize("name", KEYS)
    def test_every_key_has_to_be_there_and_hold_text(self, name):
        assert name in reason(json.dumps({key: value for key, value in GOOD.items() if key != name}))
        for value in (None, 1, ["x"], {"x": "y"}, True):
            assert name in reason(changed(**{name: value}))

    def test_unknown_keys_are_passed_over(self):
        assert read_extraction(changed(thoughts=[1, {"a": None}], confidence=0.5)) == read_extraction(answer(RULE))

    @pytest.mark.parametrize("outcome", ["done", "Success", "", "success|partial"])
    def test_an_outcome_is_one_of_four(self, outcome):
        assert "outcome" in reason(changed(outcome=outcome))

    @pytest.mark.parametrize(
        ("name", "most"),
        [
            ("raw_memory", MAX_RAW_MEMORY_CHARACTERS),
            ("rollout_summary", MAX_ROLLOUT_SUMMARY_CHARACTERS),
            ("rollout_slug", 200),
        ],
    )
    def test_a_value_that_is_too_long_is_refused(self, name, most):
        assert f"at most {most:,}" in reason(changed(**{name: GOOD[name] + "x" * most}))

    def test_an_endless_answer_is_refused(self):
        assert "1,000,000" in reason(changed(more="x" * 1_000_000))

    @pytest.mark.parametrize(
        "words",
        [
            "I can't help with that.",
            "I can\u2019t assist with this request.",
            "I cannot comply.",
            "I can not do that",
            "i cant process this transcript",
            "I won't summarize this.",
            "I am unable to help with this.",
            "I'm not able to provide a summary",
            "I'm sorry, but this holds private data.",
            "I am very sorry, I cannot continue.",
            "Sorry, but no.",
            "As an AI language model, I cannot analyze this",
            "I apologize, but no",
            "I must decline.",
            "Unfortunately, I cannot assist",
        ],
    )
    def test_a_refusal_is_told_as_one(self, words):
        assert reason(words) == "the model refused to answer"
        assert "refused" in reason(changed(rollout_summary=f"# {words}\n"))
        assert "refused" in reason(changed(raw_memory=GOOD["raw_memory"].replace("fix the tests", words, 1)))
        assert reason(changed(raw_memory=words))
        assert "refused" in reason(changed(rollout_slug=words.lower().replace(" ", "_")))

    def test_what_a_person_said_is_no_refusal(self):
        words = "I can't log in with the new key"
        said = answer(f"[t1] request/project 2026-11-02T10:00:00Z: {words}", title=words, recap=f"# {words}\n")
        assert words in read_extraction(said).raw_memory

    @pytest.mark.parametrize(
        ("raw", "what"),
        [
            ("use pnpm", "header"),
            ("---\ndescription: x\n", "header"),
            ("---\noutcome: success\n---\n\n### Task 1: x\noutcome: success\n", "description"),
            ("---\ndescription: x\n---\n", "### Task 1"),
            ("---\ndescription: x\n---\nuse pnpm\n### Task 1: x\n", "line 4"),
            ("---\ndescription: x\n---\n### Task 1: x\n- use pnpm\n", "line 5"),
            ("---\ndescription: x\n---\n### Task 1: x\n- [t4] wish/project 2026-11-02T10:00:00Z: x\n", "line 5"),
            ("---\ndescription: x\n---\n### Task 1: x\n- [t4] rule/project yesterday: x\n", "line 5"),
            ("---\ndescription: x\n---\n### Task 1: x\noutcome: great\n", "line 5"),
        ],
    )
    def test_raw_memory_outside_its_grammar_is_refused_with_its_place(self, raw, what):
        """The parser passes over what it does not know: a model would lose its work without a word."""
        said = reason(changed(raw_memory=raw))
        assert said.startswith("raw_memory")
        assert what in said

    @pytest.mark.parametrize("blank", BLANKS)
    def test_a_form_that_was_not_filled_in_is_refused(self, blank):
        assert blank in reason(answer(f"[t4] fact/project 2026-11-02T10:00:00Z: {blank}"))

    def test_no_text_makes_a_mark_a_link_or_a_heading_of_ours(self):
        recap = "# Done\n<!-- vade:yours -->\n[[system/human]]\n<<<<<<< HEAD\n\x1b[2Jred\n"
        found = read_extraction(answer(f"{RULE} <!-- vade:yours -->", recap=recap))
        both = found.raw_memory + found.rollout_summary
        assert not [mark for mark in ("<!--", "[[", "<<<<<<<", "\x1b") if mark in both]
        assert "Raw memory" in reason(changed(rollout_summary="# x\n\n## Raw memory\n\nmine\n"))

    def test_a_reason_shows_no_secret(self):
        secret = "gh" + "p_" + "a1B2c3D4e" * 4
        assert secret not in reason(changed(raw_memory=f"---\ndescription: x\n---\n### Task 1: x\n{secret}\n"))

    def test_half_of_a_character_is_refused(self):
        assert reason(answer(RULE).replace("pnpm", "\\ud800", 1))


class TestVerdict:
    def test_it_is_read_with_what_came_back(self):
        said = '```json\n{"verdict": "wrote", "came_back": ["use\\nnpm", " "], "why": 1}\n```'
        assert read_verdict(said) == Consolidated(verdict=Verdict.WROTE, came_back=("use npm",))
        assert read_verdict('{"verdict": "nothing_to_say"}') == Consolidated(verdict=Verdict.NOTHING_TO_SAY)

    @pytest.mark.parametrize(
        "said",
        [
            "",
            "I updated both files.",
            "wrote",
            "{}",
            '{"verdict": "done"}',
            '{"verdict": null}',
            '{"verdict": "wrote", "came_back": "x"}',
            '{"verdict": "wrote", "came_back": [1]}',
            '{"verdict": "wrote"',
            'Done. {"verdict": "wrote"}',
        ],
    )
    def test_anything_else_is_no_verdict(self, said):
        """codex-X15: silence is no consent; only an explicit word takes the input in."""
        assert reason(said, read_verdict)


def test_a_request_for_repair_names_the_fault_and_wants_the_whole_answer():
    said = repair_request(LearnerFailed("outcome is none of success, partial"))
    assert "outcome is none of success, partial" in said
    assert "whole" in said


ANY_TEXT = st.text(max_size=200) | st.text('{}[]",:\\ \n`') | st.just("[" * 100_000)
ANY_VALUE = st.none() | st.booleans() | st.floats() | st.text(max_size=50) | st.lists(st.text(max_size=5), max_size=3)
ANY_LINES = st.lists(
    st.sampled_from(["---", "description: x", "### Task 1: x", "outcome: fail", f"- {RULE}", "", "x", "\u2028"])
)


def is_plain_failure(text, read):
    """Whether the text is read, or refused with a reason."""
    try:
        read(text)
    except LearnerFailed as error:
        return bool(str(error))
    return True


@settings(max_examples=60, deadline=None)
@given(text=ANY_TEXT)
@pytest.mark.parametrize("read", [read_extraction, read_verdict])
def test_no_text_raises_anything_else(read, text):
    assert is_plain_failure(text, read)
    assert is_plain_failure(f'{{"raw_memory": {text}', read)
    assert is_plain_failure(f'{{"x": {text}}}', read)


@settings(max_examples=60, deadline=None)
@given(value=st.dictionaries(st.sampled_from([*KEYS, "verdict", "came_back"]), ANY_VALUE))
@pytest.mark.parametrize("read", [read_extraction, read_verdict])
def test_no_object_raises_anything_else(read, value):
    assert is_plain_failure(json.dumps(value), read)


@settings(max_examples=60, deadline=None)
@given(lines=ANY_LINES, recap=st.text(max_size=100))
def test_what_is_read_stays_the_same_when_it_is_read_again(lines, recap):
    head = ["---", "description: x", "---", "### Task 1: x"]
    try:
        found = read_extraction(changed(raw_memory="\n".join(head + lines), rollout_summary=recap))
    except LearnerFailed:
        return
    assert read_extraction(json.dumps({key: getattr(found, key) for key in KEYS})) == found
