-- name: stamp_mode
-- The mode at first sight; a later stamp changes nothing.
INSERT INTO session_modes (session_id, mode, stamped_at) VALUES (:session_id, :mode, :now)
ON CONFLICT (session_id) DO NOTHING;

-- name: set_mode
-- The mode by decision.
INSERT INTO session_modes (session_id, mode, stamped_at) VALUES (:session_id, :mode, :now)
ON CONFLICT (session_id) DO UPDATE SET mode = excluded.mode, stamped_at = excluded.stamped_at;

-- name: get_mode
-- The mode of one session.
SELECT mode FROM session_modes WHERE session_id = :session_id;

-- name: sessions_in_mode
-- Sessions that stand in one mode.
SELECT session_id FROM session_modes WHERE mode = :mode;
