-- What came in is never changed: text, source, first submission, zone. `words` is what is understood now; it differs
-- from `text` only after an edit, which is a submission of its own (`said_at`).
CREATE TABLE notices (
    task_id TEXT PRIMARY KEY,
    submission_key TEXT UNIQUE,
    text TEXT NOT NULL,
    source TEXT NOT NULL,
    entry TEXT NOT NULL,
    submitted_at BIGINT NOT NULL,
    zone TEXT NOT NULL,
    message_date TEXT,
    words TEXT NOT NULL,
    words_source TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    understood TEXT
);
CREATE INDEX notices_state ON notices (state, task_id);
CREATE TABLE answers (
    task_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    words TEXT NOT NULL,
    revision BIGINT NOT NULL,
    answered_at BIGINT NOT NULL,
    in_force BIGINT NOT NULL,
    PRIMARY KEY (task_id, number)
);
CREATE TABLE reminders (
    task_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    nodes TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (task_id, number)
);
CREATE INDEX reminders_planned ON reminders (at, task_id) WHERE state = 'planned';
