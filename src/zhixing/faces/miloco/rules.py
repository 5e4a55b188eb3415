"""rule list, create, update, enable, disable, delete (miloco.md §1.4, §2.4)."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import Flag, Maybe, Text, plain
from zhixing.faces.miloco.rule_flags import UNSAID, RuleFlags, said
from zhixing.faces.miloco.shaping import of_rule
from zhixing.faces.miloco.tasks import iso_of, slug_in
from zhixing.faces.miloco.usage import Usage
from zhixing.tasks.rules.model import Rule

RuleId = Annotated[str, Parameter(name="RULE")]
Clearable = Literal[
    "actions",
    "action_descriptions",
    "on_enter_actions",
    "on_enter_desc",
    "on_exit_actions",
    "on_exit_desc",
    "on_target_desc",
    "terminate_when",
    "duration_seconds",
]
Clear = Annotated[tuple[Clearable, ...], Parameter(name="--clear", negative=(), json_list=False)]


def list_(*, enabled_only: Flag = False, desk: AtDesk) -> list[Wire]:
    """Return the rules of all living tasks."""
    with backend(desk) as app:
        found = app.household.rules()
        return [of_rule(rule, slug, iso_of(app)) for slug, rule in found if rule.enabled or not enabled_only]


def create(*, name: Text, task_id: Text, condition: Text, flags: RuleFlags = UNSAID, desk: AtDesk) -> Wire:
    """Give a task a rule."""
    fields = said(flags, name, condition)
    if flags.duration_ratio is not None and flags.duration_seconds is None:
        raise Usage("miloco_ratio_alone")
    with backend(desk) as app:
        made = app.household.create_rule(slug_in(app, task_id), fields, who=WHO)
        wire = _shown(app, made)
        first = {key: wire[key] for key in ("rule_id", "name", "task_id", "mode", "lifecycle")}
        return {**first, "rule": {key: value for key, value in wire.items() if key != "rule_id"}}


def update(
    rule: RuleId,
    /,
    *,
    name: Maybe = None,
    condition: Maybe = None,
    flags: RuleFlags = UNSAID,
    clear: Clear = (),
    desk: AtDesk,
) -> Wire:
    """Change what was named, empty what is to be cleared, and keep the rest."""
    fields = said(flags, name, condition)
    if not fields and not clear:
        raise Usage("miloco_nothing_to_change")
    with backend(desk) as app:
        return _shown(app, app.household.update_rule(plain(rule), fields, who=WHO, clear=clear))


def enable(rule: RuleId, /, *, desk: AtDesk) -> Wire:
    """Let a rule act again."""
    with backend(desk) as app:
        return _shown(app, app.household.enable_rule(plain(rule), who=WHO))


def disable(rule: RuleId, /, *, desk: AtDesk) -> Wire:
    """Stop a rule at once."""
    with backend(desk) as app:
        return _shown(app, app.household.disable_rule(plain(rule), who=WHO))


def delete(rule: RuleId, /, *, desk: AtDesk) -> Wire:
    """Remove a rule."""
    with backend(desk) as app:
        slug, found = app.household.rule(plain(rule))
        app.household.delete_rule(found.id, who=WHO)
        return {"rule_id": found.id, "name": found.plan.name, "task_id": slug, "deleted": True}


def _shown(app: App, rule: Rule) -> Wire:
    slug, _ = app.household.rule(rule.id)
    return {"rule_id": rule.id, **of_rule(rule, slug, iso_of(app))}
