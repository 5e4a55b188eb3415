"""Event or state, with what hangs on it: how long it has to hold, the debounce, what happens on leaving (§10, §16, §17)."""

from __future__ import annotations

from zhixing.household.assembling.draft import Draft, default, inferred, said
from zhixing.household.assembling.response import Notes
from zhixing.household.assembling.tips import LONG_GAP, MOST_GAP
from zhixing.household.assembling.trigger import Trigger, is_continuous
from zhixing.household.assembling.words import Behaviour, Kind
from zhixing.kernel.claims import Claim

GAP = 60
"""Seconds of the debounce of an answer in both directions (H-DEB-04)."""
_ENTERS = frozenset(("arrives", "enters", "car"))


def mode(draft: Draft, trigger: Trigger, notes: Notes, frequency: str | None) -> bool:
    """Decide in the order of §10; False where it is not certain. `frequency`: the answer A or B, if there is one."""
    behaviour = draft.behaviour
    if behaviour is None or (trigger.hold is not None and "完" in trigger.seen):
        return False
    draft.duration = _hold(draft, behaviour, trigger)
    if behaviour.kind is Kind.SAFETY and trigger.hold is not None:
        draft.dropped = inferred(trigger.hold, "A-51")
    record = draft.record.value.kind if draft.record is not None else None
    if record == "duration":
        return _state(draft, notes, behaviour.gap, said("desc", "H-MODE-01"))
    if behaviour.kind is Kind.SAFETY or record is not None:
        draft.mode = said("event", "H-MODE-02" if record is None else "H-MODE-10")
        return notes.gap is None or record is None
    if _momentary(behaviour) and trigger.hold is not None:
        return False  # 回家后10分钟: a delay, and no state that lasts
    if trigger.absent and "enters" in behaviour.marks:
        return False  # 没人的时候有人进来: two propositions
    if notes.leaves:
        return bool(draft.effect) and _state(draft, notes, GAP, said("action", "H-MODE-03"))
    if draft.effect == "on":
        return _activation(draft, behaviour, notes)
    return _once(draft, behaviour, trigger, notes, frequency)


def _hold(draft: Draft, behaviour: Behaviour, trigger: Trigger) -> Claim[int] | None:
    if behaviour.kind is Kind.SAFETY:
        return None
    if draft.record is not None and draft.record.value.kind == "duration":
        return default(behaviour.hold or 60, "H-DUR-22")
    if draft.record is not None and "unit_like_instant" in behaviour.marks:
        return None
    if trigger.hold is not None and draft.record is None:
        return said(trigger.hold, "H-DUR-20")
    return default(behaviour.hold, "H-DUR-22") if behaviour.hold else None


def _state(draft: Draft, notes: Notes, usual: int, on_exit: Claim[str]) -> bool:
    draft.mode = said("state", "H-MODE-00")
    draft.on_exit = on_exit
    draft.debounce_wish = notes.gap
    draft.debounce = said(min(notes.gap, MOST_GAP), "H-DEB-09") if notes.gap else default(usual, "H-DEB-10")
    return True


def _activation(draft: Draft, behaviour: Behaviour, notes: Notes) -> bool:
    """Something is switched on: it goes back on leaving, unless it is to stay (H-MODE-04, H-EXIT-01, A-56)."""
    if not notes.stays:
        return _state(draft, notes, GAP, inferred("desc", "H-EXIT-03"))
    usual = LONG_GAP if behaviour.marks & _ENTERS else GAP
    return _state(draft, notes, usual, said("none", "H-EXIT-01"))


def _once(draft: Draft, behaviour: Behaviour, trigger: Trigger, notes: Notes, frequency: str | None) -> bool:
    """Decide what is answered in one direction only (§10, 3c to 6)."""
    none = inferred("none", "H-EXIT-02")
    begins = trigger.starts and draft.notify and is_continuous(behaviour)
    if begins or (behaviour.marks & _ENTERS and draft.effect != "off"):
        return trigger.hold is None and _state(draft, notes, LONG_GAP, none)
    if "presence" in behaviour.marks and draft.notify and trigger.hold is None:
        return _presence(draft, trigger, notes, frequency)
    draft.mode = said("event", "H-MODE-12")
    return notes.gap is None


def _momentary(behaviour: Behaviour) -> bool:
    return behaviour.kind in (Kind.STATE, Kind.INSTANT) and "presence" not in behaviour.marks


def _presence(draft: Draft, trigger: Trigger, notes: Notes, frequency: str | None) -> bool:
    """Decide how often a presence is told; asked where nothing was said (§22)."""
    if trigger.each or trigger.at_once or frequency == "A":
        draft.mode = said("event", "H-EVF-02")
        return notes.gap is None
    if trigger.absent or frequency == "B" or notes.gap is not None:
        return _state(draft, notes, LONG_GAP, inferred("none", "H-EXIT-02"))
    draft.ask("trigger_frequency")
    return True
