-- One call of a model. Written right after it, so that a run that is killed has spent it all the same.
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    model TEXT NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost_usd REAL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX requests_by_time ON requests (at);
CREATE INDEX requests_by_run ON requests (run);

-- A model whose account was used up: until when it is left alone, and who may try first after that.
CREATE TABLE breakers (
    model TEXT PRIMARY KEY,
    refusals INTEGER NOT NULL,
    refused_at INTEGER NOT NULL,
    open_until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    probe_worker TEXT,
    probe_until INTEGER
) STRICT, WITHOUT ROWID;

-- Lists of thousands of records are read from the index alone, without a look into the rows and past their text.
DROP INDEX records_by_age;
CREATE INDEX records_by_age ON records (
    updated_at DESC, session_id DESC, host, cwd, project, started_at, extracted_at, stem, state, retired_reason,
    consolidated_updated_at
);

-- What waits for consolidation is found without looking at what does not; the condition is that of the statements.
CREATE INDEX records_unconsolidated ON records (updated_at DESC, session_id DESC)
WHERE (state = 'active' AND consolidated_updated_at IS NOT updated_at)
   OR (state = 'retired' AND consolidated_updated_at IS NOT NULL);
