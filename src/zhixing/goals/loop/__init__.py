"""The goal graph: decided from events alone, without a clock, a network or a store."""
