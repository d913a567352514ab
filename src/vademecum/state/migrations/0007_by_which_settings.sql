-- By which learner and settings a job was last taken: what failed by one of them does not have to wait for another.
ALTER TABLE jobs ADD COLUMN setup TEXT;
