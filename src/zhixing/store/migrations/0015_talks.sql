-- What was said about the home: `number` is the N of sN. `sources`, `answers`, `questions`, `lines` and `tasks` are JSON;
-- `reply` is what a model made of it, as it came. `key` makes saying the same again harmless.
CREATE TABLE household_talks (
    number BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    who TEXT NOT NULL,
    zone TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    sources TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    answers TEXT NOT NULL,
    questions TEXT NOT NULL,
    prompt TEXT NOT NULL,
    lines TEXT NOT NULL,
    tasks TEXT NOT NULL,
    op TEXT NOT NULL,
    reply TEXT,
    why TEXT NOT NULL,
    key TEXT UNIQUE
);
CREATE INDEX household_talks_state ON household_talks (state, number);
