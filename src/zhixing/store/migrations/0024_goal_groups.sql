-- Groups of bots, as they were formed for a leaf of a goal; `members` and `definition` are JSON. Instants are
-- milliseconds.
CREATE TABLE goal_groups (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    members TEXT NOT NULL,
    definition TEXT NOT NULL,
    task_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX goal_groups_by_age ON goal_groups (created_at, id);
-- What groups talk about, each talk by the key of its delivery. `standing` is whose turn it is, as JSON; `run_status` and
-- `error` are "" while it is under way. `lines` and `late` count what was said, and what came too late.
CREATE TABLE goal_talks (
    key TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    context TEXT NOT NULL,
    state TEXT NOT NULL,
    standing TEXT NOT NULL,
    lines BIGINT NOT NULL,
    late BIGINT NOT NULL,
    result TEXT NOT NULL,
    run_status TEXT NOT NULL,
    error TEXT NOT NULL,
    tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION NOT NULL,
    began_at BIGINT NOT NULL,
    closing_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE UNIQUE INDEX goal_talks_by_run ON goal_talks (run_id);
CREATE INDEX goal_talks_by_state ON goal_talks (state, began_at);
CREATE INDEX goal_talks_by_goal ON goal_talks (task_id);
CREATE INDEX goal_talks_by_group ON goal_talks (group_id, began_at);
-- What was said in talks. `word` is what it came to, `note` why there is nothing, `late` 1 for what changed nothing.
CREATE TABLE goal_talk_lines (
    run_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    bot_id TEXT NOT NULL,
    duty TEXT NOT NULL,
    word TEXT NOT NULL,
    text TEXT NOT NULL,
    note TEXT NOT NULL,
    late INTEGER NOT NULL,
    PRIMARY KEY (run_id, seq)
);
