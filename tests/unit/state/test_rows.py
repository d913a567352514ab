import sqlite3
from datetime import UTC, datetime
from enum import StrEnum

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.state.rows import from_row, from_rows, to_row


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    colour: Colour
    other: Colour | None
    at: datetime
    ended: datetime | None
    counts: dict[str, int]
    names: tuple[str, ...]
    weight: float | None


MOMENTS = st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0))
THINGS = st.builds(
    Thing,
    name=st.text(st.characters(exclude_categories=["Cs"])),
    colour=st.sampled_from(Colour),
    other=st.none() | st.sampled_from(Colour),
    at=MOMENTS,
    ended=st.none() | MOMENTS,
    counts=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 9)),
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3).map(tuple),
    weight=st.none() | st.floats(allow_nan=False),
)


def read_back(thing: Thing) -> sqlite3.Row:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    columns = ", ".join(f":{name} AS {name}" for name in Thing.__struct_fields__)
    row = connection.execute(f"SELECT {columns}", to_row(thing)).fetchone()
    connection.close()
    return row


@given(THINGS)
def test_a_record_survives_its_row(thing: Thing):
    assert from_row(Thing, read_back(thing)) == thing


def test_no_rows_are_no_records():
    assert from_rows(Thing, []) == []


def test_a_value_without_a_form_in_a_row_is_a_fault_of_the_program():
    class Odd(msgspec.Struct):
        value: object

    with pytest.raises(TypeError, match="object"):
        to_row(Odd(object()))
