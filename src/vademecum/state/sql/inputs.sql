-- name: put_seen_input
-- What the newest consolidation has seen takes the place of what the one before it had.
INSERT OR REPLACE INTO seen_input (place, tree, records) VALUES (1, :tree, :records);

-- name: get_seen_input
-- What the newest consolidation has seen.
SELECT tree, records FROM seen_input;

-- name: drop_seen_input
-- No input was seen.
DELETE FROM seen_input;
