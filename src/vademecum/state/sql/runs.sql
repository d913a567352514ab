-- name: start_run
-- Open a row of the ledger, unless its id is taken.
INSERT INTO runs (id, kind, learner, worker, started_at) VALUES (:id, :kind, :learner, :worker, :now)
ON CONFLICT (id) DO NOTHING;

-- name: finish_run
-- Close a row of the ledger, once.
UPDATE runs SET
    finished_at = :now, outcome = :outcome, tokens_in = :tokens_in, tokens_out = :tokens_out, cost_usd = :cost_usd,
    error = :error, detail = :detail
WHERE id = :id AND finished_at IS NULL;

-- name: decide_run
-- What became of what a run had proposed.
UPDATE runs SET detail = json_set(detail, '$.decision', :decision) WHERE id = :id;

-- name: open_runs
-- Rows that nobody has closed yet.
SELECT id, worker FROM runs WHERE finished_at IS NULL;

-- name: get_run
-- One row of the ledger.
SELECT * FROM runs WHERE id = :id;

-- name: run_ids
-- What a short id is looked up in.
SELECT id FROM runs;

-- name: list_runs
-- The ledger, newest first; one kind only where :kind is given.
SELECT * FROM runs WHERE :kind IS NULL OR kind = :kind ORDER BY started_at DESC, id DESC LIMIT :limit;

-- name: silence_run
-- What a run said of its failure held words that were forgotten.
UPDATE runs SET error = :mark, detail = '{}' WHERE id = :id;

-- name: all_runs
-- The whole ledger.
SELECT * FROM runs ORDER BY id;

-- name: drop_run
-- A run that is not told of.
DELETE FROM runs WHERE id = :id AND finished_at IS NULL;

-- name: decisions
-- What was decided on what runs had left for a person.
SELECT id, detail ->> 'decision' AS decision FROM runs
WHERE detail ->> 'decision' IS NOT NULL ORDER BY started_at DESC, id DESC;
