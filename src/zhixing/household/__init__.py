"""The second way: household tasks. Rules, schedules and a record become one task, and what follows is done."""
