"""The flags that `rule create` and `rule update` share, and the fields of a rule that they stand for.

Source: miloco.md §2.4. Checked here is only what the document has the command line check: ranges, and that each action
is one JSON object; everything else is for the home to judge.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from zhixing.faces.miloco.options import Many, Maybe, MaybeWhole, json_object, within
from zhixing.faces.miloco.usage import Usage

LONGEST = 86_400
"""Seconds that a condition may have to hold, or not to hold."""

ModeOf = Annotated[Literal["event", "state"] | None, Parameter(negative=())]
LifeOf = Annotated[Literal["permanent", "temporary"] | None, Parameter(negative=())]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RuleFlags:
    """What may be said of a rule; what was not said is None or empty."""

    source: Many = ()
    mode: ModeOf = None
    lifecycle: LifeOf = None
    terminate_when: Maybe = None
    action: Many = ()
    action_desc: Many = ()
    on_enter_action: Many = ()
    on_enter_desc: Maybe = None
    on_exit_action: Many = ()
    on_exit_desc: Maybe = None
    on_target_desc: Maybe = None
    exit_debounce_seconds: MaybeWhole = None
    duration_seconds: MaybeWhole = None
    duration_ratio: Maybe = None


UNSAID = RuleFlags()

_ACTIONS = ("action", "on_enter_action", "on_exit_action")
_LISTS = ("source", "action_desc")


def said(flags: RuleFlags, name: str | None, condition: str | None) -> dict[str, Any]:
    """Return the fields of a rule that were typed, under the names that the home reads."""
    within("--duration-seconds", flags.duration_seconds, 1, LONGEST)
    within("--exit-debounce-seconds", flags.exit_debounce_seconds, 0, LONGEST)
    typed = {"name": name, "condition": condition, **{each.name: getattr(flags, each.name) for each in fields(flags)}}
    found = {key: value for key, value in typed.items() if value is not None and value != ()}
    for key in (*_ACTIONS, *_LISTS):
        if key in found:
            value = found.pop(key)
            found[f"{key}s"] = [json_object(text, _flag(key)) for text in value] if key in _ACTIONS else list(value)
    if flags.duration_ratio is not None:
        found["duration_ratio"] = _ratio(flags.duration_ratio)
    return found


def _flag(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _ratio(written: str) -> float:
    try:
        ratio = float(written)
    except ValueError as error:
        raise Usage("miloco_ratio", text=written[:32]) from error
    if not 0 < ratio <= 1:
        raise Usage("miloco_ratio", text=written[:32])
    return ratio
