-- `number` is the number in the id, by which tasks are listed newest first.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    way TEXT NOT NULL,
    lifecycle TEXT NOT NULL,
    expires_at BIGINT,
    status TEXT NOT NULL,
    zone TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX tasks_status ON tasks (status, number);
-- What a person wrote is kept (`expression`, and `anchor` for the grid of an `every`); instants are derived.
CREATE TABLE schedules (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    part TEXT NOT NULL,
    expression TEXT NOT NULL,
    anchor BIGINT,
    zone TEXT NOT NULL,
    action TEXT NOT NULL,
    payload TEXT NOT NULL,
    settled BIGINT NOT NULL,
    missed TEXT NOT NULL,
    overlap TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    UNIQUE (task_id, part)
);
CREATE TABLE occurrences (
    id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    part TEXT NOT NULL,
    key TEXT NOT NULL,
    due BIGINT NOT NULL,
    state TEXT NOT NULL,
    claimed_at BIGINT,
    finished_at BIGINT,
    reason TEXT,
    count BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    UNIQUE (task_id, part, key)
);
CREATE INDEX occurrences_task_due ON occurrences (task_id, due, id);
CREATE INDEX occurrences_due ON occurrences (due, id);
CREATE INDEX occurrences_open ON occurrences (task_id, part) WHERE state IN ('due', 'claimed', 'running');
CREATE TABLE journal (
    seq BIGINT PRIMARY KEY,
    task_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX journal_task ON journal (task_id, seq);
