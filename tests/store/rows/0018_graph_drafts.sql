-- kept: SELECT rule_id = '1791766800000' AND holder IS NULL FROM graph_drafts WHERE number = 1
-- kept: SELECT place = 1 AND size = 10 FROM graph_draft_nodes WHERE draft = 1 AND id = 'a1'
INSERT INTO graph_drafts
    (number, name, enable, variables, who, begun_at, updated_at, state, rule_id, attempt, holder, held_until)
VALUES
    (1, '走廊夜灯', 1, '[]', 'agent', 1791766800000000, 1791766800000000, 'committing', '1791766800000', 1, NULL, NULL);
INSERT INTO graph_draft_nodes (draft, id, place, digest, size, body) VALUES (1, 'a1', 1, 'd', 10, '{"id":"a1"}');
