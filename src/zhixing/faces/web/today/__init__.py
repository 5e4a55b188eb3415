"""The page at /: say something, answer, see what is coming and what was told."""
