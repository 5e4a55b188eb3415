"""What to say so that something that was decided becomes different: a sentence that `updating` understands. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.household.advising import spoken
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.tips import LONG, LONG_GAP, MOST_GAP
from zhixing.household.assembling.who import called
from zhixing.kernel.wording import wording

_SHORT_GAP = 60
_OTHER_GAP = 600
_DAY = 86_400
_SOON = timedelta(hours=6)
_NEXT_WINDOW = {"day": "week", "week": "day", "month": "day", "longterm": "day"}
_CAMERA = "摄像头"
ANYONE, STRANGER = "任何人", "陌生人"


def person(draft: Draft, home: Home, name: str) -> str:
    """Name another one who may be meant; anybody where the home knows nobody else."""
    now = draft.subject.value if draft.subject is not None else None
    others = [who for known in home.persons if (who := called(known, home)) and who != now]
    if others:
        return _say("person", topic=name, person=others[0])
    return _say("person", topic=name, person=STRANGER) if now == ANYONE else anyone(draft, home, name)


def anyone(_draft: Draft, _home: Home, name: str) -> str:
    """Say that anybody counts."""
    return _say("anyone", topic=name, person=ANYONE)


def camera(draft: Draft, home: Home, name: str) -> str:
    """Name one of the cameras that look."""
    looked = draft.source.value if draft.source is not None else None
    eyes = [eye for eye in home.eyes if looked is None or eye.did in looked]
    named = [spoken.camera(eye, home.eyes) for eye in eyes]
    chosen = next((one for one in named if one), None)
    if chosen is None:
        return dropped(draft, home, name)
    return _say("camera", topic=name, camera=chosen.removesuffix(_CAMERA) + _CAMERA)


def longer(draft: Draft, _home: Home, name: str) -> str:
    """Say twice as long, or half where that would be more than a day."""
    hold = draft.duration.value if draft.duration is not None else 60
    return _hold(name, hold * 2 if hold * 2 <= _DAY else hold // 2)


def half_a_day(_draft: Draft, _home: Home, name: str) -> str:
    """Say the longest that needs no warning of a restart."""
    return _hold(name, LONG)


def usual(draft: Draft, _home: Home, name: str) -> str:
    """Say what such a thing usually takes."""
    return _hold(name, (draft.behaviour.hold if draft.behaviour is not None else None) or 60)


def accumulated(draft: Draft, _home: Home, name: str) -> str:
    """Say the same length, added up over the day."""
    hold = draft.duration.value if draft.duration is not None else 60
    return _say("accumulated", topic=name, span=spoken.span(max(60, hold - hold % 60)))


def gap(draft: Draft, _home: Home, name: str) -> str:
    """Say another distance than the usual ones."""
    now = draft.debounce.value if draft.debounce is not None else 0
    return _say("gap", topic=name, span=spoken.span(_OTHER_GAP if now != _OTHER_GAP else _SHORT_GAP))


def usual_gap(draft: Draft, _home: Home, name: str) -> str:
    """Say the usual distance."""
    wanted = LONG_GAP if draft.on_exit.value == "none" or draft.debounce_wish == MOST_GAP else _SHORT_GAP
    return _say("gap", topic=name, span=spoken.span(wanted))


def presence(_draft: Draft, _home: Home, name: str) -> str:
    """Say that to be in the picture is enough (H-VIEW-10)."""
    return _say("presence", topic=name)


def device(draft: Draft, home: Home, name: str) -> str:
    """Name another device of the kind; for what is told aloud, the phone: all speakers that are set up speak."""
    if draft.notify and draft.channel is not None and draft.channel.value == "speaker":
        return _say("phone", topic=name)
    chosen = None if draft.device is None else draft.device.value
    one = next((each for each in home.devices if each.did == chosen), None)
    others = [each for each in home.devices if one and each.kind == one.kind and each.did != one.did and each.name]
    return _say("device", topic=name, device=spoken.shown(others[0].name)) if others else dropped(draft, home, name)


def stays(_draft: Draft, _home: Home, name: str) -> str:
    """Say that nothing happens on leaving."""
    return _say("stays", topic=name)


def schedule(draft: Draft, _home: Home, name: str) -> str:
    """Say other times on the same days."""
    found = draft.schedule.value if draft.schedule is not None else None
    expr = found.expr if found is not None and found.expr is not None else "0 9 * * *"
    on = spoken.days(expr) or "每天"
    hours = (9, 15) if on in ("每天", "工作日", "周末") else (20,)
    return _say("schedule", topic=name, when=on + "和".join(spoken.point(hour) for hour in hours))


def other_time(draft: Draft, home: Home, name: str) -> str:
    """Say the same day at another time."""
    found = draft.schedule.value if draft.schedule is not None else None
    if found is None or found.at is None:
        expr = found.expr if found is not None and found.expr is not None else "0 9 * * *"
        hour = 21 if expr.split()[1] != "21" else 20
        return _say("schedule", topic=name, when=(spoken.days(expr) or "每天") + spoken.point(hour))
    return _say("time", topic=name, when=_another(found.at, home))


def forever(_draft: Draft, _home: Home, name: str) -> str:
    """Say that there is no end."""
    return _say("forever", topic=name)


def window(draft: Draft, _home: Home, name: str) -> str:
    """Say another period to count over."""
    now = draft.window.value if draft.window is not None else "day"
    return _say("window", topic=name, window=wording(f"advising.per_{_NEXT_WINDOW.get(now, 'day')}"))


def quiet(_draft: Draft, _home: Home, name: str) -> str:
    """Say hours in which nothing is done."""
    return _say("quiet", topic=name)


def dropped(_draft: Draft, _home: Home, name: str) -> str:
    """Say that the task goes."""
    return _say("drop", topic=name)


def paused(_draft: Draft, _home: Home, name: str) -> str:
    """Say that the task stops for a while."""
    return _say("pause", topic=name)


def _say(key: str, **values: str) -> str:
    return wording(f"advising.say_{key}", "zh", **values)


def _hold(name: str, seconds: int) -> str:
    return _say("hold", topic=name, span=spoken.span(seconds))


def _another(at: datetime, home: Home) -> str:
    """Return another time of the same day that is still to come, or in an hour."""
    local, now = at.astimezone(home.zone), home.now.astimezone(home.zone)
    if local - now < _SOON:
        return "1小时后"
    other = local.replace(hour=8 if local.hour != 8 else 10, minute=0)
    if other <= now:
        other = local.replace(hour=min(23, local.hour + 1), minute=30)
    return spoken.moment(other, home)
