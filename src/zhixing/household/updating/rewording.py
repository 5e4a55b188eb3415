"""Numbers and names that stand in the texts of a task too, brought along when they change. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from zhixing.household.advising import spoken
from zhixing.household.assembling.amounts import NUMBER, UNIT, number, seconds
from zhixing.household.jobs import Purpose
from zhixing.household.updating.model import Standing
from zhixing.tasks.rules.model import Plan, Response

Rewrite = Callable[[str], str]

_SPANS = re.compile(rf"(?:{NUMBER}\s*个?半?\s*{UNIT}\s*)+(?<!\s)")


def texts(standing: Standing, rewrite: Rewrite) -> Standing:
    """Return the task with its description, names, descs and reminders rewritten; conditions stay."""
    rules = {one.id: _plan(one.plan, rewrite) for one in standing.rules}
    jobs = {
        one.id: replace(one.plan, name=rewrite(one.plan.name), message=rewrite(one.plan.message))
        for one in standing.jobs
        if one.plan.purpose is Purpose.REMIND
    }
    return replace(standing.with_rules(rules).with_jobs(jobs), description=rewrite(standing.description))


def counts(old: int, new: int, unit: str) -> Rewrite:
    """Return what makes 8 杯 into 10 杯."""
    pattern = re.compile(rf"(?<![\d.])({NUMBER})(\s*个?\s*)(?={re.escape(unit)})")

    def one(match: re.Match[str]) -> str:
        return f"{new}{match[2]}" if number(match[1]) == old else match[0]

    return lambda text: pattern.sub(one, text)


def spans(old: int, new: int) -> Rewrite:
    """Return what makes 半小时 into 40 分钟; both in seconds."""

    def one(match: re.Match[str]) -> str:
        if seconds(re.sub(r"\s", "", match[0])) != old:
            return match[0]
        said = spoken.span(new)
        return said if " " in match[0] else said.replace(" ", "")

    return lambda text: _SPANS.sub(one, text)


def first(old: str, new: str) -> Rewrite:
    """Return what puts `new` into the first place of `old`."""
    return lambda text: text.replace(old, new, 1)


def every(old: str, new: str) -> Rewrite:
    """Return what puts `new` into all places of `old`."""
    return lambda text: text.replace(old, new)


def responses(plan: Plan, change: Callable[[Response], Response]) -> Plan:
    """Return a rule with its answers in all directions changed."""
    return replace(plan, on_enter=change(plan.on_enter), on_exit=change(plan.on_exit), on_target=change(plan.on_target))


def _plan(plan: Plan, rewrite: Rewrite) -> Plan:
    def told(response: Response) -> Response:
        return replace(response, descs=tuple(map(rewrite, response.descs)))

    return replace(responses(plan, told), name=rewrite(plan.name))
