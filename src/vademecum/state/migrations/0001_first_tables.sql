-- All times are integer milliseconds since 1970 UTC.

-- One extracted session; rebuildable from its rollout summary.
CREATE TABLE records (
    session_id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    cwd TEXT NOT NULL,
    branch TEXT,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    slug TEXT NOT NULL,
    stem TEXT NOT NULL UNIQUE,
    learner TEXT NOT NULL,
    extracted_at INTEGER NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('session', 'repository')),
    state TEXT NOT NULL CHECK (state IN ('active', 'retired')),
    retired_reason TEXT,
    consolidated_updated_at INTEGER,
    -- Long text stands last, so that lists need not read past it.
    raw_memory TEXT NOT NULL,
    rollout_summary TEXT NOT NULL,
    CHECK ((state = 'retired') = (retired_reason IS NOT NULL))
) STRICT;

CREATE INDEX records_by_age ON records (updated_at DESC, session_id DESC);

-- What is to be done, is being done, or was done, per kind and key.
CREATE TABLE jobs (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'done', 'failed')),
    worker TEXT,
    token TEXT UNIQUE,
    lease_until INTEGER,
    started_at INTEGER,
    finished_at INTEGER,
    failures TEXT NOT NULL DEFAULT '{}',
    retry_at INTEGER,
    error_class TEXT,
    last_error TEXT,
    input_watermark INTEGER NOT NULL,
    success_watermark INTEGER,
    PRIMARY KEY (kind, key),
    CHECK ((status = 'running') = (token IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_status ON jobs (kind, status, retry_at);

-- Where sessions were found, so that an unchanged one need not be read again.
CREATE TABLE sources (
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    session_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    session_id TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (host, path, session_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX sources_by_session ON sources (session_id);

-- Whether a session may be learned from.
CREATE TABLE session_modes (
    session_id TEXT PRIMARY KEY,
    mode TEXT NOT NULL CHECK (mode IN ('enabled', 'disabled', 'polluted')),
    stamped_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which answer used which memory; once per message.
CREATE TABLE usage (
    kind TEXT NOT NULL CHECK (kind IN ('session', 'path')),
    cited TEXT NOT NULL,
    citing_session TEXT NOT NULL,
    message_id TEXT NOT NULL,
    line_start INTEGER,
    line_end INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, cited, citing_session, message_id)
) STRICT, WITHOUT ROWID;

-- Generated bullets that a person removed, undid, rejected or forgot.
CREATE TABLE tombstones (
    key TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    text TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('deleted', 'undone', 'rejected', 'forgotten')),
    at INTEGER NOT NULL,
    evidence_at INTEGER
) STRICT, WITHOUT ROWID;

-- The ledger: one row per run.
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    learner TEXT NOT NULL,
    worker TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    outcome TEXT,
    tokens_in INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    error TEXT,
    detail TEXT NOT NULL DEFAULT '{}',
    CHECK ((finished_at IS NULL) = (outcome IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_start ON runs (started_at DESC, id DESC);
