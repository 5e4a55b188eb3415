-- One row per message and channel; a row of the channel `inbox` is itself what the user sees. `number` is the N of mN.
-- Open messages are those without `settled_at`; only they are looked for by channel and by task.
CREATE TABLE messages (
    number BIGINT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    task_id TEXT NOT NULL,
    occurrence_id TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    told_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    tried_since BIGINT,
    next_try_at BIGINT NOT NULL,
    in_doubt INTEGER NOT NULL,
    unwanted INTEGER NOT NULL,
    reason TEXT,
    detail TEXT NOT NULL,
    settled_at BIGINT,
    read_at BIGINT,
    dismissed_at BIGINT
);
CREATE INDEX messages_occurrence ON messages (occurrence_id);
CREATE INDEX messages_open ON messages (channel, number) WHERE settled_at IS NULL;
CREATE INDEX messages_open_task ON messages (task_id) WHERE settled_at IS NULL;
CREATE INDEX messages_inbox ON messages (number) WHERE channel = 'inbox' AND dismissed_at IS NULL;
