-- name: get_fingerprint
-- What a source looked like when it was read last.
SELECT fingerprint FROM sources WHERE host = :host AND path = :path AND session_key = :session_key;

-- name: read_places
-- Every place and what it looked like when it was read last.
SELECT host, path, session_key, fingerprint FROM sources;

-- name: put_source
-- Note what a source looked like when it was read.
INSERT INTO sources (host, path, session_key, fingerprint, session_id, seen_at)
VALUES (:host, :path, :session_key, :fingerprint, :session_id, :seen_at)
ON CONFLICT (host, path, session_key) DO UPDATE SET
    fingerprint = excluded.fingerprint, session_id = excluded.session_id, seen_at = excluded.seen_at;

-- name: sources_of_session
-- Where a session was found.
SELECT * FROM sources WHERE session_id = :session_id ORDER BY host, path, session_key;

-- name: all_sources
-- Every place, session by session, the one that was read last behind the others.
SELECT * FROM sources ORDER BY session_id, seen_at, host, path, session_key;

-- name: drop_sources_of_session
-- Have a session read anew wherever it lies.
DELETE FROM sources WHERE session_id = :session_id;
