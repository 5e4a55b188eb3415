-- Tasks that are goals; `goal_id` is the `task_id` of the goal.
CREATE TABLE goal_tasks (
    task_id TEXT PRIMARY KEY,
    goal_id TEXT NOT NULL
);
CREATE UNIQUE INDEX goal_tasks_goal ON goal_tasks (goal_id);
-- What left of a goal is forgotten some time after its end.
CREATE INDEX goal_sendings_by_goal ON goal_sendings (task_id);
