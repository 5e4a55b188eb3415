"""What a run says about a rule: why a card fired or not, what runs, what if, what is untried, how a real log differs.

    why.why(rule, result, node)                → Why          the way there, or what is in the way
    running.running_at(rule, script, at_ms)     → Running…    timers and loops at an instant
    what_if.what_if(rule, script, at_ms, event) → Difference  with an event and without
    coverage.coverage(rule, scripts)           → Coverage     outputs and wires that were tried
    replaying.replay(rule, lines)              → Replay       a real log, held against the rule; `replay_log` a read one

All of it is pure and looks at `Result.moments`; nothing here runs a card but through `simulating`.
"""
