"""The outbox: what is told to whom through which channel, once."""
