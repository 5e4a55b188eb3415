"""Household tasks as rule graphs: what of a task a hub can run by itself, and what it cannot, with the reason."""
