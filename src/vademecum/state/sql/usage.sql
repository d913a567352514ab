-- name: count_citation
-- Note that an answer used a memory; the same answer counts once.
INSERT INTO usage (kind, cited, citing_session, message_id, line_start, line_end, at)
VALUES (:kind, :cited, :citing_session, :message_id, :line_start, :line_end, :at)
ON CONFLICT DO NOTHING;

-- name: usage_totals
-- Per cited memory of a kind: how often, when last, from how many sessions.
SELECT cited, count(*) AS count, max(at) AS last_at, count(DISTINCT citing_session) AS sessions
FROM (
    SELECT cited, citing_session, min(at) AS at FROM usage WHERE kind = :kind GROUP BY cited, citing_session, message_id
)
GROUP BY cited;

-- name: drop_usage
-- Nobody used this any more.
DELETE FROM usage WHERE cited = :name OR citing_session = :name;

-- name: clear_usage
-- Nobody used anything.
DELETE FROM usage;
