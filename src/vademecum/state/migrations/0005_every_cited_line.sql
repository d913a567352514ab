-- An answer may cite several parts of one file: every one of them is kept. 0: the whole file, or no file.
ALTER TABLE usage RENAME TO former_usage;

CREATE TABLE usage (
    kind TEXT NOT NULL CHECK (kind IN ('session', 'path')),
    cited TEXT NOT NULL,
    citing_session TEXT NOT NULL,
    message_id TEXT NOT NULL,
    line_start INTEGER NOT NULL DEFAULT 0,
    line_end INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, cited, citing_session, message_id, line_start, line_end)
) STRICT, WITHOUT ROWID;

INSERT INTO usage (kind, cited, citing_session, message_id, line_start, line_end, at)
SELECT kind, cited, citing_session, message_id, coalesce(line_start, 0), coalesce(line_end, 0), at FROM former_usage;

DROP TABLE former_usage;
