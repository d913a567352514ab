import pytest

from vademecum.cli.words import reason_lines, short_ids
from vademecum.engine import words_of
from vademecum.learning import Skip
from vademecum.sessions import reason_words


@pytest.mark.parametrize("reason", [*Skip, "to_consolidate", "not_indexed", "unproven_evidence"])
def test_every_reason_of_learning_has_words_of_its_own(reason):
    assert words_of(reason) != reason.replace("_", " ")


def test_reasons_of_reading_have_the_words_of_that_room():
    assert words_of("capped_line") == reason_words("capped_line")


def test_the_commonest_reason_comes_first():
    assert [line.split()[0] for line in reason_lines({"unchanged": 2, "too_old": 10, "busy": 1})] == ["10", "2", "1"]


def test_a_short_id_has_eight_characters_or_as_many_as_tell_it_from_the_others():
    ids = ["0199a000-1", "0199a000-2", "77aa01c3d2", "short", "0199a000-11"]
    short = short_ids(ids)
    assert short["77aa01c3d2"] == "77aa01c3"
    assert short["0199a000-2"] == "0199a000-2"
    assert short["short"] == "short"
    assert len(set(short.values())) == len(ids)
