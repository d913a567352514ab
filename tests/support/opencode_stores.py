"""Composes opencode stores: databases with the columns of 1.18 and of 2.0, and the JSON tree of versions before 1.2."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

START_MS = 1_793_000_000_000
PROJECT = "9109e0e4aa0bd3c2a5132d441f445b3afe5cbe6d"

SCHEMA = """
CREATE TABLE project (
  id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, icon_url text, icon_url_override text,
  icon_color text, time_created integer NOT NULL, time_updated integer NOT NULL, time_initialized integer,
  sandboxes text NOT NULL, commands text
);
CREATE TABLE session (
  id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, slug text NOT NULL,
  directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
  summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text,
  cost real DEFAULT 0 NOT NULL, tokens_input integer DEFAULT 0 NOT NULL, tokens_output integer DEFAULT 0 NOT NULL,
  tokens_reasoning integer DEFAULT 0 NOT NULL, tokens_cache_read integer DEFAULT 0 NOT NULL,
  tokens_cache_write integer DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer
);
CREATE TABLE message (
  id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE part (
  id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL
);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
"""


SCHEMA_V2 = """
CREATE TABLE session_v2 (
  id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, fork_session_id text,
  fork_boundary text, slug text NOT NULL, directory text NOT NULL, path text, title text, version text NOT NULL,
  metadata text, cost real DEFAULT 0 NOT NULL, revert text, agent text, model text, time_created integer NOT NULL,
  time_updated integer NOT NULL, time_archived integer
);
CREATE TABLE session_message (
  id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL
);
CREATE UNIQUE INDEX session_message_session_seq_idx ON session_message (session_id, seq);
CREATE TABLE kv (key text PRIMARY KEY, value text NOT NULL, time_created integer, time_updated integer);
"""


def text(words: str, **fields: object) -> dict:
    return {"type": "text", "text": words, **fields}


def tool(name: str, output: str = "", *, status: str = "completed", **state: object) -> dict:
    state = {"status": status, "input": {"command": "make"}, "output": output, "metadata": {}, **state}
    return {"type": "tool", "tool": name, "callID": f"call_{name}", "state": state}


def step(*parts: dict) -> tuple[dict, ...]:
    """Parts between the markers that opencode puts around every step."""
    return (
        {"type": "step-start", "snapshot": "0c21"},
        {"type": "reasoning", "text": "composed thought"},
        *parts,
        {"type": "step-finish", "reason": "stop", "cost": 0},
    )


class Conversation:
    """One session; messages one second apart."""

    def __init__(self, session_id: str = "ses_a", **columns: object) -> None:
        self.id = session_id
        self.columns = columns
        self.messages: list[tuple[str, dict, list[tuple[str, object]]]] = []
        self._parts = 0

    def add(self, data: dict, *parts: object) -> "Conversation":
        message_id = f"msg_{self.id.removeprefix('ses_')}_{len(self.messages):04d}"
        kept: list[tuple[str, object]] = []
        for part in parts:
            self._parts += 1
            kept.append((f"prt_{self.id.removeprefix('ses_')}_{self._parts:06d}", part))
        created = START_MS + 1000 * len(self.messages)
        self.messages.append((message_id, {**data, "time": {"created": created}}, kept))
        return self

    def user(self, *parts: object) -> "Conversation":
        return self.add({"role": "user", "agent": "build", "summary": {"diffs": []}}, *parts)

    def assistant(self, *parts: object, **fields: object) -> "Conversation":
        return self.add({"role": "assistant", "mode": "build", "finish": "stop", **fields}, *step(*parts))

    def message_id(self, place: int) -> str:
        return self.messages[place][0]


def as_text(part: object) -> str:
    return part if isinstance(part, str) else json.dumps(part, separators=(",", ":"), ensure_ascii=False)


def write_database(path: Path, *conversations: Conversation, wal: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'MEMORY'}")
        connection.executescript(SCHEMA)
        for conversation in conversations:
            insert(connection, conversation)
        connection.commit()
    return path


def insert(connection: sqlite3.Connection, conversation: Conversation) -> None:
    columns = {
        "id": conversation.id,
        "project_id": PROJECT,
        "slug": "quiet-river",
        "directory": "/srv/demo",
        "title": "Make the widget build",
        "version": "1.18.33",
        "time_created": START_MS,
        "time_updated": START_MS + 60_000,
        **conversation.columns,
    }
    names = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    values = tuple(json.dumps(value) if isinstance(value, dict) else value for value in columns.values())
    connection.execute(f"INSERT INTO session ({names}) VALUES ({marks})", values)
    for message_id, data, parts in conversation.messages:
        created = data["time"]["created"]
        row = (message_id, conversation.id, created, created, json.dumps(data))
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", row)
        for part_id, part in parts:
            row = (part_id, message_id, conversation.id, created, created, as_text(part))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)


def write_second_schema(
    path: Path, *entries: tuple[str, object], moved: str = "completed", start_ms: int = START_MS, **columns: object
) -> Path:
    """One session of the second schema, entries one second apart, in the database that is there or in a new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    row = {
        "id": "ses_v2",
        "project_id": PROJECT,
        "slug": "quiet-river",
        "directory": "/srv/demo",
        "title": "Make the widget build",
        "version": "2.0.15",
        "time_created": START_MS,
        "time_updated": START_MS + 60_000,
        **columns,
    }
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"DROP TABLE IF EXISTS session_message; {SCHEMA_V2}")
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO session_v2 ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
        for number, (kind, data) in enumerate(entries):
            at = start_ms + 1000 * number
            values = (f"msg_{number}", row["id"], kind, number, at, at, as_text(data))
            connection.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        if moved:
            connection.execute("INSERT INTO kv VALUES ('migration.v1-v2', ?, 1, 1)", (json.dumps({"phase": moved}),))
        connection.commit()
    return path


def write_tree(data_folder: Path, *conversations: Conversation) -> Path:
    """The JSON tree below `data_folder/storage`; returns the storage folder."""
    storage = data_folder / "storage"
    for conversation in conversations:
        columns = {"directory": "/srv/demo", "title": "Make the widget build", **conversation.columns}
        times = {"created": START_MS, "updated": START_MS + 60_000}
        record = {"id": conversation.id, "version": "0.9.1", "projectID": PROJECT, **columns, "time": times}
        _write(storage / "session" / PROJECT / f"{conversation.id}.json", json.dumps(record, indent=2))
        for message_id, data, parts in conversation.messages:
            record = {"id": message_id, "sessionID": conversation.id, **data}
            _write(storage / "message" / conversation.id / f"{message_id}.json", json.dumps(record, indent=2))
            for part_id, part in parts:
                outer = {"id": part_id, "messageID": message_id, "sessionID": conversation.id}
                whole = {**outer, **part} if isinstance(part, dict) else part
                _write(storage / "part" / message_id / f"{part_id}.json", as_text(whole))
    return storage


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
