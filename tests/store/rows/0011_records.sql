-- kept: SELECT kind = 'progress' AND target = 8 AND ended_at IS NULL FROM records WHERE task_id = 't1'
-- kept: SELECT target = 8 FROM record_terms WHERE record_id = 'rec1'
-- kept: SELECT amount = 9 FROM record_days WHERE record_id = 'rec1'
-- kept: SELECT at = 1791849600000000 FROM record_reached WHERE record_id = 'rec1'
-- kept: SELECT end_at IS NULL FROM record_sessions WHERE record_id = 'rec2'
-- kept: SELECT left_at IS NULL FROM record_holders WHERE record_id = 'rec2'
-- kept: SELECT description = '喝水' FROM record_entries WHERE record_id = 'rec3'
-- kept: SELECT who = 'cli' FROM record_writes WHERE record_id = 'rec1'
INSERT INTO records (id, number, task_id, kind, target, unit, period, recurring, zone, revision, created_at, updated_at)
VALUES
    ('rec1', 1, 't1', 'progress', 8, '杯', 'day', 'day', 'Asia/Shanghai', 1, 1791766800000000, 1791766800000000),
    ('rec2', 2, 't2', 'duration', 60, '', 'day', 'day', 'Asia/Shanghai', 1, 1791766800000000, 1791766800000000),
    ('rec3', 3, 't3', 'event', NULL, '', 'longterm', NULL, 'Asia/Shanghai', 1, 1791766800000000, 1791766800000000);
INSERT INTO record_terms (record_id, since, rhythm, target) VALUES ('rec1', 1791766800000000, 'day', 8);
INSERT INTO record_days (record_id, day, amount) VALUES ('rec1', '2026-10-12', 9);
INSERT INTO record_reached (record_id, rhythm, day, at, target) VALUES ('rec1', 'day', '2026-10-12', 1791849600000000, 8);
INSERT INTO record_sessions (record_id, number, start_at, end_at) VALUES ('rec2', 1, 1791766800000000, NULL);
INSERT INTO record_holders (record_id, holder, left_at) VALUES ('rec2', 'r1', NULL);
INSERT INTO record_entries (id, number, record_id, at, description) VALUES ('e1', 1, 'rec3', 1791766800000000, '喝水');
INSERT INTO record_writes (record_id, key, action, at, who, written_at, answer)
VALUES ('rec1', 'o1', 'increment', 1791766800000000, 'cli', 1791766800000000, '{}');
