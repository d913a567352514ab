"""What the state lets go of, and what it keeps for that reason."""

import sqlite3

import pytest

from vademecum.errors import BusyError
from vademecum.state import (
    Citation,
    CitedKind,
    LastPass,
    RetiredReason,
    RunKind,
    SessionMode,
    Source,
    State,
    Tombstone,
    TombstoneReason,
)


def claim(state, morning, key="s1"):
    state.jobs.claim("extraction", key, watermark=morning, worker="w@h:1", token=f"token-{key}", lease_seconds=60)


def test_who_works_on_what_is_forgotten_cannot_store_what_comes_of_it(state: State, morning):
    """codex-A12"""
    claim(state, morning)
    claim(state, morning, "s2")
    state.jobs.forget("s1")
    assert not state.jobs.finish("token-s1", watermark=morning)
    assert state.jobs.finish("token-s2", watermark=morning)


def test_usage_of_and_by_a_session_goes(state: State, morning):
    for number, (cited, citing) in enumerate((("s1", "s9"), ("s2", "s1"), ("s2", "s9"))):
        citation = Citation(
            kind=CitedKind.SESSION, cited=cited, citing_session=citing, message_id=str(number), at=morning
        )
        state.usage.count([citation])
    state.usage.forget("s1")
    assert {name: total.count for name, total in state.usage.totals(CitedKind.SESSION).items()} == {"s2": 1}


def test_the_name_of_a_forgotten_record_says_nothing_and_its_session_stays_out(state: State, compose):
    state.records.upsert(compose(slug="secret", stem="2026-secret"))
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    state.records.anonymise("s1", "forgotten-1")
    record = state.records.get("s1")
    assert (record.slug, record.stem) == ("", "forgotten-1")
    assert not state.records.upsert(compose(minute=9))


def test_what_a_run_said_of_it_is_silenced_and_other_runs_stay(state: State):
    said, other = (state.runs.start(RunKind.CONSOLIDATION, "x") for _ in range(2))
    state.runs.finish(said, "failed", error="cannot read: the vault code", detail={"the vault": 1})
    state.runs.finish(other, "failed", error="no space left")
    state.runs.silence(lambda text: "the vault" in text)
    assert "vault" not in f"{state.runs.get(said)}"
    assert state.runs.get(said).outcome == "failed"
    assert state.runs.get(other).error == "no space left"


def test_the_last_pass_can_be_dropped(state: State, morning):
    counts = {"discovered": 1, "extracted": 0, "no_output": 0, "failed": 1}
    state.passes.keep(LastPass(at=morning, skipped={}, error="words", **counts))
    state.passes.clear()
    assert state.passes.last() is None


def test_a_new_beginning_keeps_modes_sources_the_ledger_and_one_kind_of_tombstone(state: State, compose, morning):
    """codex-A22, codex-R70"""
    state.records.upsert(compose())
    claim(state, morning)
    state.modes.set("s1", SessionMode.DISABLED)
    source = Source(host="h", path="/s", fingerprint="f", session_id="s1", seen_at=morning)
    state.sources.remember([source])
    run = state.runs.start(RunKind.EXTRACTION, "x")
    for key, scope in (("a", ""), ("b", "/srv/shop"), ("c", "kept")):
        state.tombstones.add([Tombstone(key=key, scope=scope, text="t", reason=TombstoneReason.FORGOTTEN, at=morning)])
    state.begin_anew(kept_scope="kept")
    assert state.records.heads() == []
    assert state.jobs.all() == []
    assert [stone.key for stone in state.tombstones.all()] == ["c"]
    assert state.modes.get("s1") is SessionMode.DISABLED
    assert state.sources.all() == [source]
    assert state.runs.get(run).id == run


def test_a_compacted_file_is_all_there_is(state: State, compose, tmp_path):
    state.records.upsert(compose(raw_memory="xylophonist " * 5000))
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    state.compact()
    assert not any(b"xylophonist" in file.read_bytes() for file in tmp_path.iterdir())
    assert (tmp_path / "state.db-wal").stat().st_size == 0


def test_a_log_that_another_reader_needs_is_told(state: State, compose, tmp_path, monkeypatch):
    state.records.upsert(compose())
    reader = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM records").fetchone()
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    state._database._connection.execute("PRAGMA busy_timeout = 0")
    with pytest.raises(BusyError, match=r"reads state\.db"):
        state.compact()
    reader.close()
    state.compact()


def test_every_row_is_told_with_table_and_key(state: State, compose):
    state.records.upsert(compose("o'neil", raw_memory="it's\nfine"))
    rows = dict(state.rows())
    assert "it's\nfine" in next(text for name, text in rows.items() if name.startswith("records o"))
    assert any(name.startswith("schema_version 1") for name in rows)
