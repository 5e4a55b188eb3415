-- kept: SELECT name = '客厅没人' AND stopped_by = 'user' FROM rules WHERE id = 'r1'
-- kept: SELECT condition LIKE '%没人%' FROM rule_conditions WHERE id = 'c1'
-- kept: SELECT generation = 1 AND wake IS NULL FROM rule_book WHERE id = 1
INSERT INTO rule_conditions (id, condition, state)
VALUES ('c1', '{"query":"没人","sources":[],"agreement":"all","tolerance":30,"expiry":180}', '[{}]');
INSERT INTO rules
    (id, number, task_id, name, condition_id, zone, plan, stopped_by, revision, created_at, updated_at, state)
VALUES
    ('r1', 1, 't1', '客厅没人', 'c1', 'Asia/Shanghai', '{"name":"客厅没人","trigger":{"query":"没人"}}', 'user', 1,
     1791766800000000, 1791766800000000, '["idle"]');
INSERT INTO rule_book (id, generation, cameras) VALUES (1, 1, '["cam1"]');
