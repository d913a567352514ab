-- name: get_job
-- One job by kind and key.
SELECT * FROM jobs WHERE kind = :kind AND key = :key;

-- name: job_of_token
-- The running job that this token owns.
SELECT * FROM jobs WHERE token = :token AND status = 'running';

-- name: all_jobs
-- Jobs, of one kind only where :kind is given, longest unfinished first.
SELECT * FROM jobs WHERE :kind IS NULL OR kind = :kind ORDER BY kind, finished_at, key;

-- name: running_jobs
-- The jobs of a kind that somebody has claimed.
SELECT * FROM jobs WHERE kind = :kind AND status = 'running' ORDER BY started_at, key;

-- name: count_jobs
-- How many jobs of each kind stand in each status.
SELECT kind, status, count(*) AS count FROM jobs GROUP BY kind, status;

-- name: count_pending
-- How many jobs of a kind wait, by the class of their last failure.
SELECT error_class, count(*) AS count FROM jobs WHERE kind = :kind AND status = 'pending' GROUP BY error_class;

-- name: take_job
-- Start a job, new or known; newer input and another setup wipe what it failed of before.
INSERT INTO jobs (kind, key, status, worker, token, lease_until, started_at, input_watermark, setup)
VALUES (:kind, :key, 'running', :worker, :token, :lease_until, :now, :watermark, :setup)
ON CONFLICT (kind, key) DO UPDATE SET
    status = 'running', worker = excluded.worker, token = excluded.token, lease_until = excluded.lease_until,
    started_at = excluded.started_at, finished_at = NULL, retry_at = NULL, error_class = NULL, last_error = NULL,
    failures = CASE
        WHEN excluded.input_watermark > input_watermark OR setup <> excluded.setup THEN '{}' ELSE failures
    END,
    setup = excluded.setup,
    input_watermark = max(input_watermark, excluded.input_watermark);

-- name: renew_job
-- Move the end of a lease, if it is still the owner who asks.
UPDATE jobs SET lease_until = :lease_until WHERE token = :token AND status = 'running';

-- name: finish_job
-- Done up to a watermark, if it is still the owner who says so.
UPDATE jobs SET
    status = 'done', worker = NULL, token = NULL, lease_until = NULL, finished_at = :now, failures = '{}',
    retry_at = NULL, error_class = NULL, last_error = NULL,
    success_watermark = max(coalesce(success_watermark, :watermark), :watermark)
WHERE token = :token AND status = 'running';

-- name: fail_job
-- Note a failure, if it is still the owner who says so.
UPDATE jobs SET
    status = :status, worker = NULL, token = NULL, lease_until = NULL, finished_at = :now, failures = :failures,
    retry_at = :retry_at, error_class = :error_class, last_error = :message
WHERE token = :token AND status = 'running';

-- name: release_job
-- Give a job back unfinished and free of charge, if it is still the owner who does.
UPDATE jobs SET status = 'pending', worker = NULL, token = NULL, lease_until = NULL, retry_at = NULL
WHERE token = :token AND status = 'running';

-- name: drop_jobs_of_key
-- Whoever works on this loses the job, and with it the right to store what comes of it.
DELETE FROM jobs WHERE key = :key;

-- name: clear_jobs
-- As drop_jobs_of_key, for all of them.
DELETE FROM jobs;
