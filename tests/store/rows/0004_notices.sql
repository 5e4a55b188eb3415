-- kept: SELECT text = '明天3点开会' AND said_at = submitted_at AND state = 'needs_confirmation' FROM notices WHERE task_id = 't1'
INSERT INTO notices
    (task_id, submission_key, text, source, entry, submitted_at, zone, message_date, words, words_source, said_at, state,
     why, understood)
VALUES
    ('t1', 'form-1', '明天3点开会', 'direct', 'schedule', 1791770400000000, 'Asia/Shanghai', NULL, '明天3点开会', 'direct',
     1791770400000000, 'needs_confirmation', 'meridiem', NULL);
INSERT INTO answers (task_id, number, kind, value, words, revision, answered_at, in_force)
VALUES ('t1', 1, 'meridiem', '15:00', '下午', 2, 1791770401000000, 1);
INSERT INTO reminders (task_id, number, at, reason, nodes, state, revision)
VALUES ('t1', 1, 1791873000000000, 'default_start_30', '[0]', 'planned', 3);
