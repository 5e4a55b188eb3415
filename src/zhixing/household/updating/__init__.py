"""What people say so that a task which exists becomes different: read (pure), and carried out as one revision."""
