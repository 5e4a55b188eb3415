-- The document's name of a household task. A name is free again when its task has ended.
CREATE TABLE household_tasks (
    task_id TEXT PRIMARY KEY,
    slug TEXT NOT NULL,
    living BIGINT NOT NULL,
    paused_at BIGINT
);
CREATE UNIQUE INDEX household_tasks_slug ON household_tasks (slug) WHERE living = 1;
-- What was changed about a task, with what it was before: `number` is the revision of the task it led to.
CREATE TABLE household_revisions (
    task_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    changes TEXT NOT NULL,
    PRIMARY KEY (task_id, number)
);
-- How a task ended. One that is restored and ends again has a row for each end.
CREATE TABLE terminations (
    task_id TEXT NOT NULL,
    revision BIGINT NOT NULL,
    slug TEXT NOT NULL,
    reason TEXT NOT NULL,
    description TEXT NOT NULL,
    record_kind TEXT,
    snapshot TEXT,
    rules BIGINT NOT NULL,
    jobs BIGINT NOT NULL,
    occurrences BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (task_id, revision)
);
CREATE INDEX terminations_at ON terminations (at, task_id);
-- `task_id` is the task that carries the job now; `carrier_id` the one of its own that it began with, if it did.
CREATE TABLE cron_jobs (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    carrier_id TEXT,
    name TEXT NOT NULL,
    schedule TEXT NOT NULL,
    message TEXT NOT NULL,
    purpose TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX cron_jobs_task ON cron_jobs (task_id, number);
CREATE TABLE persons (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL
);
