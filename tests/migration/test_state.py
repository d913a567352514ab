"""The schema of state.db over time: each step once or not at all, and old code never touches a newer file."""

import sqlite3
from pathlib import Path

import pytest

from vademecum.errors import DatabaseBroken
from vademecum.state import CitedKind, Database, RunKind, State
from vademecum.state.migrate import Migration, known_migrations


def versions(path: Path) -> list[int]:
    connection = sqlite3.connect(path)
    found = [row[0] for row in connection.execute("SELECT version FROM schema_version ORDER BY version")]
    connection.close()
    return found


def test_a_new_file_has_every_step_recorded(tmp_path: Path):
    State.open(tmp_path / "state.db").close()
    assert versions(tmp_path / "state.db") == [step.version for step in known_migrations("vademecum.state")]


def test_opening_again_applies_nothing(tmp_path: Path):
    for _ in range(2):
        State.open(tmp_path / "state.db").close()
    assert len(versions(tmp_path / "state.db")) == len(known_migrations("vademecum.state"))


def test_a_newer_schema_is_refused_and_left_as_it_is(tmp_path: Path):
    path = tmp_path / "state.db"
    State.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO schema_version VALUES (999, 'from_the_future', 0)")
    connection.commit()
    connection.close()
    with pytest.raises(DatabaseBroken, match="schema 999") as caught:
        State.open(path)
    assert "newer vademecum" in caught.value.next_step
    assert 999 in versions(path)


def test_a_step_that_fails_leaves_neither_tables_nor_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "state.db"
    State.open(path).close()
    before = versions(path)
    broken = Migration(len(before) + 1, "broken", "CREATE TABLE fresh (x);\nINSERT INTO fresh VALUES (1, 2);\n")
    steps = (*known_migrations("vademecum.state"), broken)
    monkeypatch.setattr("vademecum.state.migrate.known_migrations", lambda _package: steps)
    with pytest.raises(sqlite3.OperationalError):
        State.open(path)
    assert versions(path) == before
    monkeypatch.undo()
    with Database.open(path, package="vademecum.state") as database:
        assert not database.all("SELECT 1 FROM sqlite_schema WHERE name = 'fresh'")


def test_a_later_step_is_applied_to_an_older_file_and_keeps_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "state.db"
    with State.open(path) as state:
        run_id = state.runs.start(RunKind.IMPORT, "")
    steps = known_migrations("vademecum.state")
    later = Migration(len(steps) + 1, "later", "ALTER TABLE runs ADD COLUMN extra TEXT;\n")
    monkeypatch.setattr("vademecum.state.migrate.known_migrations", lambda _package: (*steps, later))
    with Database.open(path, package="vademecum.state") as database:
        assert database.one("SELECT extra FROM runs WHERE id = :id", {"id": run_id})
    assert versions(path)[-1] == later.version


def test_records_of_the_first_schema_keep_everything_and_have_no_project_yet(tmp_path: Path):
    path = tmp_path / "state.db"
    (first, *_) = known_migrations("vademecum.state")
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT, applied_at INTEGER)")
    connection.execute("INSERT INTO schema_version VALUES (1, 'first_tables', 0)")
    connection.executescript(first.script)
    connection.execute(
        "INSERT INTO records VALUES ('s1', 'a-host', '/srv/shop', 'main', 1000, 2000, 'success', 'work', 'stem',"
        " 'extractive', 3000, 'session', 'active', NULL, 2000, 'raw', 'recap')"
    )
    connection.execute("INSERT INTO tombstones VALUES ('k', '', 'use pnpm', 'deleted', 1000, NULL)")
    connection.commit()
    connection.close()
    with State.open(path) as state:
        (record,) = state.records.all()
        told = (record.session_id, record.project, record.branch, record.learner, record.raw_memory)
        assert told == ("s1", "", "main", "extractive", "raw")
        assert state.records.unconsolidated() == []
        assert [tombstone.sources for tombstone in state.tombstones.all()] == [()]


def test_citations_of_an_older_file_are_counted_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "state.db"
    newest = known_migrations("vademecum.state")
    before = newest[: next(step.version for step in newest if step.name == "every_cited_line") - 1]
    monkeypatch.setattr("vademecum.state.migrate.known_migrations", lambda _package: before)
    State.open(path).close()
    monkeypatch.undo()
    connection = sqlite3.connect(path)
    rows = [("session", "s1", "s9", "m1", None, None, 1_000), ("path", "MEMORY.md", "s9", "m1", 3, 4, 1_000)]
    connection.executemany("INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    with State.open(path) as state:
        assert state.usage.totals(CitedKind.SESSION)["s1"].count == 1
        assert state.usage.totals(CitedKind.PATH)["MEMORY.md"].count == 1
        assert sum("MEMORY.md" in str(row) for row in state.rows()) == 1
