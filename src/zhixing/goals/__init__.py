"""Goals that bots reach together: recognised, planned, dispatched, accepted and relayed."""
