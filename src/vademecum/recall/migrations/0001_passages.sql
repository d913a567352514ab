-- The index is rebuildable: later steps may drop what they like, and the next sync fills it again.

-- What the index holds, and in which version.
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('memory', 'session')),
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (kind, name)
) STRICT;

-- Where a passage stands. `at` is in milliseconds since 1970 UTC.
CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    kind TEXT NOT NULL,
    path TEXT,
    session_id TEXT,
    project TEXT,
    host TEXT,
    at INTEGER,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL
) STRICT;

CREATE INDEX passages_by_source ON passages (source);
CREATE INDEX passages_by_session ON passages (session_id);
CREATE INDEX passages_by_path ON passages (path);
CREATE INDEX passages_by_project ON passages (project);

-- What a passage says; rowid = passages.id. `expanded` holds the parts of identifiers and the bigrams of scripts that
-- write no blanks, `near` and `far` the neighbours of a short message.
CREATE VIRTUAL TABLE words USING fts5 (
    title, path, headings, body, expanded, near, far,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
