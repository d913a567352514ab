-- name: get_breaker
-- What is known of the account of one model.
SELECT * FROM breakers WHERE model = :model;

-- name: all_breakers
-- Every model that was refused and has not answered since.
SELECT * FROM breakers ORDER BY model;

-- name: put_breaker
-- A model was refused: left alone until a moment, and nobody tries meanwhile.
INSERT INTO breakers (model, refusals, refused_at, open_until, reason)
VALUES (:model, :refusals, :refused_at, :open_until, :reason)
ON CONFLICT (model) DO UPDATE SET
    refusals = excluded.refusals, refused_at = excluded.refused_at, open_until = excluded.open_until,
    reason = excluded.reason, probe_worker = NULL, probe_until = NULL;

-- name: take_probe
-- One worker tries; the others wait for what comes of it.
UPDATE breakers SET probe_worker = :worker, probe_until = :until WHERE model = :model;

-- name: drop_breaker
-- The model answered.
DELETE FROM breakers WHERE model = :model;
