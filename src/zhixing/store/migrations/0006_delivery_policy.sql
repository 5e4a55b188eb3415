-- What keeps a message waiting (quiet hours, the most an hour may carry), which message it went out with, and what the
-- user did about it. `turn` counts the jobs of a message; `digest` is the number of the message that leads it.
ALTER TABLE messages ADD COLUMN timing TEXT NOT NULL DEFAULT 'chosen';
ALTER TABLE messages ADD COLUMN held_until BIGINT;
ALTER TABLE messages ADD COLUMN note TEXT;
ALTER TABLE messages ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN digest BIGINT;
ALTER TABLE messages ADD COLUMN acknowledged_at BIGINT;
ALTER TABLE messages ADD COLUMN snoozed_until BIGINT;
ALTER TABLE messages ADD COLUMN snoozes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX messages_told ON messages (channel, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX messages_digest ON messages (digest) WHERE digest IS NOT NULL;
CREATE INDEX messages_snoozed ON messages (task_id) WHERE snoozed_until IS NOT NULL;
-- What makes this home another one than every other: made once, never changed. Part of the ids of calendar events.
CREATE TABLE identity (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
