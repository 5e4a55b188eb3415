-- Conversations about a goal before it runs. `messages` is the conversation as JSON; `seen` is the revision that somebody
-- has been shown last; `root` is the talk whose list of several tasks this one comes from, NULL for none. `request` is
-- what is handed in, as JSON, empty until somebody has it executed; `goal_id` is what became of it.
CREATE TABLE goal_drafts (
    number BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    who TEXT NOT NULL,
    zone TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    root BIGINT,
    messages TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    request TEXT NOT NULL,
    goal_id TEXT,
    key TEXT
);
CREATE UNIQUE INDEX goal_drafts_by_key ON goal_drafts (key) WHERE key IS NOT NULL;
CREATE INDEX goal_drafts_by_root ON goal_drafts (root) WHERE root IS NOT NULL;
CREATE INDEX goal_drafts_by_goal ON goal_drafts (goal_id) WHERE goal_id IS NOT NULL;
CREATE INDEX goal_drafts_by_state ON goal_drafts (state, number);
