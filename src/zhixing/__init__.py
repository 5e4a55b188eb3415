"""知行: words become durable tasks, and the tasks run."""
