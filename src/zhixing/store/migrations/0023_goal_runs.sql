-- What bots were given of goals, by the key of its effect, and what they came to. `text` is emptied at the end. A row is
-- written before anything leaves, so that what has none provably did not. Instants are milliseconds.
CREATE TABLE goal_runs (
    key TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    bot_id TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    content TEXT NOT NULL,
    run_status TEXT NOT NULL,
    error TEXT NOT NULL,
    tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX goal_runs_by_attempt ON goal_runs (task_id, node_id, attempt);
