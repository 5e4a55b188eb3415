"""Groups that work: a talk is durable state, driven by jobs each of which asks one bot for one turn (taskloop §4.6)."""
