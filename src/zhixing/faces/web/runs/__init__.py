"""The pages of runs, and of the task files they come from."""
