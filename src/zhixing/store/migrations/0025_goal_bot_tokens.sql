-- What bots prove themselves with: one token a bot, of which only the SHA-256 is kept. Instants are milliseconds.
CREATE TABLE goal_bot_tokens (
    bot_id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    issued_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX goal_bot_tokens_by_digest ON goal_bot_tokens (digest);
-- Messages from outside that belong to no goal that is known: kept for who looks for them, the same one once.
CREATE TABLE goal_callbacks (
    digest TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    body TEXT NOT NULL,
    times BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX goal_callbacks_by_age ON goal_callbacks (at, digest);
