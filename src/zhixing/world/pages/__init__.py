"""Pages of the public web: what may be fetched, how, and what of it is read."""
