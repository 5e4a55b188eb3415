"""The third way: a task.md says what an agent or a script does, and when; every run leaves its files behind."""
