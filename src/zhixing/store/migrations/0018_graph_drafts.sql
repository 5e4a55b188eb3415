-- Rule graphs that are sent in batches before they are made on a hub. `variables` is JSON; `rule_id` is chosen by the
-- first commit; `holder` commits the draft until `held_until`, and `attempt` counts commits.
CREATE TABLE graph_drafts (
    number BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    enable INTEGER NOT NULL,
    variables TEXT NOT NULL,
    who TEXT NOT NULL,
    begun_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    rule_id TEXT UNIQUE,
    attempt BIGINT NOT NULL,
    holder TEXT,
    held_until BIGINT
);
-- Their nodes, in the order of `place`. `body` is JSON to the letter, `digest` is equal for bodies that say the same.
CREATE TABLE graph_draft_nodes (
    draft BIGINT NOT NULL,
    id TEXT NOT NULL,
    place BIGINT NOT NULL,
    digest TEXT NOT NULL,
    size BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (draft, id)
);
