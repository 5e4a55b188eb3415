"""Way 1: a sentence or a pasted notice becomes reminders, or one short question (document 004)."""
