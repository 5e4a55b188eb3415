-- What is watched, once for all rules that watch exactly the same; `state` is what is known of it.
CREATE TABLE rule_conditions (
    id TEXT PRIMARY KEY,
    condition TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    name TEXT NOT NULL,
    condition_id TEXT NOT NULL,
    zone TEXT NOT NULL,
    plan TEXT NOT NULL,
    stopped_by TEXT,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX rules_task ON rules (task_id, number);
CREATE INDEX rules_name ON rules (name);
CREATE INDEX rules_condition ON rules (condition_id);
-- One row: `generation` rises with every change of a rule or of what is known, `wake` is when to look at the clock
-- again and `wake_key` the job that does, `cameras` are those in use (JSON; NULL: not known yet), `alive` is when
-- somebody last took verdicts or looked at the clock, `set_back` how many times everything was set right because the
-- clock had been put back.
CREATE TABLE rule_book (
    id INTEGER PRIMARY KEY,
    generation BIGINT NOT NULL,
    wake BIGINT,
    wake_key TEXT,
    cameras TEXT,
    alive BIGINT,
    set_back BIGINT NOT NULL DEFAULT 0
);
