-- kept: SELECT title = '交表' AND settled_at IS NULL FROM messages WHERE number = 1
INSERT INTO messages
    (number, key, channel, task_id, occurrence_id, title, text, due_at, told_at, state, tries, next_try_at, in_doubt,
     unwanted, detail)
VALUES
    (1, 'o1:inbox', 'inbox', 't1', 'o1', '交表', '现在', 1791766800000000, 1791766800000000, 'sent', 1, 1791766800000000, 0,
     0, '');
