-- What the household agent was allowed, thought, did and learned, in order; number 0 says what its run may do. Instants
-- are microseconds since the epoch, `millis` is what the model took.
CREATE TABLE agent_turns (
    run_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    who TEXT NOT NULL,
    tool TEXT NOT NULL,
    thought TEXT NOT NULL,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    result TEXT NOT NULL,
    at BIGINT NOT NULL,
    tokens_read BIGINT NOT NULL,
    tokens_written BIGINT NOT NULL,
    millis BIGINT NOT NULL,
    PRIMARY KEY (run_id, number)
);
-- What a property showed before it was written, as JSON; null where nobody looked.
ALTER TABLE household_steps ADD COLUMN was TEXT NOT NULL DEFAULT 'null';
