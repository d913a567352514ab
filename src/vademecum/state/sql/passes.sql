-- name: put_last_pass
-- What the newest pass came to takes the place of what the one before it came to.
INSERT OR REPLACE INTO last_pass (place, at, discovered, extracted, no_output, failed, skipped, error, next_step)
VALUES (1, :at, :discovered, :extracted, :no_output, :failed, :skipped, :error, :next_step);

-- name: get_last_pass
-- What the newest pass came to.
SELECT at, discovered, extracted, no_output, failed, skipped, error, next_step FROM last_pass;

-- name: drop_last_pass
-- What the newest pass came to is not told any more.
DELETE FROM last_pass;
