"""The task aggregate and its parts: lifecycle, schedules, occurrences, the journal."""
