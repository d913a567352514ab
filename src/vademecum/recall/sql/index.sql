-- name: get_mark
-- A fact on the index as a whole.
SELECT value FROM marks WHERE name = :name;

-- name: set_mark
-- Note a fact on the index as a whole.
INSERT INTO marks (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: versions
-- Every indexed source of a kind with its version.
SELECT name, version FROM sources WHERE kind = :kind;

-- name: version
-- The indexed version of one source.
SELECT version FROM sources WHERE kind = :kind AND name = :name;

-- name: add_source
-- Note a source; its passages follow.
INSERT INTO sources (kind, name, version) VALUES (:kind, :name, :version) RETURNING id;

-- name: next_passage
-- The first free number for a passage. Numbers of dropped passages are used again only at the end.
SELECT coalesce(max(id), 0) + 1 AS id FROM passages;

-- name: add_passage
-- Where a passage stands.
INSERT INTO passages (id, source, kind, path, session_id, project, host, at, line_start, line_end)
VALUES (:id, :source, :kind, :path, :session_id, :project, :host, :at, :line_start, :line_end);

-- name: add_words
-- What a passage says.
INSERT INTO words (rowid, title, path, headings, body, expanded, near, far)
VALUES (:id, :title, :path_words, :headings, :body, :expanded, :near, :far);

-- name: drop_words
-- Remove what the passages of a source say; before the passages themselves.
DELETE FROM words WHERE rowid IN (
    SELECT passages.id FROM passages JOIN sources ON sources.id = passages.source
    WHERE sources.kind = :kind AND sources.name = :name
);

-- name: drop_passages
-- Remove the passages of a source; before the source itself.
DELETE FROM passages WHERE source = (SELECT id FROM sources WHERE kind = :kind AND name = :name);

-- name: drop_source
-- Remove a source.
DELETE FROM sources WHERE kind = :kind AND name = :name;

-- name: optimize
-- Write the word lists anew: they keep the words of dropped passages until then.
INSERT INTO words (words) VALUES ('optimize');

-- name: summaries_of_session
-- Memory files that tell of a session.
SELECT DISTINCT path FROM passages WHERE kind = 'memory' AND session_id = :session_id;

-- name: clear_words
-- Empty the index, first part.
DELETE FROM words;

-- name: clear_passages
-- Empty the index, second part.
DELETE FROM passages;

-- name: clear_sources
-- Empty the index, third part.
DELETE FROM sources;

-- name: clear_marks
-- Empty the index, last part.
DELETE FROM marks;

-- name: session_texts
-- What was said in sessions, some passages at a time.
SELECT passages.id, passages.session_id, words.title || char(10) || words.body AS text
FROM passages JOIN words ON words.rowid = passages.id
WHERE passages.kind = 'session' AND passages.id > :after
ORDER BY passages.id
LIMIT :count;
