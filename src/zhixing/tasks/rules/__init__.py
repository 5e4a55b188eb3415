"""Rules: what is watched, when it counts as having happened, and what follows from it."""
