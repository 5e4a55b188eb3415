-- What a task counts, times or writes down. `number` is the number in the id; a task has at most one that lives. `rhythm`
-- is how periods follow each other: the window, or longterm where nothing repeats.
CREATE TABLE records (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target BIGINT,
    unit TEXT NOT NULL,
    period TEXT NOT NULL,
    recurring TEXT,
    expires_at BIGINT,
    zone TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE UNIQUE INDEX records_living ON records (task_id) WHERE ended_at IS NULL;
-- Which target held since when, for the periods that are over.
CREATE TABLE record_terms (
    record_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    rhythm TEXT NOT NULL,
    target BIGINT,
    PRIMARY KEY (record_id, since)
);
-- Amounts by local day, of which every period is made: counts, events, or the microseconds of ended sessions.
CREATE TABLE record_days (
    record_id TEXT NOT NULL,
    day TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (record_id, day)
);
-- The periods whose target was reached, named by their first day: when, and what the target was.
CREATE TABLE record_reached (
    record_id TEXT NOT NULL,
    rhythm TEXT NOT NULL,
    day TEXT NOT NULL,
    at BIGINT NOT NULL,
    target BIGINT NOT NULL,
    PRIMARY KEY (record_id, rhythm, day)
);
-- Sessions never overlap; the one without an end is under way.
CREATE TABLE record_sessions (
    record_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    start_at BIGINT NOT NULL,
    end_at BIGINT,
    PRIMARY KEY (record_id, number)
);
CREATE UNIQUE INDEX record_sessions_open ON record_sessions (record_id) WHERE end_at IS NULL;
CREATE INDEX record_sessions_end ON record_sessions (record_id, end_at);
-- Who keeps the session under way open, several rules of one task perhaps; `left_at` of one that let go already.
CREATE TABLE record_holders (
    record_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    left_at BIGINT,
    PRIMARY KEY (record_id, holder)
);
CREATE TABLE record_entries (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    record_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    description TEXT NOT NULL
);
CREATE INDEX record_entries_at ON record_entries (record_id, at, number);
-- Every write under its key, with what it answered: the same key again is the same write.
CREATE TABLE record_writes (
    record_id TEXT NOT NULL,
    key TEXT NOT NULL,
    action TEXT NOT NULL,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    written_at BIGINT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (record_id, key)
);
CREATE INDEX record_writes_written ON record_writes (record_id, written_at);
