-- kept: SELECT state = 'unconfirmed' AND tries = 3 FROM household_steps WHERE did = 'lamp' AND iid = 'prop.2.1'
-- kept: SELECT done_at = 1791766800000000 FROM household_cooldowns WHERE rule_id = 'r1'
-- kept: SELECT deadline - created_at = 300000000 FROM household_runs WHERE state = 'waiting' AND task_id = 't1'
-- kept: SELECT told_at = 1791766800000000 FROM household_news WHERE subject = 'rule:r1'
INSERT INTO household_steps
    (occurrence_id, number, did, iid, wanted, state, reason, detail, seen, tries, began_at, at, next_at)
VALUES
    ('o1', 1, 'lamp', 'prop.2.1', 'true', 'unconfirmed', 'unconfirmed', '', 'false', 3, 1791766800000000,
     1791766813000000, NULL);
INSERT INTO household_cooldowns (rule_id, did, iid, done_at) VALUES ('r1', 'speaker', 'action.7.3', 1791766800000000);
INSERT INTO household_runs
    (number, occurrence_id, task_id, origin, prompt, alone, state, why, created_at, deadline, ended_at)
VALUES
    (1, 'o2', 't1', 'rule', '{"words":["看看要不要复位"],"at":"2026-10-12T10:00:00+08:00"}', 1, 'waiting', '',
     1791766800000000, 1791767100000000, NULL);
INSERT INTO household_news (subject, told_at) VALUES ('rule:r1', 1791766800000000);
