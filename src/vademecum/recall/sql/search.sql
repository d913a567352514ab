-- name: create_hidden
-- The passages that may not be shown to the present query.
CREATE TEMP TABLE IF NOT EXISTS hidden (id INTEGER PRIMARY KEY) STRICT;

-- name: create_chosen
-- The passages that meet the filters of the present query.
CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY) STRICT;

-- name: clear_hidden
-- Forget what the query before was not shown.
DELETE FROM temp.hidden;

-- name: clear_chosen
-- Forget what the query before had chosen.
DELETE FROM temp.chosen;

-- name: hide
-- Hide passages of sessions, their rollout summaries included, and of memory files.
INSERT INTO temp.hidden
SELECT id FROM passages WHERE session_id IN (SELECT value FROM json_each(:sessions))
UNION
SELECT id FROM passages WHERE path IN (SELECT value FROM json_each(:paths));

-- name: choose
-- Choose the passages that meet every filter; what has no time meets filters of time. The few projects are found by
-- steps from one to the next in the index, and then their passages alone are looked at.
WITH RECURSIVE known (project) AS (
    SELECT min(project) FROM passages
    UNION ALL
    SELECT (SELECT min(passages.project) FROM passages WHERE passages.project > known.project)
    FROM known WHERE known.project IS NOT NULL
)
INSERT INTO temp.chosen
SELECT id FROM (
    SELECT id, kind, host, at, path FROM passages WHERE :projects IS NULL
    UNION ALL
    SELECT id, kind, host, at, path FROM passages
    WHERE :projects IS NOT NULL AND project IN (
        SELECT known.project FROM known, json_each(:projects) AS part WHERE instr(lower(known.project), part.value)
    )
)
WHERE (:kind IS NULL OR kind = :kind)
    AND (:hosts IS NULL OR host IN (SELECT value FROM json_each(:hosts)))
    AND (:after IS NULL OR at IS NULL OR at >= :after)
    AND (:before IS NULL OR at IS NULL OR at < :before)
    AND (:paths IS NULL OR path IN (
        SELECT known.path FROM (SELECT DISTINCT path FROM passages) AS known, json_each(:paths) AS part
        WHERE instr(lower(known.path), part.value)
    ));

-- name: ranked
-- The best passages for an expression, and what the priors need of them. (`+` keeps SQLite from asking FTS5 id by id.)
SELECT p.id, best.bm25, p.at, coalesce(p.session_id, p.path) AS cited
FROM (
    SELECT rowid AS id, bm25(words, 2.0, 1.5, 1.5, 1.0, 0.8, 0.5, 0.25) AS bm25
    FROM words
    WHERE words MATCH :match
        AND +rowid NOT IN (SELECT id FROM temp.hidden)
        AND (NOT :filtered OR +rowid IN (SELECT id FROM temp.chosen))
    ORDER BY bm25, id LIMIT :limit
) AS best JOIN passages AS p ON p.id = best.id
ORDER BY best.bm25, p.id;

-- name: total
-- How many passages an expression finds.
SELECT count(*) AS total FROM words
WHERE words MATCH :match
    AND +rowid NOT IN (SELECT id FROM temp.hidden)
    AND (NOT :filtered OR +rowid IN (SELECT id FROM temp.chosen));

-- name: total_at_most
-- As total, but no further than so many: the words of a question stand in every tenth of a million messages.
SELECT count(*) AS total FROM (
    SELECT rowid FROM words
    WHERE words MATCH :match
        AND +rowid NOT IN (SELECT id FROM temp.hidden)
        AND (NOT :filtered OR +rowid IN (SELECT id FROM temp.chosen))
    LIMIT :most
);

-- name: newest
-- What meets the filters, newest first; what has no time comes last.
SELECT id FROM passages
WHERE id IN (SELECT id FROM temp.chosen) AND id NOT IN (SELECT id FROM temp.hidden)
ORDER BY at DESC NULLS LAST, id LIMIT :limit OFFSET :offset;

-- name: total_newest
-- As newest, counted.
SELECT count(*) AS total FROM temp.chosen WHERE id NOT IN (SELECT id FROM temp.hidden);

-- name: passages
-- Everything on the passages of one page.
SELECT
    p.id, p.kind, p.path, p.session_id, p.project, p.host, p.at, p.line_start, p.line_end, words.body
FROM passages AS p JOIN words ON words.rowid = p.id
WHERE p.id IN (SELECT value FROM json_each(:ids));

-- name: own
-- Which passages of one page hold a word that is asked for themselves.
SELECT rowid AS id FROM words WHERE words MATCH :match AND rowid IN (SELECT value FROM json_each(:ids));
