"""The times and durations of a node, as `zhixing.graphs.times` reads them (mijia §1.5, §1.6, §2.3). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.checks.finding import Finding, Fix, Level
from zhixing.graphs.checks.survey import Survey, stands, written
from zhixing.graphs.rule import Json, Node, Part
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.times.alarm import read_alarm
from zhixing.graphs.times.durations import TIMER_TYPES, Shown, read_duration
from zhixing.graphs.times.durations import shown as shown_duration
from zhixing.graphs.times.findings import TimeFinding
from zhixing.graphs.times.window import read_window

_DISPLAY = frozenset({"duration_display_mismatch", "status_last_display_mismatch", "status_last_missing_display"})


def check_times(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check when a node acts and for how long, and that its card shows the same."""
    if not stands(node, Part.PROPS):
        return
    found: tuple[TimeFinding, ...] = ()
    if node.type == "alarmClock":
        found = read_alarm(node.props, node.cfg).findings
    elif node.type == "timeRange":
        found = read_window(node.props).findings
    elif node.type in TIMER_TYPES:
        read = read_duration(node.type, node.props, node.cfg)
        shown_fixes = _displayed(shown_duration(read.value)) if read.value and stands(node, Part.CFG) else ()
        for each in read.findings:
            yield _timely(survey, node, each, *(shown_fixes if each.code in _DISPLAY else ()))
        return
    for each in found:
        yield _timely(survey, node, each)


def _displayed(wanted: Shown) -> tuple[Fix, ...]:
    return Fix(("cfg", "unit"), wanted.unit), Fix(("cfg", "value"), wanted.value)


def _timely(survey: Survey, node: Node, each: TimeFinding, *fixes: Fix) -> Finding:
    if each.code == "offset_display_mismatch":
        offset = int(node.props["offset"])
        happens = "now" if offset == 0 else "before" if offset < 0 else "after"
        fixes = Fix(("cfg", "happenType"), happens), Fix(("cfg", "tempOffset"), abs(offset))
    # What a card shows is put together by the reader; a value of the rule is looked up, to be quoted as it stands.
    found = shown(each.found) or written(None) if each.level is Level.WARN else written(_at(node, each.where))
    return survey.found(each.code, each.level, node, *fixes, where=each.where, found=found)


def _at(node: Node, where: str) -> Json:
    value = node.raw
    for step in where.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value
