-- kept: SELECT slug = 'drink_8_daily' AND living = 1 FROM household_tasks WHERE task_id = 't1'
-- kept: SELECT changes LIKE '%喝水%' FROM household_revisions WHERE task_id = 't1' AND number = 2
-- kept: SELECT reason = 'expired' AND occurrences = 3 FROM terminations WHERE task_id = 't2'
-- kept: SELECT message = '提醒用户吃药' AND enabled = 1 FROM cron_jobs WHERE id = 'j1'
-- kept: SELECT role = '妈妈' FROM persons WHERE id = 'p1'
INSERT INTO household_tasks (task_id, slug, living, paused_at) VALUES ('t1', 'drink_8_daily', 1, NULL), ('t2', 'med', 0, NULL);
INSERT INTO household_revisions (task_id, number, at, kind, who, why, changes)
VALUES ('t1', 2, 1791770400000000, 'description', 'cli', '', '[{"part":"description","before":"喝","after":"喝水"}]');
INSERT INTO terminations
    (task_id, revision, slug, reason, description, record_kind, snapshot, rules, jobs, occurrences, at)
VALUES ('t2', 3, 'med', 'expired', '吃药', NULL, NULL, 0, 1, 3, 1791770400000000);
INSERT INTO cron_jobs
    (id, number, task_id, carrier_id, name, schedule, message, purpose, enabled, removed, created_at, updated_at)
VALUES ('j1', 1, 't1', NULL, '[med] 吃药', '{"kind":"cron","expr":"0 9 * * *","tz":"Asia/Shanghai"}', '提醒用户吃药',
    'remind', 1, 0, 1791770400000000, 1791770400000000);
INSERT INTO persons (id, number, name, role) VALUES ('p1', 1, '小红', '妈妈');
