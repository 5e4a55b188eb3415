-- kept: SELECT count(*) = 2 FROM jobs
-- kept: SELECT due = 1791770400000000 AND lane = 'task:t1' FROM jobs WHERE key = 'waiting'
-- kept: SELECT state = 'done' FROM jobs WHERE key = 'finished'
INSERT INTO jobs (key, name, due, ready, seq, lane, payload, state, attempt, failures, losses, enqueued_at, finished_at)
VALUES
    ('waiting', 'fire', 1791770400000000, 1791770400000000, 1, 'task:t1', '{}', 'pending', 0, 0, 0, 1791766800000000, NULL),
    ('finished', 'fire', 1791766800000000, 1791766800000000, 2, NULL, '{}', 'done', 1, 0, 0, 1791766800000000, 1791766800000001);
