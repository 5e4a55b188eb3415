-- Tasks that are rules of a hub; `hub` is `virtual` or the address of a real one.
CREATE TABLE graph_tasks (
    task_id TEXT PRIMARY KEY,
    hub TEXT NOT NULL,
    graph_id TEXT NOT NULL
);
CREATE UNIQUE INDEX graph_tasks_graph ON graph_tasks (hub, graph_id);
-- Sentences on their way to a rule. `answers` is a JSON list of what was said to its questions, `facts` what a model
-- read, "" without one; `rule_id` is chosen before anything is written to the hub, so that saving twice makes one rule.
CREATE TABLE graph_proposals (
    number BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    who TEXT NOT NULL,
    zone TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    answers TEXT NOT NULL,
    facts TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    rule_id TEXT NOT NULL,
    task_id TEXT,
    note TEXT NOT NULL,
    key TEXT
);
CREATE UNIQUE INDEX graph_proposals_by_key ON graph_proposals (key) WHERE key IS NOT NULL;
