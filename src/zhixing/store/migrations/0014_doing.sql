-- What became of each device command of an answer. `sending` is on disk before a command leaves that must not be given
-- twice; `wanted` and `seen` are JSON. The index answers who commanded a property last.
CREATE TABLE household_steps (
    occurrence_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    did TEXT NOT NULL,
    iid TEXT NOT NULL,
    wanted TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    seen TEXT NOT NULL,
    tries BIGINT NOT NULL,
    began_at BIGINT NOT NULL,
    at BIGINT NOT NULL,
    next_at BIGINT,
    PRIMARY KEY (occurrence_id, number)
);
CREATE INDEX household_steps_device ON household_steps (did, iid, at);
-- When a command that is not repeated within its cooldown last succeeded.
CREATE TABLE household_cooldowns (
    rule_id TEXT NOT NULL,
    did TEXT NOT NULL,
    iid TEXT NOT NULL,
    done_at BIGINT NOT NULL,
    PRIMARY KEY (rule_id, did, iid)
);
-- What needs the household agent and waits for it; `number` is the N of hN. `alone` is 0 where another part of the same
-- answer was done without it.
CREATE TABLE household_runs (
    number BIGINT PRIMARY KEY,
    occurrence_id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    prompt TEXT NOT NULL,
    alone INTEGER NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX household_runs_task ON household_runs (task_id, number);
CREATE INDEX household_runs_open ON household_runs (number) WHERE state IN ('waiting', 'running');
-- When news about a subject was last put into the inbox, so that it is not put there with every occurrence.
CREATE TABLE household_news (
    subject TEXT PRIMARY KEY,
    told_at BIGINT NOT NULL
);
