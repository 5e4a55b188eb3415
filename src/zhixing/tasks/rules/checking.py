"""Whether a plan can be used: its words and numbers within bounds, its sources in order. Pure."""

from __future__ import annotations

from dataclasses import replace

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.tasks.rules.model import Plan, QuietSpan

LONGEST_NAME = 200
"""Characters of a name."""
LONGEST_QUERY = 2_000
"""Characters of what is watched."""
MOST_SOURCES = 64
"""Sources a rule may name."""
LONGEST_SPAN = 86_400
"""Seconds of a duration, a debounce, a cooldown or a tolerance."""
LONGEST_EXPIRY = 30 * 86_400
"""Seconds a verdict may stand."""
MOST_QUIET = 8
"""Quiet spans of a rule."""
MOST_FIRES = 1_000
"""Answers a limit may allow."""
MOST_ANSWERS = 32
"""Commands or words of one response."""

_MINUTES_OF_DAY = 1_440


def checked(plan: Plan) -> Plan:
    """Return the plan with its texts trimmed and its sources sorted; raise `BadInput` where it cannot be used."""
    trigger = plan.trigger
    name, query = " ".join(plan.name.split()), " ".join(trigger.query.split())
    if not name:
        raise BadInput("rule_name_empty")
    if not query:
        raise BadInput("rule_query_empty")
    _at_most(len(name), LONGEST_NAME, "name")
    _at_most(len(query), LONGEST_QUERY, "query")
    sources = tuple(sorted({source.strip() for source in trigger.sources} - {""}))
    _at_most(len(sources), MOST_SOURCES, "sources")
    for response in (plan.on_enter, plan.on_exit, plan.on_target):
        _at_most(max(len(response.actions), len(response.descs)), MOST_ANSWERS, "response")
        if response.actions and response.descs:
            raise BadInput("rule_response_both", name=name)
    for label, value, low, high in (
        ("duration", trigger.duration, 0, LONGEST_SPAN),
        ("tolerance", trigger.tolerance, 0, LONGEST_SPAN),
        ("expiry", 1 if trigger.expiry is None else trigger.expiry, 1, LONGEST_EXPIRY),
        ("exit_debounce", plan.exit_debounce, 0, LONGEST_SPAN),
        ("cooldown", plan.cooldown, 0, LONGEST_SPAN),
        ("limit.fires", 1 if plan.limit is None else plan.limit.fires, 1, MOST_FIRES),
        ("limit.seconds", 1 if plan.limit is None else plan.limit.seconds, 1, LONGEST_SPAN),
    ):
        if not low <= value <= high:
            raise BadInput("number_out_of_range", name=label, low=low, high=high, number=value)
    _at_most(len(plan.quiet), MOST_QUIET, "quiet")
    if not all(_is_span(span) for span in plan.quiet):
        raise BadInput("rule_quiet_unreadable")
    return replace(plan, name=name, trigger=replace(trigger, query=query, sources=sources))


def _is_span(span: QuietSpan) -> bool:
    return 0 <= span.start < _MINUTES_OF_DAY and 0 <= span.end < _MINUTES_OF_DAY and span.start != span.end


def _at_most(number: int, limit: int, name: str) -> None:
    if number > limit:
        raise TooLarge("rule_too_large", name=name, limit=limit)
