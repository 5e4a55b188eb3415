-- kept: SELECT COUNT(*) = 1 FROM goals JOIN goal_log USING (task_id) WHERE version = seq AND request_key IS NULL
INSERT INTO goals (task_id, owner, request_key, info, config, status, bbs_mode, version, snapshot, due_at, created_at,
    changed_at) VALUES ('g', 'u', NULL, '{}', '{}', 'RUNNING', 0, 1, '{}', NULL, 1, 1);
INSERT INTO goal_log (task_id, seq, at, entry) VALUES ('g', 1, 1, '{}');
INSERT INTO goal_sendings (key, task_id, at) VALUES ('g/deliver:a#1', 'g', 1);
