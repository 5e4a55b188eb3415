-- kept: SELECT COUNT(*) = 1 FROM goal_nodes JOIN goals USING (task_id) WHERE place = 0 AND node = '{}'
INSERT INTO goal_nodes (task_id, place, node) VALUES ('g', 0, '{}');
