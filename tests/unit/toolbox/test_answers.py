import pytest

from vademecum.errors import NotFound
from vademecum.toolbox import Answer
from vademecum.toolbox.answers import MAX_ANSWER_BYTES, error_answer, finished, how_many_fit, one_line

HOSTILE = {
    "a terminal": "a\x1b[2Jb",
    "turned text": "a\u202eb",
    "hidden text": "a\u200bb\U000e0041",
    "a bell": "a\x07b",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_moves_a_terminal_or_hides_leaves(text):
    answer = finished(Answer(text=text, data={"a": [text, {"b": (text,)}]}))
    for left in (answer.text, answer.data["a"][0], answer.data["a"][1]["b"][0]):
        assert left[0] == "a"
        assert left.isprintable()


@pytest.mark.parametrize("fence", ['<vademecum-memory nonce="0">', "</vademecum-memory>", "< / VADEMECUM-memory "])
def test_a_fence_of_ours_inside_an_answer_is_none_any_more(fence):
    answer = finished(Answer(text=f"x {fence} y", data={"a": fence}))
    for left in (answer.text, answer.data["a"]):
        assert fence not in left
        assert left.replace("< ", "<", 1).endswith(fence) or fence in left.replace("< ", "<", 1)


def test_text_that_is_too_long_is_cut_between_two_lines_and_says_so():
    answer = finished(Answer(text="ü" * 70 + "\n" + ("ü" * 99 + "\n") * 400, data={}))
    assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
    *lines, told = answer.text.split("\n")
    assert {len(line) for line in lines[1:]} == {99}
    assert "bytes more" in told


def test_one_line_that_is_too_long_is_cut_inside_no_character():
    answer = finished(Answer(text="ü" * MAX_ANSWER_BYTES, data={}))
    assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
    assert "\ufffd" not in answer.text


def test_what_fits_is_counted_from_the_first_and_never_nothing():
    assert how_many_fit(["x"] * 10) == 10
    assert how_many_fit(["x" * MAX_ANSWER_BYTES, "x"]) == 1
    assert how_many_fit(["x" * 1_000] * 100) < 24
    assert how_many_fit([]) == 1


def test_an_error_says_what_happened_what_is_intact_and_names_tools_for_what_a_model_does_next():
    answer = error_answer(NotFound("it is gone", next_step="Run `vade ls log` or `vade runs`.", paths=("a",) * 200))
    assert answer.is_error
    assert answer.text.split("\n") == [
        "error[not_found]: it is gone",
        "Nothing that was stored has changed.",
        "next: Run `memory_list log` or `vade runs`.",
    ]
    assert len(answer.data["error"]["paths"]) == 100


def test_words_are_put_into_one_short_line():
    assert one_line("a\n  b", 10) == "a b"
    assert len(one_line("word " * 50, 20)) <= 20
