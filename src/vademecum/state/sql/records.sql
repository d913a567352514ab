-- name: get_record
-- One record by its session id.
SELECT * FROM records WHERE session_id = :session_id;

-- name: alike_records
-- The sessions with a record whose ids match a pattern of LIKE.
SELECT session_id FROM records WHERE session_id LIKE :pattern ORDER BY session_id;

-- name: all_records
-- Every record, newest session first; one state only where :state is given.
SELECT * FROM records
WHERE :state IS NULL OR state = :state
ORDER BY updated_at DESC, session_id DESC;

-- name: record_heads
-- As all_records, without the text.
SELECT
    session_id, host, cwd, project, started_at, updated_at, extracted_at, stem, state, retired_reason, consolidated_updated_at
FROM records
WHERE :state IS NULL OR state = :state
ORDER BY updated_at DESC, session_id DESC;

-- name: record_names
-- The sessions with a record.
SELECT session_id FROM records;

-- name: resting_records
-- Heads of what rests because nobody used it, and of what stands in memory and has had nothing new :since then.
SELECT
    session_id, host, cwd, project, started_at, updated_at, extracted_at, stem, state, retired_reason, consolidated_updated_at
FROM records
WHERE (state = 'retired' AND retired_reason = 'unused')
   OR (state = 'active' AND consolidated_updated_at IS NOT NULL AND updated_at < :since AND extracted_at < :since)
ORDER BY updated_at DESC, session_id DESC;

-- name: projects_since
-- The projects that somebody worked in.
SELECT DISTINCT project FROM records WHERE updated_at >= :moment AND project <> '';

-- name: record_candidates
-- What a selection judges of every active record.
SELECT session_id, project, updated_at FROM records WHERE state = 'active';

-- name: chosen_records
-- The active records of the sessions in the JSON list :names, newest session first.
SELECT * FROM records
WHERE session_id IN (SELECT value FROM json_each(:names)) AND state = 'active'
ORDER BY updated_at DESC, session_id DESC;

-- name: record_stems
-- The file names of all rollout summaries, one a line: one row is made faster than thousands. Their index alone is read.
SELECT group_concat(stem, char(10)) FROM records;

-- name: landed_records
-- Records whose rollout summaries lie in the memory: those that were taken in, and those that rest.
SELECT stem, session_id FROM records
WHERE (state = 'active' AND consolidated_updated_at IS NOT NULL) OR (state = 'retired' AND retired_reason = 'unused')
ORDER BY updated_at DESC, session_id DESC;

-- name: count_records
-- How many records stand in each state.
SELECT state, count(*) AS count FROM records GROUP BY state;

-- name: retired_for
-- The sessions that were taken out of the memory for one reason.
SELECT session_id FROM records WHERE retired_reason = :reason;

-- name: unconsolidated_records
-- What the last successful consolidation has not taken in: newer snapshots, and retired ones that still stand in it.
SELECT * FROM records
WHERE (state = 'active' AND consolidated_updated_at IS NOT updated_at)
   OR (state = 'retired' AND consolidated_updated_at IS NOT NULL)
ORDER BY updated_at DESC, session_id DESC;

-- name: count_unconsolidated
-- How many records unconsolidated_records yields.
SELECT count(*) AS count FROM records
WHERE (state = 'active' AND consolidated_updated_at IS NOT updated_at)
   OR (state = 'retired' AND consolidated_updated_at IS NOT NULL);

-- name: stem_taken
-- Whether another session's rollout summary has this stem.
SELECT 1 FROM records WHERE stem = :stem AND session_id <> :session_id;

-- name: put_record
-- Insert a record, or replace what the same session gave before; the stem and the consolidated snapshot stay.
INSERT INTO records (
    session_id, host, cwd, project, branch, started_at, updated_at, outcome, slug, stem, raw_memory, rollout_summary,
    learner, extracted_at, origin, state, retired_reason, consolidated_updated_at
) VALUES (
    :session_id, :host, :cwd, :project, :branch, :started_at, :updated_at, :outcome, :slug, :stem, :raw_memory,
    :rollout_summary, :learner, :extracted_at, :origin, :state, :retired_reason, :consolidated_updated_at
)
ON CONFLICT (session_id) DO UPDATE SET
    host = excluded.host, cwd = excluded.cwd, project = excluded.project, branch = excluded.branch,
    started_at = excluded.started_at, updated_at = excluded.updated_at, outcome = excluded.outcome, slug = excluded.slug,
    raw_memory = excluded.raw_memory, rollout_summary = excluded.rollout_summary, learner = excluded.learner,
    extracted_at = excluded.extracted_at, origin = excluded.origin, state = excluded.state,
    retired_reason = excluded.retired_reason;

-- name: retire_record
-- Take a record out of the memory for a stated reason; a person's word is not overwritten by a weaker one.
UPDATE records SET state = 'retired', retired_reason = :reason
WHERE session_id = :session_id AND (
    state = 'active' OR retired_reason NOT IN ('deleted', 'forgotten')
    OR (retired_reason = 'deleted' AND :reason = 'forgotten')
);

-- name: wake_record
-- Take a record back that rested because nobody used it; the next consolidation takes it in where it stands no more.
UPDATE records SET state = 'active', retired_reason = NULL
WHERE session_id = :session_id AND retired_reason = 'unused';

-- name: standing_records
-- Records with a rule, a habit or a correction of a person's; the condition is that of the index records_standing.
SELECT session_id FROM records
WHERE instr(raw_memory, '] rule/') OR instr(raw_memory, '] habit/') OR instr(raw_memory, '] correction/');

-- name: clear_record
-- Remove the words of a record, and keep the row as the sign that it must not come back.
UPDATE records SET raw_memory = '', rollout_summary = '' WHERE session_id = :session_id;

-- name: mark_consolidated
-- Note which snapshot of a session the landed artefacts contain.
UPDATE records SET consolidated_updated_at = :snapshot WHERE session_id = :session_id;

-- name: rename_record
-- Take the words out of the name of a record as well.
UPDATE records SET slug = '', stem = :stem WHERE session_id = :session_id;

-- name: clear_records
-- No session has a record.
DELETE FROM records;
