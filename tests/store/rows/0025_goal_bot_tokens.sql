-- kept: SELECT COUNT(*) = 1 FROM goal_bot_tokens WHERE bot_id = 'market' AND digest = 'd1'
-- kept: SELECT COUNT(*) = 1 FROM goal_callbacks WHERE digest = 'd2' AND times = 3
INSERT INTO goal_bot_tokens (bot_id, digest, issued_at) VALUES ('market', 'd1', 1760000000000);
INSERT INTO goal_callbacks (digest, bot_id, body, times, at) VALUES ('d2', '', '{}', 3, 1760000000000);
