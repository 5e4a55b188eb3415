-- What asking models cost: the calls of one day of the home's zone to one model, added up. `cost` is in millionths of
-- the owner's currency and sums what had a price; `unpriced` counts the calls that had none.
CREATE TABLE model_usage (
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    calls BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    tokens_read BIGINT NOT NULL,
    tokens_written BIGINT NOT NULL,
    tokens_cached BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    unpriced BIGINT NOT NULL,
    PRIMARY KEY (day, model)
);
