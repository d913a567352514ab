import pytest

from vademecum.toolbox.leaks import repair_leaks

FIELDS = {"reason", "file_path", "description", "file_text"}
BASE = {"command": "create", "reason": "r", "file_path": "reference/x"}
OPENED = '<parameter name="file_text">'

LEAKED = {
    "as a parameter": f"Tea</description>\n{OPENED}green",
    "with its end": f"Tea</description>\n{OPENED}green</" + "parameter>\n",
    "as a tag of its own": "Tea</description><file_text>green</file_text>",
}


@pytest.mark.parametrize("value", LEAKED.values(), ids=LEAKED)
def test_an_argument_that_leaked_is_put_back_and_told(value):
    """core-R31"""
    repaired, told = repair_leaks({**BASE, "description": value}, FIELDS)
    assert repaired == {**BASE, "description": "Tea", "file_text": "green"}
    assert told == ("The argument file_text stood inside of description; it was taken from there.",)


def test_several_that_leaked_one_into_the_other_are_all_put_back():
    """core-R31"""
    value = f"Tea</description>{OPENED}green</file_text>\n<reason>because"
    repaired, told = repair_leaks({"command": "create", "file_path": "x", "description": value}, FIELDS)
    assert repaired == {
        "command": "create",
        "file_path": "x",
        "description": "Tea",
        "file_text": "green",
        "reason": "because",
    }
    assert len(told) == 2


LEFT = {
    "closed by another name": {"description": f"Tea</reason>{OPENED}green"},
    "closed twice": {"description": f"Tea</description> and </description>{OPENED}green"},
    "given already": {"description": f"Tea</description>{OPENED}green", "file_text": "black"},
    "of no argument": {"description": "Tea</description><colour>green"},
    "of no text argument": {"description": "Tea</description><insert_line>3"},
    "with words between": {"description": f"Tea</description> then {OPENED}green"},
    "nothing leaked": {"description": "Tea</description>"},
    "no text": {"description": 7},
}


@pytest.mark.parametrize("arguments", LEFT.values(), ids=LEFT)
def test_what_could_mean_two_things_stays_as_it_is(arguments):
    """core-R31"""
    given = {**BASE, **arguments}
    assert repair_leaks(given, FIELDS) == (given, ())
