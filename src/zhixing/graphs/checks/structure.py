"""The structural validator: what is wrong with a rule whatever devices a home has (mijia §2). Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice

from zhixing.graphs.checks.envelope import check_envelope, check_rule
from zhixing.graphs.checks.finding import Finding, Level, Profile
from zhixing.graphs.checks.parameters import check_parameters
from zhixing.graphs.checks.patterns import check_patterns
from zhixing.graphs.checks.pins import check_pins
from zhixing.graphs.checks.reasons import check_reach
from zhixing.graphs.checks.survey import Survey
from zhixing.graphs.checks.timing import check_times
from zhixing.graphs.checks.variables_shape import check_variables
from zhixing.graphs.checks.wiring import check_ends, check_wires
from zhixing.graphs.rule import Rule

MOST_FINDINGS = 2_000
"""Findings of one rule that are told; a last one says that there are more, and errors go first."""


def check_structure(
    rule: Rule, profile: Profile = Profile.EDITOR, *, legacy: Container[str] = frozenset()
) -> tuple[Finding, ...]:
    """Return everything that §2 finds, the rule first, then node by node, then what needs the whole rule.

    `legacy` are ids of nodes that the gateway already holds: an underscore in one of those is only a warning. Never
    raises for anything that can stand in a rule.
    """
    found = list(_all(Survey.of(rule, profile, legacy)))
    if len(found) <= MOST_FINDINGS:
        return tuple(found)
    found.sort(key=lambda each: each.level is not Level.ERROR)
    more = Finding("more_findings", Level.INFO, values={"count": len(found) - MOST_FINDINGS})
    return (*islice(found, MOST_FINDINGS), more)


def _all(survey: Survey) -> Iterator[Finding]:
    yield from check_rule(survey)
    for number, node in enumerate(survey.rule.nodes, 1):
        yield from check_envelope(survey, node, number)
        if not node.type:
            continue
        for check in (check_pins, check_parameters, check_times, check_variables, check_wires, check_ends):
            yield from check(survey, node)
    yield from check_patterns(survey)
    yield from check_reach(survey)
