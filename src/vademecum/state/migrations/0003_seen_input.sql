-- Which input the last consolidation has seen, so that the same input is not worked on again while its outcome waits for
-- a person, or was rejected. The one row is replaced by every consolidation.
CREATE TABLE seen_input (
    place INTEGER PRIMARY KEY CHECK (place = 1),
    tree TEXT NOT NULL,
    records TEXT NOT NULL
) STRICT;
