-- kept: SELECT reply = '{"version":1,"items":[]}' AND item = 1 FROM notices WHERE task_id = 't7'
INSERT INTO notices
    (task_id, submission_key, text, source, entry, submitted_at, zone, message_date, words, words_source, said_at, state,
     why, understood, reply, item)
VALUES
    ('t7', NULL, '老师说明天下午3点开会', 'direct', 'schedule', 1791770400000000, 'Asia/Shanghai', NULL,
     '老师说明天下午3点开会', 'direct', 1791770400000000, 'needs_confirmation', 'message_date', NULL,
     '{"version":1,"items":[]}', 1);
