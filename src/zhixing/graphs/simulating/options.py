"""What nobody proved about the hub, as named options with defaults (mijia §9.1). Every run records its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args, get_origin, get_type_hints

from zhixing.graphs.expressions.functions import ExpressionOptions
from zhixing.graphs.times.options import DayOwner, PlainWeekends, TimeOptions, ZeroLength
from zhixing.kernel.errors import BadInput

LONGEST_INTERVAL_MS = 86_400_000
"""Most of an interval or staleness that can be asked for: a day."""
MOST_STEPS_PER_INSTANT = 100_000
"""Most that `max_steps_per_instant` can be set to."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the hub behaves where that is open.

    `event_queue_interval_ms`: None is 1000 for events of remote controls and 0 for others. `seed` is that of chance in
    expressions. `onload_on_save`: a rule that is enabled from the start was saved just then. `replayed_events`: what a
    device sent before its connection broke, and the hub hears once more after it, is heard as if it happened again, as
    people saw it (mijia §8 case 30), or dropped, since what is merely kept is no event.
    """

    delay_retrigger: Literal["restart", "parallel", "ignore", "queue"] = "restart"
    loop_first_tick: Literal["after_interval", "immediately"] = "after_interval"
    loop_restart: Literal["restart", "ignore"] = "restart"
    counter_after: Literal["hold", "wrap"] = "hold"
    modeswitch_reset_on_enable: bool = True
    register_persist: bool = False
    deviceget_unknown: Literal["output2", "none"] = "output2"
    device_rereport_pulses: bool = False
    include_inner_change_pulses: bool = False
    timerange_event_on_enable: bool = False
    timerange_day_owner: Literal["start_day", "each_day"] = "start_day"
    timerange_zero_length: Literal["never", "whole_day"] = "never"
    plain_weekends: Literal["holiday", "neither"] = "holiday"
    output_after: Literal["dispatch", "success"] = "dispatch"
    dynamic_out_of_range: Literal["refuse", "clamp", "pass"] = "refuse"
    suppress_self_echo: bool = True
    event_queue_interval_ms: int | None = None
    replayed_events: Literal["hear", "drop"] = "hear"
    property_staleness_ms: int = 0
    unwired_condition: bool = False
    unwired_logic_and: bool = False
    unwired_logic_or: bool = False
    state_without_preload: Literal["false", "read_cache"] = "false"
    sequence_rearm: Literal["latest", "first"] = "latest"
    onload_on_save: bool = True
    dollar_means: Literal["target_variable", "refused"] = "target_variable"
    log_order: Literal["base_first", "base_last"] = "base_first"
    randint_upper: Literal["included", "excluded"] = "included"
    max_steps_per_instant: int = 10_000
    seed: int = 0

    @property
    def times(self) -> TimeOptions:
        """Those of alarms and windows."""
        return TimeOptions(
            DayOwner(self.timerange_day_owner),
            ZeroLength(self.timerange_zero_length),
            PlainWeekends(self.plain_weekends),
        )

    @property
    def expressions(self) -> ExpressionOptions:
        """Those of expressions."""
        return ExpressionOptions(self.dollar_means, self.log_order, self.randint_upper)


DEFAULTS = Options()

_CHOICES: Mapping[str, tuple[str, ...]] = {
    name: get_args(kind) for name, kind in get_type_hints(Options).items() if get_origin(kind) is Literal
}
_SPANS: Mapping[str, tuple[int, int]] = {
    "event_queue_interval_ms": (0, LONGEST_INTERVAL_MS),
    "property_staleness_ms": (0, LONGEST_INTERVAL_MS),
    "max_steps_per_instant": (1, MOST_STEPS_PER_INSTANT),
    "seed": (0, 2**53 - 1),
}


def options_from(given: Mapping[str, object]) -> Options:
    """Read options by name; what is not given keeps its default.

    Raises `BadInput` for an option or a value that there is not.
    """
    known = asdict(DEFAULTS)
    read: dict[str, object] = {}
    for name, value in given.items():
        if name not in known:
            raise BadInput("graph_script_option", name=name[:40])
        read[name] = _value(name, value)
    return replace(DEFAULTS, **read)  # type: ignore[arg-type]


def _value(name: str, value: object) -> object:
    if name in _CHOICES:
        # "false" is the default of one of them, and JSON has a false of its own
        named = "false" if value is False else value
        if named in _CHOICES[name]:
            return named
        raise BadInput("graph_script_option_choice", name=name, choices="、".join(_CHOICES[name]))
    if name in _SPANS:
        low, high = _SPANS[name]
        if value is None and name == "event_queue_interval_ms":
            return None
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and value == value // 1
            and low <= value <= high
        ):
            return int(value)
        raise BadInput("graph_script_option_number", name=name, low=low, high=high)
    if isinstance(value, bool):
        return value
    raise BadInput("graph_script_option_choice", name=name, choices="true、false")
