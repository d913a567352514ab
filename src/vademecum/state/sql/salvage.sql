-- name: table_names
-- The tables of a database, without those of SQLite itself.
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name;

-- name: drop_finished_jobs
-- Sessions that were learned, and whose record was lost, are to be learned again.
DELETE FROM jobs WHERE kind = 'extraction' AND key NOT IN (SELECT session_id FROM records);

-- name: drop_unproven_sources
-- The same: they must be read again.
DELETE FROM sources WHERE session_id NOT IN (SELECT session_id FROM records);
