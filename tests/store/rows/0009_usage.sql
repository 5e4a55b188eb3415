-- kept: SELECT calls = 3 AND cost = 1250 FROM model_usage WHERE day = '2026-10-12' AND model = 'm-1'
INSERT INTO model_usage (day, model, calls, failures, tokens_read, tokens_written, tokens_cached, cost, unpriced)
VALUES ('2026-10-12', 'm-1', 3, 1, 900, 120, 0, 1250, 1);
