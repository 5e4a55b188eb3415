-- The virtual gateway. `nodes` and `cfg` of a graph are the gateway's JSON; `memory` is what its run remembers, NULL
-- while it is off; `due_at` is when something of it is due next, by the clock of the gateway (milliseconds).
CREATE TABLE gateway_graphs (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL,
    nodes TEXT NOT NULL,
    cfg TEXT NOT NULL,
    memory TEXT,
    due_at BIGINT
);
-- Its variables; `value` and `user_data` are JSON.
CREATE TABLE gateway_variables (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    user_data TEXT NOT NULL,
    PRIMARY KEY (scope, id)
);
-- What it last heard of each property that some graph asks about; `value` is JSON.
CREATE TABLE gateway_reports (
    did TEXT NOT NULL,
    siid BIGINT NOT NULL,
    piid BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (did, siid, piid)
);
-- Commands on their way to devices, and what became of them: `waiting`, `sending`, `done`, `failed` or `unknown`.
-- `awaited` is 1 until the device has reported what a property was set to; `vals` is a JSON list.
CREATE TABLE gateway_commands (
    number BIGINT PRIMARY KEY,
    graph_id TEXT NOT NULL,
    node TEXT NOT NULL,
    did TEXT NOT NULL,
    iid TEXT NOT NULL,
    vals TEXT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    awaited INTEGER NOT NULL
);
CREATE INDEX gateway_commands_awaited ON gateway_commands (did, awaited);
-- The log, about the last 20,000 lines.
CREATE TABLE gateway_log (
    number BIGINT PRIMARY KEY,
    line TEXT NOT NULL
);
-- Backups of the whole gateway, as JSON.
CREATE TABLE gateway_backups (
    number BIGINT PRIMARY KEY,
    content TEXT NOT NULL
);
-- One row: the clock of the gateway, in milliseconds, which never goes back, and how far the wall clock is from it.
CREATE TABLE gateway_clock (
    id INTEGER PRIMARY KEY,
    now_ms BIGINT NOT NULL,
    wall_off_ms BIGINT NOT NULL
);
