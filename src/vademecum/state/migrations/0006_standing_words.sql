-- Which records hold what a person said as a rule is asked before every consolidation: their texts are not read for it.
-- The query `standing_records` has the same condition, word by word; else this index is not used.
CREATE INDEX records_standing ON records (session_id)
WHERE instr(raw_memory, '] rule/') OR instr(raw_memory, '] habit/') OR instr(raw_memory, '] correction/');
