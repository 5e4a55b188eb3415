"""What programs get of explanations of rule graphs: why, what if, coverage, a log held against a run. Pure.

Times are in milliseconds; `lines` and `message` say the same for people.
"""

from __future__ import annotations

from typing import Any

from zhixing.graphs.explaining.comparing import Entry, Verdict
from zhixing.graphs.explaining.coverage import Branch, Coverage
from zhixing.graphs.explaining.replaying import Replay
from zhixing.graphs.explaining.sentences import Reason
from zhixing.graphs.explaining.what_if import Difference
from zhixing.graphs.explaining.why import Why
from zhixing.graphs.simulating.result import Active, Output, Written

Wire = dict[str, Any]


def of_why(why: Why) -> Wire:
    """Write why a card fired or did not; `firing` is null where it did not."""
    return {
        "nodeId": why.node,
        "pin": why.pin,
        "firings": why.firings,
        "firing": why.firing,
        "steps": [
            {
                "atMs": each.at_ms,
                "kind": each.kind,
                "nodeId": each.node,
                "pin": each.pin,
                "source": each.source,
                "message": each.text(),
            }
            for each in why.steps
        ],
        "reasons": [_reason(each) for each in why.reasons],
        "cut": why.cut,
        "lines": list(why.lines()),
    }


def of_difference(found: Difference) -> Wire:
    """Write what one more event would change; `more` is there only with it, `fewer` only without it."""
    return {
        "atMs": found.at_ms,
        "nothing": found.none,
        "heard": list(found.heard),
        "silent": [_reason(each) for each in found.silent],
        "moreCommands": [_command(each) for each in found.more_commands],
        "fewerCommands": [_command(each) for each in found.fewer_commands],
        "variables": [
            {"variable": each.variable.key, "without": each.without, "with": each.with_event}
            for each in found.variables
        ],
        "firings": [{"nodeId": each.node, "without": each.without, "with": each.with_event} for each in found.firings],
        "moreTimers": [_timer(each) for each in found.more_timers],
        "fewerTimers": [_timer(each) for each in found.fewer_timers],
        "lines": list(found.lines()),
    }


def of_coverage(found: Coverage) -> Wire:
    """Write which branches were taken by all scripts together."""
    return {
        "percent": found.percent,
        "wirePercent": found.wire_percent,
        "outputs": [_branch(each, found.taken[each]) for each in found.outputs],
        "wires": [_branch(each, found.taken[each]) for each in found.wires],
        "leftOut": list(found.left_out),
        "lines": list(found.lines()),
    }


def of_replay(found: Replay) -> Wire:
    """Write how a log and a run differ; `counts` is by what became of a line."""
    return {
        "agrees": found.agrees,
        "startMs": found.start_ms,
        "counts": {verdict.value: found.count(verdict) for verdict in Verdict},
        "differing": [_entry(each, found.start_ms) for each in found.differing],
        "drift": [
            {"watchpoint": each.watchpoint, "count": each.count, "firstMs": each.first_ms, "lastMs": each.last_ms}
            for each in found.drift
        ],
        "knownFromStart": found.known_from_start,
        "unread": found.log.unread_count,
        "others": found.others,
        "lines": list(found.lines()),
    }


def _reason(reason: Reason) -> Wire:
    return {
        "code": reason.code,
        "nodeId": reason.node,
        "pin": reason.pin,
        "atMs": reason.at_ms,
        "message": reason.text(),
    }


def _command(output: Output) -> Wire:
    if isinstance(output, Written):
        about = output.property
        named = {"did": about.did, "siid": about.siid, "piid": about.piid, "value": output.value}
    else:
        named = {"did": output.did, "siid": output.siid, "aiid": output.aiid, "values": list(output.values)}
    return {"atMs": output.at_ms, "nodeId": output.node, **named}


def _timer(timer: Active) -> Wire:
    return {"nodeId": timer.node, "kind": timer.kind, "dueMs": timer.due_ms}


def _branch(branch: Branch, taken: int) -> Wire:
    return {"nodeId": branch.node, "pin": branch.pin, "sent": branch.sent, "end": branch.end or None, "taken": taken}


def _entry(entry: Entry, start_ms: int) -> Wire:
    return {
        "verdict": entry.verdict.value,
        "source": str(entry.source),
        "target": str(entry.target),
        "state": entry.state,
        "loggedMs": entry.logged_ms,
        "ranMs": entry.ran_ms,
        "message": entry.text(start_ms),
    }
