-- name: put_tombstone
-- Note that a person removed a bullet; the latest word on a key holds.
INSERT INTO tombstones (key, scope, text, reason, at, evidence_at, sources)
VALUES (:key, :scope, :text, :reason, :at, :evidence_at, :sources)
ON CONFLICT (key) DO UPDATE SET
    scope = excluded.scope, text = excluded.text, reason = excluded.reason, at = excluded.at,
    evidence_at = excluded.evidence_at, sources = excluded.sources
WHERE excluded.at >= tombstones.at;

-- name: all_tombstones
-- Every tombstone, oldest first.
SELECT * FROM tombstones ORDER BY at, key;

-- name: drop_tombstone
-- A person wants the bullet back.
DELETE FROM tombstones WHERE key = :key;

-- name: clear_tombstones
-- Nothing was removed but what stands in one scope.
DELETE FROM tombstones WHERE scope <> :kept_scope;
