-- The project of a record is found once, when the session is learned. A new table, because a column that is added
-- stands behind the long text, and lists would read past all of it.
ALTER TABLE records RENAME TO former_records;

CREATE TABLE records (
    session_id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    cwd TEXT NOT NULL,
    -- Empty: none is known, or an older version learned the session.
    project TEXT NOT NULL,
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
    raw_memory TEXT NOT NULL,
    rollout_summary TEXT NOT NULL,
    CHECK ((state = 'retired') = (retired_reason IS NOT NULL))
) STRICT;

INSERT INTO records (
    session_id, host, cwd, project, branch, started_at, updated_at, outcome, slug, stem, learner, extracted_at, origin,
    state, retired_reason, consolidated_updated_at, raw_memory, rollout_summary
)
SELECT
    session_id, host, cwd, '', branch, started_at, updated_at, outcome, slug, stem, learner, extracted_at, origin,
    state, retired_reason, consolidated_updated_at, raw_memory, rollout_summary
FROM former_records;

DROP TABLE former_records;
CREATE INDEX records_by_age ON records (updated_at DESC, session_id DESC);

-- What a removed bullet rested on, as JSON: a statement from there is known again whatever key it would get now.
ALTER TABLE tombstones ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';

-- What the last pass of learning came to, also where it began nothing; the one row is replaced by every pass.
CREATE TABLE last_pass (
    place INTEGER PRIMARY KEY CHECK (place = 1),
    at INTEGER NOT NULL,
    discovered INTEGER NOT NULL,
    extracted INTEGER NOT NULL,
    no_output INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    skipped TEXT NOT NULL,
    error TEXT,
    next_step TEXT
) STRICT;
