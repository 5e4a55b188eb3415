"""doctor: what works, what is missing, and how to get it."""

from __future__ import annotations

from zhixing.doctor import State, examine
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.kernel.wording import wording
from zhixing.settings import home_folder
from zhixing.store.opening import open_store

_MARKS = {State.OK: "✓", State.MISSING: "○", State.BROKEN: "✗"}
BROKEN = 2
"""The exit code when something does not work that should."""


def doctor(*, as_json: Json = False, desk: AtDesk) -> int:
    """Look at everything and say how it is."""
    findings = examine(home_folder(desk.env), desk.env, open_store, desk.clock)
    broken = sum(finding.state is State.BROKEN for finding in findings)
    if as_json:
        rows = [
            {"name": each.name, "state": each.state.value, "says": each.says, "fix": each.how_to_fix or None}
            for each in findings
        ]
        desk.give({"findings": rows, "broken": broken})
    else:
        for each in findings:
            desk.say(f"{_MARKS[each.state]} {wording('cli.doctor_line', name=each.label(), says=each.says)}")
            if each.how_to_fix:
                desk.say(f"    {each.how_to_fix}")
        desk.say(wording("cli.doctor_broken", count=broken) if broken else wording("cli.doctor_well"))
    return BROKEN if broken else 0
