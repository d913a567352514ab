-- name: put_tombstone
-- Note that a person removed a bullet; the latest word on a key holds.
INSERT INTO tombstones (key, scope, text, reason, at, evidence_at)
VALUES (:key, :scope, :text, :reason, :at, :evidence_at)
ON CONFLICT (key) DO UPDATE SET
    scope = excluded.scope, text = excluded.text, reason = excluded.reason, at = excluded.at,
    evidence_at = excluded.evidence_at
WHERE excluded.at >= tombstones.at;

-- name: all_tombstones
-- Every tombstone, oldest first.
SELECT * FROM tombstones ORDER BY at, key;

-- name: drop_tombstone
-- A person wants the bullet back, or newer human evidence brought it back.
DELETE FROM tombstones WHERE key = :key;
