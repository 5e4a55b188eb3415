-- What repeats: each time a notice was understood as a series is a row of its own; when it is told is a schedule of the
-- task, part `repeat`. An edit ends the row (`replaced`) and keeps it.
CREATE TABLE series (
    task_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    words TEXT NOT NULL,
    expression TEXT NOT NULL,
    anchor BIGINT,
    kind TEXT NOT NULL,
    precision_of TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (task_id, number)
);
CREATE INDEX series_running ON series (task_id) WHERE state = 'running';
-- Single times that the user said are done, told or still ahead.
CREATE TABLE series_done (
    task_id TEXT NOT NULL,
    due BIGINT NOT NULL,
    done_at BIGINT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (task_id, due)
);
