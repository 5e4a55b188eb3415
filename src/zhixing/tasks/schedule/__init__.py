"""When a task acts: triggers, the next instant, and what to do about instants that were missed or overlap.

Everything here is pure except `store`, which keeps schedules in SQL.
"""
