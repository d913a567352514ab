-- name: note_request
-- One call of a model.
INSERT INTO requests (run, model, tokens_in, tokens_out, cost_usd, at)
VALUES (:run, :model, :tokens_in, :tokens_out, :cost_usd, :at);

-- name: requests_of_run
-- Every call of a run, in the order in which they were made.
SELECT run, model, tokens_in, tokens_out, cost_usd, at FROM requests WHERE run = :run ORDER BY id;

-- name: spent_in_run
-- What a run took so far.
SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out, sum(cost_usd) AS cost_usd
FROM requests WHERE run = :run;

-- name: spent_between
-- What all runs took in a span of time.
SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out, sum(cost_usd) AS cost_usd
FROM requests WHERE at >= :since AND at < :until;

-- name: spent_by_day
-- Per day in UTC, newest first: how many runs began, and what was taken.
WITH
    began AS (SELECT date(started_at / 1000, 'unixepoch') AS day, count(*) AS runs FROM runs GROUP BY day),
    spent AS (
        SELECT date(at / 1000, 'unixepoch') AS day, sum(tokens_in + tokens_out) AS tokens, sum(cost_usd) AS cost_usd
        FROM requests GROUP BY day
    ),
    days AS (SELECT day FROM began UNION SELECT day FROM spent)
SELECT day, coalesce(runs, 0) AS runs, coalesce(tokens, 0) AS tokens, cost_usd
FROM days LEFT JOIN began USING (day) LEFT JOIN spent USING (day)
ORDER BY day DESC LIMIT :limit;
