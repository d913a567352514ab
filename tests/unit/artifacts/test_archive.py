import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.memfs import create, git
from vademecum.artifacts import (
    Removal,
    forgotten_hashes,
    forgotten_session,
    forgotten_sessions,
    parse_archive,
    plain_line,
    render_archive,
    session_hash,
)

one_line = st.text(min_size=1, max_size=60).map(lambda text: plain_line(text.replace("<", ""))).filter(bool)
removals = st.builds(
    Removal,
    key=st.from_regex(r"[0-9a-f]{10}", fullmatch=True),
    scope=st.sampled_from(["", "/srv/shop", "/srv/till"]),
    text=one_line,
    reason=st.sampled_from(["deleted", "undone", "rejected"]),
    day=st.sampled_from(["2026-11-02", "2026-11-05"]),
    sources=st.sampled_from([(), ("s1#t1",), ("s1#t1", "extensions/ad_hoc/notes/a.md")]),
)


@pytest.mark.slow
@pytest.mark.timeout(60)
@settings(max_examples=60)
@given(st.lists(removals, max_size=5, unique_by=lambda item: item.key))
def test_what_was_removed_is_read_as_it_was_written_in_whatever_order(drawn):
    text = render_archive(drawn)
    assert sorted(parse_archive(text), key=lambda item: item.key) == sorted(drawn, key=lambda item: item.key)
    assert render_archive(reversed(drawn)) == text


def test_other_lines_are_passed_over():
    assert parse_archive("# Archive\nwords\n- mine\n- 2026-11-02 deleted: no key\n") == []


def test_a_forgotten_session_is_known_by_its_hash_and_its_id_cannot_be_told():
    text = render_archive([forgotten_session("0199a000-1111", "2026-11-05")])
    assert "0199a000" not in text
    assert forgotten_hashes(parse_archive(text)) == {session_hash("0199a000-1111")}
    assert session_hash("0199a000-1112") not in forgotten_hashes(parse_archive(text))


def test_a_line_of_another_section_forgets_no_session():
    entry = msgspec.structs.replace(forgotten_session("s1", "2026-11-05"), scope="/srv/shop")
    assert forgotten_hashes(parse_archive(render_archive([entry]))) == frozenset()


def test_odd_bytes_and_line_ends_hide_no_forgotten_session(tmp_path):
    memory = create(tmp_path)
    text = render_archive([forgotten_session("0199a000-1111", "2026-11-05")]).replace("\n", "\r\n")
    (memory.folder / "ARCHIVE.md").write_bytes(text.encode() + b"caf\xe9\n")
    git(memory.folder, "add", "ARCHIVE.md")
    git(memory.folder, "commit", "-qm", "odd")
    assert forgotten_sessions(memory.tree()) == {session_hash("0199a000-1111")}
