"""The time nodes of a rule graph: alarms, windows, day filters, the sun and durations. Pure; no clock of its own."""
