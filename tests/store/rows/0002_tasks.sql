-- kept: SELECT title = '交表' AND status = 'active' FROM tasks WHERE id = 't1'
-- kept: SELECT expression = '0 8 * * 1-5' AND zone = 'Asia/Shanghai' FROM schedules WHERE task_id = 't1'
-- kept: SELECT state = 'done' FROM occurrences WHERE task_id = 't1'
-- kept: SELECT kind = 'created' FROM journal WHERE task_id = 't1'
INSERT INTO tasks (id, number, title, description, way, lifecycle, status, zone, revision, created_at, updated_at)
VALUES ('t1', 1, '交表', '', 'notice', 'permanent', 'active', 'Asia/Shanghai', 1, 1791766800000000, 1791766800000000);
INSERT INTO schedules
    (id, number, task_id, part, expression, zone, action, payload, settled, missed, overlap, state, revision)
VALUES
    ('s1', 1, 't1', 'morning', '0 8 * * 1-5', 'Asia/Shanghai', 'tell', '{}', 1791766800000000, 'once', 'skip', 'active', 1);
INSERT INTO occurrences (id, task_id, part, key, due, state, count, revision)
VALUES ('o1', 't1', 'morning', '1791766800000000', 1791766800000000, 'done', 1, 1);
INSERT INTO journal (seq, task_id, at, kind, who, why, data)
VALUES (1, 't1', 1791766800000000, 'created', 'user', '', '{}');
