"""Compressed session files."""

from collections import Counter
from pathlib import Path

import pytest

from support.compose.zstd import compress
from vademecum.sessions import inflate
from vademecum.sessions.jsonl import Line, first_bytes, read_lines


def lines_of(path: Path) -> tuple[list[Line], Counter[str]]:
    skipped: Counter[str] = Counter()
    return list(read_lines(path, skipped=skipped)), skipped


def test_compressed_files_read_like_plain_ones(tmp_path: Path) -> None:
    """Told from the first bytes, not from the name; several frames are one file."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(compress(b'{"a":1}\n') + compress(b'{"b":2}\n'))
    lines, skipped = lines_of(path)
    assert [line.data for line in lines] == [b'{"a":1}\n', b'{"b":2}\n']
    assert not skipped
    assert first_bytes(path, 5, Counter()) == b'{"a":'


def test_a_broken_stream_gives_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zst"
    data = compress(b'{"a":1}\n') + b"\x28\xb5\x2f\xfd garbage"
    path.write_bytes(data)
    lines, skipped = lines_of(path)
    assert [line.data for line in lines] == [b'{"a":1}\n']
    assert skipped == {"broken_compression": 1}


def test_an_expansion_bomb_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes may not become gigabytes."""
    monkeypatch.setattr(inflate, "_FREE_BYTES", 1 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(compress(b"\0" * (64 << 20)))
    lines, skipped = lines_of(path)
    assert sum(len(line.data) for line in lines) <= max(1 << 20, path.stat().st_size * 400)
    assert skipped["expansion_bomb"] == 1
