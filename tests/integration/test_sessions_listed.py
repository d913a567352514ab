"""`vade sessions`: what a session began with, and, of one that memory has nothing of, why."""

import pytest

from support.memfs import FAKE_SECRET
from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def rows(product, *words):
    return product.call("sessions", *words, "--json").json["sessions"]


def test_a_session_is_listed_with_its_first_words_in_one_line_of_eighty_columns(learned):
    told = learned.call("sessions").out
    assert "always answer with the word xylophonist" in told
    assert max(map(len, told.splitlines())) <= 80


def test_a_session_can_be_found_after_a_reset_with_the_reason_and_taken_in_by_its_id(learned):
    (before,) = rows(learned)
    learned.call("reset", "--yes")
    assert rows(learned) == []
    assert "vade sessions --all" in learned.call("sessions").out
    (found,) = rows(learned, "--all")
    assert (found["id"], found["state"], found["reason"]) == (before["id"], "unlearned", "before_reset")
    assert "kept out since the reset of" in found["kept_out"]
    assert found["title"].startswith("always answer")
    assert "kept out: " in learned.call("sessions", "--all").out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("forget", "{id}", "--yes"), "it was forgotten on 2"),
        (("mode", "{id}", "disabled"), "switched off by vade mode"),
    ],
)
def test_what_a_person_shut_out_says_so(learned, words, why):
    (row,) = rows(learned)
    learned.call(*(word.format(id=row["id"]) for word in words))
    learned.learn()
    (row,) = rows(learned)
    assert why in row["kept_out"]


def test_a_title_is_masked(product):
    product.tell(ruled(f"deploy with the token {FAKE_SECRET} please", label="first"))
    product.learn()
    assert FAKE_SECRET not in product.call("sessions", "--all").out


def test_of_a_session_that_was_forgotten_no_words_are_listed(learned):
    (row,) = rows(learned)
    learned.call("forget", row["id"], "--yes")
    learned.lose("state.db")
    learned.learn()
    assert "xylophonist" not in learned.call("sessions", "--all").out
