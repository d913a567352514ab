import json
import os
import threading

import pytest

from vademecum.bare.arranging import arrange
from vademecum.bare.pins import inject, loosen


def block(revision, *notes):
    parts = {"open": f'<m nonce="{revision}">', "close": "</m>", "revision": revision, "how": ["How."], "blocks": []}
    parts |= {"summary": [], "notes": list(notes), "unconfirmed": [], "files": [], "more_files": 0}
    return revision, lambda: arrange(parts, ("/srv/shop",), 4000)[0]


FIRST, SECOND, THIRD = block("aaa", "- one"), block("bbb", "- two", "- one"), block("ccc", "- three")
#: Another revision, whose block says the same.
SAME = block("ddd", "- one")


@pytest.fixture
def give(tmp_path):
    def given(event, newest, session="s1", host="codex"):
        return inject(str(tmp_path / "pins"), host, session, event, newest)

    return given


def test_a_session_keeps_its_bytes_while_memory_changes(give):
    given = [give("start", FIRST)[0], *(give("turn", newest)[0] for newest in (FIRST, SECOND, THIRD))]
    assert given == [FIRST[1]()] * 4


def test_a_change_is_announced_once_in_one_line(give):
    give("start", FIRST)
    notices = [give("turn", newest)[2] for newest in (FIRST, SECOND, SECOND, THIRD, THIRD)]
    assert [bool(notice) for notice in notices] == [False, True, False, True, False]
    assert all("\n" not in notice for notice in notices)


def test_a_revision_that_says_the_same_here_is_no_change(give):
    give("start", FIRST)
    assert give("turn", SAME)[2] == ""


def test_a_session_that_goes_on_is_told_of_the_change_and_keeps_its_bytes(give):
    give("start", FIRST)
    text, revision, notice, standing = give("resume", SECOND)
    assert (text, revision, standing) == (FIRST[1](), "aaa", "pinned")
    assert notice


def test_after_a_compaction_the_newest_is_given_and_kept(give):
    give("start", FIRST)
    assert give("compact", SECOND)[0] == SECOND[1]()
    assert give("turn", THIRD)[0] == SECOND[1]()


def test_a_loosened_session_is_given_the_newest_at_its_next_turn(give, tmp_path):
    give("start", FIRST)
    loosen(str(tmp_path / "pins"), "codex", "s1")
    assert give("turn", SECOND)[::3] == (SECOND[1](), "fresh")
    assert give("turn", THIRD)[::3] == (SECOND[1](), "pinned")


def test_a_session_without_a_pin_is_not_made_one_by_loosening(tmp_path):
    loosen(str(tmp_path / "pins"), "codex", "s1")
    assert list(tmp_path.iterdir()) == []


def test_sessions_and_hosts_share_no_pin(give):
    """user-U15, user-U26: what one session was given never reaches another one."""
    give("start", FIRST)
    assert give("turn", SECOND, session="s2")[0] == SECOND[1]()
    assert give("turn", THIRD, host="gemini")[0] == THIRD[1]()
    assert give("turn", THIRD)[0] == FIRST[1]()


@pytest.mark.parametrize(
    "session", ["../../../up", "a/b", "\0", "x" * 100_000, "\udc80", "..", "\n", "ÿ"], ids=range(8)
)
def test_no_id_leads_out_of_the_folder(give, tmp_path, session):
    give("start", FIRST, session=session)
    assert give("turn", SECOND, session=session)[0] == FIRST[1]()
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "pins"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"{}", b'{"session": "s1"}', b'{"session": "s1", "text": 3}'],
    ids=range(6),
)
def test_a_damaged_pin_counts_as_none(give, tmp_path, damage):
    give("start", FIRST)
    (pin,) = (tmp_path / "pins").iterdir()
    pin.write_bytes(damage)
    assert give("turn", SECOND)[::3] == (SECOND[1](), "fresh")


def test_the_pin_of_another_session_under_this_name_is_not_taken(give, tmp_path):
    give("start", FIRST)
    (pin,) = (tmp_path / "pins").iterdir()
    pin.write_text(json.dumps(json.loads(pin.read_text()) | {"session": "other"}))
    assert give("turn", SECOND)[0] == SECOND[1]()


def test_where_no_pin_can_be_written_the_text_is_given_and_no_notice_repeats(give, tmp_path):
    (tmp_path / "pins").write_text("a file stands in the way")
    assert give("start", FIRST) == (FIRST[1](), "aaa", "", "loose")


def test_a_notice_that_cannot_be_kept_is_not_given(give, tmp_path):
    """A disk that takes nothing must not have the same line said at every turn."""
    give("start", FIRST)
    (pin,) = (tmp_path / "pins").iterdir()
    in_the_way = pin.with_name(f"{pin.name}.{os.getpid()}-{threading.get_ident()}.new")
    in_the_way.mkdir()
    assert give("turn", SECOND)[2] == ""
    in_the_way.rmdir()
    assert give("turn", SECOND)[2] != ""
