"""The flat fields of a rule, as the document's commands and plans have them, and the plan of the rule machine. Pure.

    make_plan      RuleFields → Plan: the defaults, and what must fit together
    fields_of      Plan → RuleFields, so that a change is `make_plan(fields_of(plan).patched(said))`
    write_rule     Plan → the document's JSON, which `rule_reading.read_fields` reads back as the same rule

Null says "none of it" (a change takes it away, a new rule does without); a field that is not there says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NoReturn

from msgspec import UNSET, UnsetType

from zhixing.household.descs import When, read_desc
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import (
    Agreement,
    DeviceAction,
    Direction,
    Limit,
    Mode,
    Plan,
    QuietSpan,
    Response,
    Trigger,
)

DEFAULTS = Plan("", Trigger(""))
"""What a rule is where nothing was said."""
_NOBODY = re.compile(
    r"(?<!有)(?:无人(?!机|车|艇|驾驶|售|超市|商店|看管|看护|照看|照顾|照料|陪)|没有?人(?!看管|看护|照看|照顾|照料|陪)|无任何人|没有任何人|空无一人)"
)
_EXCLUDING = re.compile(r"[；;]\s*不含|[，,]\s*不含")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFields:
    """What was said about a rule; UNSET where nothing was. The empty tuple, None and 0 say "none of it"."""

    name: str | UnsetType = UNSET
    mode: Mode | UnsetType = UNSET
    query: str | UnsetType = UNSET
    sources: tuple[str, ...] | UnsetType = UNSET
    agreement: Agreement | UnsetType | None = UNSET
    duration: int | UnsetType = UNSET
    tolerance: int | UnsetType = UNSET
    expiry: int | UnsetType | None = UNSET
    exit_debounce: int | UnsetType = UNSET
    cooldown: int | UnsetType = UNSET
    quiet: tuple[QuietSpan, ...] | UnsetType = UNSET
    limit: Limit | UnsetType | None = UNSET
    actions: tuple[DeviceAction, ...] | UnsetType = UNSET
    descs: tuple[str, ...] | UnsetType = UNSET
    enter_actions: tuple[DeviceAction, ...] | UnsetType = UNSET
    enter_descs: tuple[str, ...] | UnsetType = UNSET
    exit_actions: tuple[DeviceAction, ...] | UnsetType = UNSET
    exit_descs: tuple[str, ...] | UnsetType = UNSET
    target_descs: tuple[str, ...] | UnsetType = UNSET

    def patched(self, said: RuleFields) -> RuleFields:
        """Return these with what was said in their place.

        The agreement of a new query follows its words, unless it was chosen against the words of the old one.
        """
        news = {field.name: getattr(said, field.name) for field in fields(said)}
        if said.query is not UNSET and said.agreement is UNSET and self.agreement is natural_agreement(self.query):
            news["agreement"] = None
        return replace(self, **{name: value for name, value in news.items() if value is not UNSET})

    @property
    def said(self) -> bool:
        """Whether anything was said at all."""
        return any(getattr(self, field.name) is not UNSET for field in fields(self))


def natural_agreement(query: str | UnsetType) -> Agreement:
    """Return how the sources of a query agree where nobody said so: that nobody is there must hold everywhere."""
    return Agreement.ALL if isinstance(query, str) and says_nobody(query) else Agreement.ANY


def says_nobody(query: str) -> bool:
    """Whether a query says that nobody is there (画面中无人); what it excludes behind 不含 does not count."""
    return _NOBODY.search(_EXCLUDING.split(query, maxsplit=1)[0]) is not None


def make_plan(said: RuleFields) -> Plan:
    """Return the plan of a rule, with the defaults for what was not said.

    Raises `BadInput` with one reason where the fields do not fit together (miloco §1.5).
    """
    if said.name is UNSET or said.query is UNSET:
        raise BadInput("field_missing", name="name" if said.name is UNSET else "condition")
    mode = Mode.EVENT if said.mode is UNSET else said.mode
    _check_directions(said, mode)
    entering = (said.actions, said.descs) if mode is Mode.EVENT else (said.enter_actions, said.enter_descs)
    plan = Plan(
        name=said.name,
        trigger=Trigger(
            query=said.query,
            sources=tuple(sorted(set(said.sources or ()))),
            agreement=said.agreement or natural_agreement(said.query),
            mode=mode,
            duration=said.duration or 0,
            tolerance=_or(said.tolerance, DEFAULTS.trigger.tolerance),
            expiry=_or(said.expiry, DEFAULTS.trigger.expiry),
        ),
        on_enter=Response(entering[0] or (), entering[1] or ()),
        on_exit=Response(said.exit_actions or (), said.exit_descs or ()),
        on_target=Response((), said.target_descs or ()),
        exit_debounce=_or(said.exit_debounce, DEFAULTS.exit_debounce),
        cooldown=said.cooldown or 0,
        quiet=said.quiet or (),
        limit=None,
    )
    _check_cooldowns(plan)
    return replace(plan, limit=_or(said.limit, usual_limit(plan)))


def usual_limit(plan: Plan) -> Limit | None:
    """Return the limit of a rule whose maker named none.

    One that only writes to a record, and tells of its target, cannot trigger itself: whoever does thirty sit-ups in a
    minute wants all of them counted.
    """
    descs = [read_desc(text) for response in (plan.on_enter, plan.on_exit) for text in response.descs]
    counts = descs and all(
        desc.record is not None and not desc.rest and all(one.when is not When.ALWAYS for one in desc.notifications)
        for desc in descs
    )
    return None if counts and not plan.on_enter.actions and not plan.on_exit.actions else DEFAULTS.limit


def fields_of(plan: Plan) -> RuleFields:
    """Return the fields that make this plan."""
    trigger, enter, event = plan.trigger, plan.on_enter, plan.trigger.mode is Mode.EVENT
    return RuleFields(
        name=plan.name,
        mode=trigger.mode,
        query=trigger.query,
        sources=trigger.sources,
        agreement=trigger.agreement,
        duration=trigger.duration,
        tolerance=trigger.tolerance,
        expiry=trigger.expiry,
        exit_debounce=plan.exit_debounce,
        cooldown=plan.cooldown,
        quiet=plan.quiet,
        limit=plan.limit,
        actions=enter.actions if event else (),
        descs=enter.descs if event else (),
        enter_actions=() if event else enter.actions,
        enter_descs=() if event else enter.descs,
        exit_actions=plan.on_exit.actions,
        exit_descs=plan.on_exit.descs,
        target_descs=plan.on_target.descs,
    )


def write_rule(plan: Plan) -> dict[str, Any]:
    """Write a rule in the document's field names, with what we added to them behind."""
    trigger, enter = plan.trigger, plan.on_enter
    event = trigger.mode is Mode.EVENT
    return {
        "name": plan.name,
        "mode": trigger.mode.value,
        "condition": {"perceive_device_ids": list(trigger.sources), "query": trigger.query},
        "actions": _written(enter) if event else [],
        "action_descriptions": list(enter.descs) if event else [],
        "on_enter_actions": [] if event else _written(enter),
        "on_enter_desc": None if event else _joined(enter),
        "on_exit_actions": _written(plan.on_exit),
        "on_exit_desc": _joined(plan.on_exit),
        "on_target_desc": _joined(plan.on_target),
        "exit_debounce_seconds": plan.exit_debounce,
        "duration_seconds": trigger.duration or None,
        "agreement": trigger.agreement.value,
        "cooldown_seconds": plan.cooldown,
        "quiet": [f"{_clock(span.start)}-{_clock(span.end)}" for span in plan.quiet],
        "unknown_tolerance_seconds": trigger.tolerance,
        "source_expiry_seconds": trigger.expiry,
        "limit": None if plan.limit is None else {"fires": plan.limit.fires, "seconds": plan.limit.seconds},
    }


def responses(plan: Plan) -> Iterator[tuple[Direction, Response]]:
    """Yield the answers that a rule has."""
    for direction, response in (
        (Direction.ENTER, plan.on_enter),
        (Direction.EXIT, plan.on_exit),
        (Direction.TARGET, plan.on_target),
    ):
        if response:
            yield direction, response


def write_action(action: DeviceAction) -> dict[str, Any]:
    """Write one device command as the document's action JSON."""
    written: dict[str, Any] = {"did": action.did, "iid": action.iid}
    if action.value is not None:
        written["value"] = action.value
    if action.params:
        written["params"] = list(action.params)
    written["idempotent"] = action.idempotent
    if action.cooldown_minutes is not None:
        written["cooldown_minutes"] = action.cooldown_minutes
    return written


def _check_directions(said: RuleFields, mode: Mode) -> None:
    event = any((said.actions, said.descs))
    leaving = any((said.exit_actions, said.exit_descs))
    entering = any((said.enter_actions, said.enter_descs))
    if mode is Mode.EVENT:
        if entering or leaving:
            raise BadInput("rule_event_with_directions")
        if said.target_descs:
            raise BadInput("rule_event_with_target")
        if not event:
            raise BadInput("rule_event_without_answer")
    else:
        if event:
            raise BadInput("rule_state_with_event_answer")
        if not entering and not leaving:
            raise BadInput("rule_state_without_answer")
    for actions, descs, key in (
        (said.actions, said.descs, "enter_event"),
        (said.enter_actions, said.enter_descs, "enter"),
        (said.exit_actions, said.exit_descs, "exit"),
    ):
        if actions and descs:
            raise BadInput("rule_answer_twice", direction=wording(f"plans.direction_{key}"))


def _check_cooldowns(plan: Plan) -> None:
    for direction, response in responses(plan):
        for number, action in enumerate(response.actions, start=1):
            if not action.idempotent and action.cooldown_minutes is None:
                _refuse_without_cooldown(direction, number, action)


def _refuse_without_cooldown(direction: Direction, number: int, action: DeviceAction) -> NoReturn:
    raise BadInput(
        "rule_action_without_cooldown",
        direction=wording(f"plans.direction_{direction.value}"),
        number=number,
        did=action.did,
        iid=action.iid,
    )


def _or(said: Any, default: Any) -> Any:
    return default if said is UNSET else said


def _written(response: Response) -> list[dict[str, Any]]:
    return [write_action(action) for action in response.actions]


def _joined(response: Response) -> str | list[str] | None:
    """Write the descs of a direction: usually there is one."""
    if len(response.descs) > 1:
        return list(response.descs)
    return response.descs[0] if response.descs else None


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
