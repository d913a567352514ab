import os
import time

import pytest

from vademecum.recall import Moment, drop_old_pins, drop_pins, pinned


@pytest.fixture
def pins(tmp_path):
    return tmp_path / "pins"


def give(pins, session="s1", revision="aaa", moment=Moment.TURN):
    return pinned(
        pins, host="pi", session=session, moment=moment, revision=revision, compiled=lambda: f"text of {revision}"
    )


def test_a_session_has_its_text_and_revision_until_a_compaction(pins):
    first = give(pins, moment=Moment.START)
    later = give(pins, revision="bbb")
    assert (later.text, later.revision) == (first.text, first.revision) == ("text of aaa", "aaa")
    assert give(pins, revision="bbb", moment=Moment.COMPACT).text == "text of bbb"


def test_a_plugin_that_was_started_again_gives_a_running_session_its_bytes(pins):
    give(pins, moment=Moment.START)
    assert give(pins, revision="bbb", moment=Moment.START).text == "text of aaa"


def test_without_pins_every_session_gets_the_newest(pins):
    give(pins)
    drop_pins(pins)
    assert give(pins, revision="bbb").text == "text of bbb"


def test_sessions_that_rest_for_long_are_let_go(pins):
    give(pins, "old")
    (old,) = pins.iterdir()
    long_ago = time.time() - 61 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    give(pins, "new")
    drop_old_pins(pins)
    assert not old.exists()
    assert give(pins, "new", revision="bbb").text == "text of aaa"


def test_where_there_are_none_none_are_dropped(pins):
    drop_pins(pins)
    drop_old_pins(pins)
    assert not pins.exists()
