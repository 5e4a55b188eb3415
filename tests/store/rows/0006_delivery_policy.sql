-- kept: SELECT timing = 'chosen' AND turn = 0 AND snoozes = 0 AND digest IS NULL FROM messages WHERE number = 1
-- kept: SELECT held_until = 1791792000000000 AND note = 'held_quiet' AND turn = 1 FROM messages WHERE number = 2
-- kept: SELECT digest = 2 AND timing = 'named' FROM messages WHERE number = 3
INSERT INTO messages
    (number, key, channel, task_id, occurrence_id, title, text, due_at, told_at, state, tries, next_try_at, in_doubt,
     unwanted, detail, timing, held_until, note, turn, digest, snoozes)
VALUES
    (2, 'o1:phone', 'phone', 't1', 'o1', '交表', '现在', 1791766800000000, 1791766800000000, 'pending', 0, 1791766800000000, 0,
     0, '', 'chosen', 1791792000000000, 'held_quiet', 1, NULL, 0),
    (3, 'o2:phone', 'phone', 't1', 'o2', '交表', '现在', 1791766800000000, 1791766800000000, 'pending', 0, 1791766800000000, 0,
     0, '', 'named', NULL, NULL, 1, 2, 0);
-- kept: SELECT value = '0123456789abcdef' FROM identity WHERE name = 'home'
INSERT INTO identity (name, value) VALUES ('home', '0123456789abcdef');
