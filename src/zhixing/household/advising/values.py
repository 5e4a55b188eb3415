"""What was decided, in the user's words, for each kind of tip: no name of a field, and nothing that was not decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.household.advising import spoken
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home
from zhixing.kernel.wording import wording

_SAFE = 30


def value(kind: str, draft: Draft, home: Home) -> str:
    """Return the value that a tip of this kind tells."""
    make = _VALUES.get(kind)
    values = {} if make is None else make(draft, home)
    variant = values.pop("variant", "")
    return wording(f"advising.{kind}_value{variant}", "zh", **values)


def _subject(draft: Draft, _home: Home) -> dict[str, str]:
    return {"person": str(draft.subject.value) if draft.subject is not None else ""}


def _source(draft: Draft, home: Home) -> dict[str, str]:
    names = spoken.cameras(draft.source.value if draft.source is not None else None, home)
    return {"cameras": names} if names else {"variant": "_unnamed"}


def _hold(draft: Draft, _home: Home) -> dict[str, str]:
    return {"span": spoken.span(draft.duration.value if draft.duration is not None else 0)}


def _short(draft: Draft, home: Home) -> dict[str, str]:
    hold = draft.behaviour.hold if draft.behaviour is not None else None
    return {**_hold(draft, home), "usual": spoken.span(hold or 60)}


def _gap(draft: Draft, _home: Home) -> dict[str, str]:
    """Say what the distance does: after a single answer it keeps the next one back, else it waits before the end."""
    record = draft.record is not None
    once = draft.on_exit.value == "none" and not record
    seconds = draft.debounce.value if draft.debounce is not None else 0
    return {"span": spoken.span(seconds), "variant": "_once" if once else ""}


def _device(draft: Draft, home: Home) -> dict[str, str]:
    chosen = draft.device.value if draft.device is not None else None
    one = next((each for each in home.devices if each.did == chosen), None)
    aloud = draft.notify and draft.channel is not None and draft.channel.value == "speaker"
    return {"device": "" if one is None else spoken.shown(one.name or one.room), "variant": "_aloud" if aloud else ""}


def _schedule(draft: Draft, home: Home) -> dict[str, str]:
    found = draft.schedule.value if draft.schedule is not None else None
    if found is None:
        return {"when": ""}
    if found.at is not None:
        return {"when": spoken.moment(found.at, home)}
    return {"when": spoken.cron(found.expr) if found.expr else spoken.every(found.every_ms or 0)}


def _end(draft: Draft, home: Home) -> dict[str, str]:
    if draft.expires_at is None:
        return {"variant": "_open"}
    return {"end": spoken.end(draft.expires_at, home)}


def _window(draft: Draft, _home: Home) -> dict[str, str]:
    found = draft.window.value if draft.window is not None else "day"
    return {"window": wording(f"advising.per_{found}")}


def _dropped(draft: Draft, _home: Home) -> dict[str, str]:
    return {"span": spoken.span(draft.dropped.value if draft.dropped is not None else _SAFE)}


_VALUES: Mapping[str, Callable[[Draft, Home], dict[str, str]]] = {
    "subject_first_person": _subject,
    "source_broadcast": _source,
    "source_multi": _source,
    "duration_default": _hold,
    "duration_long_restart": _hold,
    "duration_deviation": _short,
    "single_continuous": _hold,
    "exit_debounce_default": _gap,
    "exit_debounce_deviation": _gap,
    "exit_debounce_capped": _gap,
    "viewpoint_default": _source,
    "device_first_candidate": _device,
    "schedule_default": _schedule,
    "time_default": _schedule,
    "lifecycle_conflict": _end,
    "window_default": _window,
    "safety_duration_dropped": _dropped,
}
"""What fills in the wording of a value; those of the other kinds have no gaps."""
