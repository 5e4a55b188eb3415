"""The goal graph: decided from events alone, without a clock, a network or a store.

    decide(state, event, now)      the next state, the effects, the reply, and the entry of the log (`deciding`)
    events, effects, replies       what may happen, what is to be done about it, what the sender is answered
    model, values, limits, tree    the graph as a value, its closed sets, its limits, its shape
    folded(state, entries)         the state as the fold of its log (`folding`); `coding` has both as JSON
    replayed(script)               the machine contract (`replaying`)

A decision is made on a `board`, the one thing that changes in place, by one module a concern: executing, planning,
dispatching, accepting, harness, hanging, relaying, people, restarting, mirroring.
"""
