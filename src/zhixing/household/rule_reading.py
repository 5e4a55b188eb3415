"""The fields of a rule as they come from outside: each value is checked on its own. Pure.

What must fit together is checked where the plan is made (`rulebook.make_plan`).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from msgspec import UNSET, UnsetType

from zhixing.delivery.policy import read_quiet
from zhixing.household.fields import Fields, text
from zhixing.household.rulebook import DEFAULTS, RuleFields
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import Agreement, DeviceAction, Limit, Mode, QuietSpan
from zhixing.world.devices.port import Level

LONGEST_NAME = 100
LONGEST_QUERY = 1_000
LONGEST_DESC = 1_000
LONGEST_VALUE = 500
"""Characters of a text that is written to a device."""
MOST_ACTIONS = 20
"""Device commands, or descs, of one direction."""
MOST_PARAMS = 10
MOST_SOURCES = 50
MOST_QUIET = 8
DAY = 86_400
WEEK_OF_MINUTES = 10_080

_SAID_AS_SEEN = ("检测到", "识别到", "感知到", "察觉到", "已检测", "已识别", "已发现", "已确认", "发现了")
"""How a query must not begin: it says what is so, not that somebody noticed it (miloco §1.5)."""
_IGNORED_ENDINGS = ("_origin", "_recommended")
_IGNORED = ("trigger_class", "activates", "closes", "viewpoint", "repeat_on_exit", "channel", "task_id", "id")


def read_fields(value: object, place: str = "") -> RuleFields:
    """Read the flat fields of a rule, under the names of the commands, of the plans and of `write_rule`."""
    rule = Fields(value, place)
    query, sources = _condition(rule)
    read = RuleFields(
        name=_maybe(rule, "name", lambda name: rule.text(name, LONGEST_NAME)),
        mode=_maybe(rule, "mode", lambda name: Mode(rule.choice(name, [mode.value for mode in Mode]))),
        query=query,
        sources=sources,
        agreement=_maybe(
            rule, "agreement", lambda name: Agreement(rule.choice(name, [one.value for one in Agreement])), None
        ),
        duration=_maybe(rule, "duration_seconds", lambda name: rule.whole(name, 1, DAY), 0),
        exit_debounce=_maybe(
            rule, "exit_debounce_seconds", lambda name: rule.whole(name, 0, DAY), DEFAULTS.exit_debounce
        ),
        cooldown=_maybe(rule, "cooldown_seconds", lambda name: rule.whole(name, 0, DAY), 0),
        tolerance=_maybe(
            rule, "unknown_tolerance_seconds", lambda name: rule.whole(name, 0, 3_600), DEFAULTS.trigger.tolerance
        ),
        expiry=_maybe(rule, "source_expiry_seconds", lambda name: rule.whole(name, 1, DAY), None),
        quiet=_quiet(rule),
        limit=_limit(rule),
        actions=_actions(rule, "actions", "action"),
        descs=_descs(rule, "action_descriptions", "action_descs", "action_desc"),
        enter_actions=_actions(rule, "on_enter_actions", "on_enter_action"),
        enter_descs=_descs(rule, "on_enter_desc"),
        exit_actions=_actions(rule, "on_exit_actions", "on_exit_action"),
        exit_descs=_descs(rule, "on_exit_desc"),
        target_descs=_descs(rule, "on_target_desc"),
    )
    _refuse_unkept(rule)
    rule.ignore(*_IGNORED)
    rule.close(_IGNORED_ENDINGS)
    return read


def _maybe(rule: Fields, name: str, read: Any, none: Any = UNSET) -> Any:
    """Read a field that is there; null gives `none`, or is refused where nothing stands for it."""
    if rule.one_of(name) is None:
        return UNSET
    if rule.raw(name) is None and none is not UNSET:
        return none
    return read(name)


def _condition(rule: Fields) -> tuple[str | UnsetType, tuple[str, ...] | UnsetType]:
    """Read the query and the sources: `query` or `condition`, a text or an object; `source`, one id or a list."""
    name = rule.one_of("query", "condition")
    query: str | UnsetType = UNSET
    sources: tuple[str, ...] | UnsetType = UNSET
    if name is not None:
        value = rule.needed(name)
        if isinstance(value, Mapping):
            inner = Fields(value, rule.at(name))
            query = inner.text("text" if inner.has("text") else "query", LONGEST_QUERY)
            if inner.raw("perceive_device_ids") is not None:
                sources = _sources(inner, "perceive_device_ids")
        else:
            query = rule.text(name, LONGEST_QUERY)
        if query.startswith(_SAID_AS_SEEN):
            raise BadInput("rule_query_seen", text=query[:12])
    if (given := rule.one_of("source", "sources")) is not None:
        if sources:
            raise BadInput("plan_field", name=rule.at(given), problem=wording("plans.twice", other="condition"))
        sources = _sources(rule, given)
    return query, sources


def _sources(rule: Fields, name: str) -> tuple[str, ...]:
    if isinstance(rule.raw(name), str):
        return (rule.text(name, 128),)
    return tuple(dict.fromkeys(text(item, place, 128) for place, item in rule.items(name, MOST_SOURCES)))


def _quiet(rule: Fields) -> tuple[QuietSpan, ...] | UnsetType:
    if rule.one_of("quiet") is None:
        return UNSET
    spans = []
    for place, item in rule.items("quiet", MOST_QUIET):
        try:
            start, end = read_quiet(item if isinstance(item, str) else "")
        except ValueError as error:
            raise BadInput("plan_field", name=place, problem=wording("plans.quiet")) from error
        spans.append(QuietSpan(start.hour * 60 + start.minute, end.hour * 60 + end.minute))
    return tuple(spans)


def _limit(rule: Fields) -> Limit | UnsetType | None:
    if rule.one_of("limit") is None:
        return UNSET
    if rule.raw("limit") is None:
        return None
    inner = Fields(rule.raw("limit"), rule.at("limit"))
    limit = Limit(inner.whole("fires", 1, 1_000), inner.whole("seconds", 1, DAY))
    inner.close()
    return limit


def _descs(rule: Fields, *names: str) -> tuple[str, ...] | UnsetType:
    name = rule.one_of(*names)
    if name is None:
        return UNSET
    value = rule.raw(name)
    if value is None or isinstance(value, str):
        return () if value is None else (rule.text(name, LONGEST_DESC),)
    return tuple(text(item, place, LONGEST_DESC) for place, item in rule.items(name, MOST_ACTIONS))


def _actions(rule: Fields, many: str, one: str) -> tuple[DeviceAction, ...] | UnsetType:
    name = rule.one_of(many, one)
    if name is None:
        return UNSET
    value = rule.raw(name)
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return (_action(value, rule.at(name)),)
    return tuple(_action(item, place) for place, item in rule.items(name, MOST_ACTIONS))


def _action(value: object, place: str) -> DeviceAction:
    said = Fields(value, place)
    action = DeviceAction(
        did=said.text("did", 128),
        iid=said.text("iid", 128),
        value=_level(said.raw("value"), said.at("value")) if said.has("value") else None,
        params=tuple(_level(item, at) for at, item in said.items("params", MOST_PARAMS)),
        idempotent=said.truth("idempotent") if said.has("idempotent") else True,
        cooldown_minutes=said.whole("cooldown_minutes", 1, WEEK_OF_MINUTES) if said.has("cooldown_minutes") else None,
    )
    said.close()
    return action


def _level(value: object, place: str) -> Level:
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, str) and len(value) <= LONGEST_VALUE:
        return value
    raise BadInput("plan_field", name=place, problem=wording("plans.level", limit=LONGEST_VALUE))


def _refuse_unkept(rule: Fields) -> None:
    """Refuse what other systems keep in a rule and this one has no use for, rather than take it and do nothing."""
    if rule.has("lifecycle") and rule.raw("lifecycle") != "permanent":
        raise BadInput("rule_lifecycle")
    if rule.has("terminate_when"):
        raise BadInput("rule_lifecycle")
    if rule.has("duration_ratio") and rule.raw("duration_ratio") != 1:
        raise BadInput("rule_ratio")
