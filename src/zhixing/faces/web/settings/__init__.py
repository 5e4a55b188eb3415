"""The page of settings: ways of telling, the model, the rest, and whether all of it works."""
