"""Bots outside: asked a question, or sent off with work."""
