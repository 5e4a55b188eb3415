-- kept: SELECT state = 'asked' AND revision = 1 AND reply IS NULL FROM household_talks WHERE key = 'k1'
INSERT INTO household_talks
    (number, text, who, zone, said_at, sources, state, revision, answers, questions, prompt, lines, tasks, op, reply,
     why, key)
VALUES
    (1, '久坐30分钟提醒一下', 'user', 'Asia/Shanghai', 1791766800000000, '[]', 'asked', 1, '{}',
     '[{"kind":"channel","prompt":"怎么提醒？","options":[["A","音箱播报"],["B","手机推送"],["C","AI 对话"]],"revision":1}]',
     '怎么提醒？', '[]', '[]', 'create', NULL, '', 'k1');
