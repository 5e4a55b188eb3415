-- The nodes of goals, a row each, in the order in which they came: a step of a goal changes one or two of them. The
-- `snapshot` of such a goal has the rest of its graph. One that was written before has all of it there and no rows here
-- until it changes.
CREATE TABLE goal_nodes (
    task_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    node TEXT NOT NULL,
    PRIMARY KEY (task_id, place)
);
