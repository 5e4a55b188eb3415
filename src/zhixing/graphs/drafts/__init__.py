"""Drafts of rule graphs: a long rule is sent in batches, kept in the database, and made on the hub in one call."""
