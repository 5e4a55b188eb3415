-- `due` is what was asked for; `ready` is when it may start: the same, or later after an attempt that failed.
-- The indexes are partial, so that rows which are only kept for the record cost the hot paths nothing.
CREATE TABLE jobs (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    due BIGINT NOT NULL,
    ready BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    lane TEXT,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    token TEXT,
    owner TEXT,
    lease_until BIGINT,
    error TEXT,
    enqueued_at BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE INDEX jobs_pending ON jobs (ready, seq, key) WHERE state = 'pending';
CREATE INDEX jobs_lane ON jobs (lane, ready, seq, key) WHERE state = 'pending' AND lane IS NOT NULL;
CREATE UNIQUE INDEX jobs_lane_running ON jobs (lane) WHERE state = 'running' AND lane IS NOT NULL;
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
