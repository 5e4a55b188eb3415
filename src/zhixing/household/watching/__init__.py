"""Watching: the conditions of rules, judged by a model from what cameras show, become verdicts."""
