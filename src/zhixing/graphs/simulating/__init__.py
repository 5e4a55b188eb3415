"""A rule run on a virtual clock: no device, no waiting, the same result every time (mijia §1.7–§1.11, §9.1).

    reading.read_script(text, now)      → Script     what happens around the rule
    run.simulate(rule, script)          → Result     what the rule did, and with which open questions
    result.result_json(result)          → dict       as the command prints it

`cards_*` hold one state machine per type of node: each has its memory, is told of pulses, states, reports and timers,
and says in `effects` what it wants. `flow` alone carries that out, depth first, one wire after the other; `run` knows
what time it is. What the hub does where nobody proved it is in `options`, and each result says which ones decided.
"""
