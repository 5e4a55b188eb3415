-- kept: SELECT tokens_read + tokens_written = 120 FROM agent_turns WHERE run_id = 'h1' AND number = 1
-- kept: SELECT was = 'null' FROM household_steps WHERE occurrence_id = 'o1'
-- kept: SELECT was = '0' FROM household_steps WHERE occurrence_id = 'o3'
INSERT INTO agent_turns
    (run_id, number, who, tool, thought, arguments, state, result, at, tokens_read, tokens_written, millis)
VALUES
    ('h1', 1, 'model', 'read_device', '先看窗帘', '{"device":"curtain_bedroom"}', 'done', 'target-position=100',
     1791766800000000, 100, 20, 900);
INSERT INTO household_steps
    (occurrence_id, number, did, iid, wanted, state, reason, detail, seen, tries, began_at, at, next_at, was)
VALUES
    ('o3', 1, 'curtain', 'prop.2.3', '100', 'done', '', '', '100', 1, 1791766800000000, 1791766801000000, NULL, '0');
