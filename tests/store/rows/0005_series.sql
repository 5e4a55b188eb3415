-- kept: SELECT expression = 'on day at 08:00' AND state = 'running' FROM series WHERE task_id = 't1'
-- kept: SELECT who = 'cli' FROM series_done WHERE task_id = 't1'
INSERT INTO series
    (task_id, number, words, expression, anchor, kind, precision_of, reason, state, revision, started_at, ended_at)
VALUES
    ('t1', 1, '每天早上8点', 'on day at 08:00', NULL, 'reminder', 'minute', 'specified', 'running', 2, 1791770400000000, NULL);
INSERT INTO series_done (task_id, due, done_at, who) VALUES ('t1', 1791849600000000, 1791850000000000, 'cli');
