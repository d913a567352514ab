"""Bounded line reading."""

import os
import socket
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.sessions.jsonl import Line, decode_line, open_regular, outer_fields, read_lines


class Record(msgspec.Struct):
    name: str = ""


DECODER = msgspec.json.Decoder(Record)


def lines_of(path: Path, cap_bytes: int = 1 << 20) -> tuple[list[Line], Counter[str]]:
    skipped: Counter[str] = Counter()
    return list(read_lines(path, cap_bytes=cap_bytes, skipped=skipped)), skipped


def decoded(data: bytes, *, complete: bool = True) -> tuple[Record | None, Counter[str]]:
    skipped: Counter[str] = Counter()
    return decode_line(DECODER, Line(number=1, data=data, complete=complete), skipped), skipped


def test_every_line_comes_whole_and_numbered(tmp_path: Path) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"one\n\ntwo\nhalf")
    lines, skipped = lines_of(path)
    assert [(line.number, line.data, line.complete) for line in lines] == [
        (1, b"one\n", True),
        (2, b"\n", True),
        (3, b"two\n", True),
        (4, b"half", False),
    ]
    assert not skipped


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"\xef\xbb\xbf{}\n\xef\xbb\xbf\n")
    assert [line.data for line in lines_of(path)[0]] == [b"{}\n", b"\xef\xbb\xbf\n"]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "any"
    path.touch()
    assert lines_of(path) == ([], Counter())


def test_a_long_line_is_known_by_head_and_tail_and_the_next_line_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"h" * 100 + b"m" * 500_000 + b"t" * 100 + b"\nnext\n")
    (long, following), skipped = lines_of(path, cap_bytes=1000)
    assert long.capped
    assert long.complete
    assert len(long.data) == 1000
    assert long.data.startswith(b"h" * 100)
    assert long.tail.endswith(b"t" * 100 + b"\n")
    assert following.data == b"next\n"
    assert skipped == {"capped_line": 1}


@given(st.lists(st.binary(max_size=80).map(lambda data: data.replace(b"\n", b"")), max_size=12), st.booleans())
def test_lines_joined_again_are_the_file(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], end: bool
) -> None:
    """No byte is lost or doubled, whatever the cap does to single lines."""
    data = b"\n".join(parts) + (b"\n" if end else b"")
    path = tmp_path_factory.mktemp("lines") / "any"
    path.write_bytes(data)
    lines, skipped = lines_of(path)
    assert b"".join(line.data for line in lines) == data.removeprefix(b"\xef\xbb\xbf") or data.startswith(b"\x28\xb5")
    short, _ = lines_of(path, cap_bytes=16)
    assert len(short) == len(lines)
    assert not skipped["capped_line"]


@pytest.mark.parametrize("kind", ["symlink", "fifo", "socket", "folder"])
def test_only_regular_files_are_opened(tmp_path: Path, kind: str) -> None:
    """A link, FIFO, socket or folder is counted, and opening it never waits."""
    path = tmp_path / kind
    if kind == "symlink":
        (tmp_path / "target").write_bytes(b"{}\n")
        path.symlink_to(tmp_path / "target")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    skipped: Counter[str] = Counter()
    assert open_regular(path, skipped) is None
    assert skipped == {"not_regular": 1}


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lines_of(tmp_path / "none")


def test_a_blank_line_is_no_record_and_no_fault() -> None:
    assert decoded(b" \t\r\n") == (None, Counter())


def test_a_half_written_last_line_is_not_counted() -> None:
    assert decoded(b'{"name": "ha', complete=False) == (None, Counter())


@pytest.mark.parametrize(
    "data",
    [
        b"{]\n",
        b"[1]\n",
        b'{"name": 3}\n',
        b"\xff\xfe{\x00}\x00\n",
        b'{"name":' + b"[" * 100_000 + b"\n",
        b"\x00\x01\x02",
    ],
)
def test_what_is_no_record_is_counted(data: bytes) -> None:
    """Broken, of another shape, UTF-16, deeply nested, binary."""
    assert decoded(data) == (None, Counter(broken_line=1))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"name": "a\xffb"}\n', "a\ufffdb"),
        (b'{"name": "a\\ud83db"}\n', "a?b"),
        (b'\x00\x00\x00{"name": "ab"}\n', "ab"),
        (b'{"name": "a\x07b"}\n', "a\x07b"),
    ],
)
def test_what_javascript_and_crashes_leave_is_mended(data: bytes, name: str) -> None:
    """Invalid UTF-8, half a surrogate pair, NUL bytes before the line, raw control characters."""
    assert decoded(data) == (Record(name), Counter(repaired_line=1))


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    decoded(data)
    decoded(b'{"name":' + data)


def test_a_capped_line_gives_its_outer_fields() -> None:
    """The first of a name in the head wins, else the last in the tail; names inside text never match."""
    head = b'{"parentUuid":"p1","message":{"text":"\\"uuid\\":\\"no\\" ' + b"x" * 100
    tail = b'x"uuid":"inner"},"uuid":"u1","timestamp":"2026-11-02T10:00:00Z"}\n'
    line = Line(number=1, data=head, tail=tail, capped=True)
    assert outer_fields(line, ("parentUuid", "uuid", "timestamp", "cwd")) == {
        "parentUuid": "p1",
        "uuid": "u1",
        "timestamp": "2026-11-02T10:00:00Z",
    }
