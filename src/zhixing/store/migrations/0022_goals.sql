-- Goals. `info` is what was handed in and `snapshot` the graph as it is now, as JSON; `config` is the caller's JSON.
-- `version` is the number of the last log entry; `due_at` is when the earliest tick on its way comes, NULL for none.
-- Instants of goals are milliseconds.
CREATE TABLE goals (
    task_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    request_key TEXT,
    info TEXT NOT NULL,
    config TEXT NOT NULL,
    status TEXT NOT NULL,
    bbs_mode INTEGER NOT NULL,
    version BIGINT NOT NULL,
    snapshot TEXT NOT NULL,
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX goals_by_key ON goals (owner, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX goals_by_status ON goals (status, created_at);
CREATE INDEX goals_by_age ON goals (created_at, task_id);
-- What happened to a goal; the snapshot is the fold of its entries.
CREATE TABLE goal_log (
    task_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (task_id, seq)
);
-- What was about to leave for somebody outside, by the key of its effect: written before, so that nothing leaves twice.
CREATE TABLE goal_sendings (
    key TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    at BIGINT NOT NULL
);
