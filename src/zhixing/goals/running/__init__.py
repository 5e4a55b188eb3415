"""Goals on disk and on their way: the shell around the decider of the goal graph.

`opened` gives the room with its handlers registered (`room`), `Goals` is what callers do to a goal, each call one
transaction (`operations`). What is outside is behind `ports`, with twins in `scripted`; effects are `jobs` of the
engine, done by `asking`, `sending` and `waking`; goals, logs and marks are `rows`. Only ports and rows reach outside.
"""
