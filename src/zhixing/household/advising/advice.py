"""From a draft to its tips: the value in the user's words, one reason, and what to say to change it (H-TIP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.household.advising import phrases, values
from zhixing.household.advising.topics import topic
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.tips import mild_tips, tips
from zhixing.household.checks.model import Tip
from zhixing.kernel.wording import wording

Words = Callable[[Draft, Home, str], str]
"""What makes text of a draft in its home; the last is what the task is called for short."""

_PHRASES: Mapping[str, Words] = {
    "subject_default_user": phrases.person,
    "subject_any_person": phrases.person,
    "subject_registered_members": phrases.anyone,
    "subject_first_person": phrases.person,
    "source_broadcast": phrases.camera,
    "source_multi": phrases.camera,
    "room_empty_any_camera": phrases.camera,
    "duration_default": phrases.longer,
    "duration_long_restart": phrases.half_a_day,
    "duration_deviation": phrases.usual,
    "single_continuous": phrases.accumulated,
    "exit_debounce_default": phrases.gap,
    "exit_debounce_deviation": phrases.usual_gap,
    "exit_debounce_capped": phrases.usual_gap,
    "viewpoint_default": phrases.presence,
    "device_first_candidate": phrases.device,
    "on_exit_reset_default": phrases.stays,
    "schedule_default": phrases.schedule,
    "time_default": phrases.other_time,
    "lifecycle_conflict": phrases.forever,
    "window_default": phrases.window,
    "time_gate": phrases.quiet,
}
"""What to say so that it becomes different; of the kinds that are not here nothing but the task can go."""
_HOWS: Mapping[str, tuple[str, Words]] = {"safety_duration_dropped": ("pause", phrases.paused)}


def advise(draft: Draft, home: Home) -> tuple[Tip, ...]:
    """Return one tip for everything that was decided without the user, those that the clauses demand first.

    `how` quotes a sentence in 「」 that `updating` understands about the task when it is made.
    """
    name = topic(draft, home)
    return tuple(_tip(kind, draft, home, name) for kind in dict.fromkeys((*tips(draft), *mild_tips(draft))))


def sentence(tip: Tip) -> str:
    """Return a tip as one sentence (H-TIP-03)."""
    return wording("advising.sentence", value=tip.value, reason=tip.reason, how=tip.how)


def _tip(kind: str, draft: Draft, home: Home, name: str) -> Tip:
    key, make = _HOWS.get(kind, ("drop", phrases.dropped))
    if kind in _PHRASES:
        key, make = "change", _PHRASES[kind]
    how = wording(f"advising.{key}", phrase=make(draft, home, name))
    return Tip(kind, values.value(kind, draft, home), wording(f"advising.{_reason(kind, draft)}"), how)


def _reason(kind: str, draft: Draft) -> str:
    """Return which reason is given: no room was said, or no camera is in the one that was (H-SRC-03, H-SRC-06)."""
    return "source_broadcast_nowhere" if kind == "source_broadcast" and draft.rooms else f"{kind}_reason"
