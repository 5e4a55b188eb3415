"""Tools: rules, what is watched for; records, what was counted."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from pydantic import Field

from zhixing.faces import household_wire
from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID, Key, Limit, TaskName
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.household import viewing
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.rules import store as rules_store
from zhixing.tasks.rules.model import Rule

RuleId = Annotated[str, Field(max_length=LONGEST_ID, description="Id of a rule: r3.")]


def rule_list(
    home: House,
    *,
    task: Annotated[
        str | None, Field(max_length=LONGEST_ID, description="Only those of this task, by its id or name.")
    ] = None,
) -> Wire:
    """List the rules of a task, or of all tasks that live; `words` says each in plain language."""
    with home.app.store.read() as tx:
        if task is None:
            found = [rule for view in viewing.views(tx) for rule in view.rules]
        else:
            found = list(rules_store.of_task(tx, home.task(tx, task).id))
    names = home.names()
    return {"rules": [household_wire.of_rule(rule, names) for rule in found]}


def rule_explain(home: House, *, rule: RuleId, limit: Limit = 20) -> Wire:
    """Explain a rule: what it watches and does, and in `lines` when it fired, or nearly did, and why not."""
    with home.app.store.read() as tx:
        found = rules_store.get(tx, _plain(rule))
        log = viewing.log(tx, "", found.task_id, None, viewing.LARGEST_LOG)
    zone = find_zone(found.zone)
    lines = [line for line in log.lines if line.rule_id == found.id][:limit]
    return {**_written(home, found), "lines": [household_wire.of_line(line, zone) for line in lines]}


def rule_enable(home: House, *, rule: RuleId) -> Wire:
    """Let a rule act again."""
    return _written(home, home.app.household.enable_rule(_plain(rule), who=WHO))


def rule_disable(home: House, *, rule: RuleId) -> Wire:
    """Stop one rule at once, with whatever is pending of it; the rest of its task goes on."""
    return _written(home, home.app.household.disable_rule(_plain(rule), who=WHO))


def record_get(home: House, *, task: TaskName) -> Wire:
    """Show the record of a household task as it is now: count, time or events of the period, and the target."""
    with home.app.store.read() as tx:
        return household_wire.of_record(home.app.records.get(tx, home.task(tx, task).id))


def record_increment(
    home: House,
    *,
    task: TaskName,
    delta: Annotated[int, Field(description="How many; negative takes back.")] = 1,
    key: Key = None,
) -> Wire:
    """Count something that the user says happened; give the record and, in `written`, what the call did."""
    app = home.app
    with app.store.write() as tx:
        known = home.task(tx, task).id
        written = app.records.increment(
            tx, known, delta, at=app.clock.now(), key=f"{WHO}:{uuid4().hex}" if key is None else key, who=WHO
        )
        shape = household_wire.of_record(app.records.get(tx, known))
    return {
        **shape,
        "written": {
            "applied": written.applied,
            "why": written.why or None,
            "current": written.current,
            "target": written.target,
            "firstReached": written.first_reached,
        },
    }


def _plain(rule: str) -> str:
    return rule.strip().lower()


def _written(home: House, rule: Rule) -> Wire:
    return household_wire.of_rule(rule, home.names())


TOOLS = (
    Tool.of(rule_list, Effect.READS),
    Tool.of(rule_explain, Effect.READS),
    Tool.of(rule_enable, Effect.SETS),
    Tool.of(rule_disable, Effect.SETS),
    Tool.of(record_get, Effect.READS),
    Tool.of(record_increment, Effect.ADDS),
)
