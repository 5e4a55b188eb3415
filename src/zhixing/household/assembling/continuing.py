"""What the answers make of a draft: they continue the same decision, in the words they were given in (H-OUT-03)."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from zhixing.household.assembling.amounts import NUMBER, number
from zhixing.household.assembling.clock import Schedule
from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.draft import Draft, default, inferred
from zhixing.household.assembling.life import read_life
from zhixing.household.assembling.place import matching
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.who import called
from zhixing.household.assembling.words import rooms
from zhixing.kernel.claims import Basis, Claim

_SPAN = re.compile(rf"(?P<n>{NUMBER})(?:个)?(?P<unit>天|周|星期|礼拜|月|年)")
_MONTH_END = re.compile(rf"(?:(?P<next>下)个?|(?P<n>{NUMBER}))月(?:底|末)")
_LEAD = re.compile(r"^(?:就|先|一直)?(?:到|至|截止到?)|(?:为止|之前|以前|前|结束)$")
_DAYS = {"天": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365}
_FURTHEST = timedelta(days=3 * 365)


def continue_with(draft: Draft, request: Request) -> frozenset[str]:
    """Continue `draft` with what was answered; return the kinds whose answer says nothing usable, to be asked again."""
    unread = set()
    for kind, answer in request.answers.items():
        step = _STEPS.get(kind)
        if step is not None and kind in draft.questions and not step(draft, answer, request.home):
            unread.add(kind)
    return frozenset(unread)


def _answered(value: object, words: str) -> Claim:  # type: ignore[type-arg]
    return Claim(value, Basis.ANSWERED, words)


def _person(draft: Draft, answer: str, home: Home) -> bool:
    """Take whom was meant; B: whoever it is (H-SUBJ-10, H-SUBJ-14)."""
    if answer == "B" or "任何人" in answer:
        draft.subject = inferred("任何人", "H-SUBJ-05")
        return True
    named = [person for person in home.persons if person.name in answer or (person.role and person.role in answer)]
    if len(named) != 1:
        return False
    draft.subject = _answered(called(named[0], home), answer)
    return True


def _viewpoint(draft: Draft, answer: str, _home: Home) -> bool:
    """Take whether the camera sees it happen (H-VIEW-09, H-VIEW-10)."""
    seen = {"A": "covered", "B": "uncovered"}.get(answer)
    if seen is not None:
        draft.viewpoint = _answered(seen, answer)
    return seen is not None


def _camera_name(draft: Draft, answer: str, home: Home) -> bool:
    """Take a camera by its name or room; B: all of them (H-SRC-06)."""
    if answer == "B":
        draft.source = default(None, "H-SRC-03")
        return True
    words = plain(answer)
    named = tuple(
        eye.did for eye in home.eyes if words and (words in eye.name or words in eye.room or eye.name in words)
    )
    room = next((room for word, room in rooms().items() if word in words), None)
    found = named or (matching(room, home.eyes) if room is not None else ())
    if not found:
        return False
    draft.source = _answered(found, answer)
    return True


def _device(draft: Draft, answer: str, home: Home) -> bool:
    """Take a device by its name."""
    words = plain(answer)
    named = [one for one in home.devices if words and (words == one.name or words in one.name or one.name in words)]
    if len(named) != 1:
        return False
    draft.device = _answered(named[0].did, answer)
    return True


def _time(draft: Draft, answer: str, home: Home) -> bool:
    """Take another time of the clock for one that is past (A-46)."""
    clock = read_clock(plain(answer), home)
    schedule = clock.schedule
    if schedule is None or not clock.sure or clock.gone or (schedule.kind == "at" and schedule.at is None):
        return False
    draft.schedule = _answered(schedule, answer)
    if schedule.kind == "at":
        draft.lifecycle = _answered("temporary", answer)
    return True


def _expiry(draft: Draft, answer: str, home: Home) -> bool:
    """Take the day until which it goes on, or for how long (A-68)."""
    end = _end(_LEAD.sub("", _LEAD.sub("", plain(answer))), home)
    now = home.now
    if end is None or not now < end <= now + _FURTHEST:
        return False
    draft.lifecycle, draft.expires_at = _answered("temporary", answer), end
    return True


def _end(words: str, home: Home) -> datetime | None:
    """Return the end that `words` name; of a day, the midnight after it (A-12)."""
    now = home.now.astimezone(home.zone)
    month_end = _MONTH_END.search(words)
    if month_end is not None:
        month = now.month % 12 + 1 if month_end["next"] else int(number(month_end["n"] or "") or 0)
        if not 1 <= month <= 12:
            return None
        year = now.year + (month < now.month) + (month == 12)
        return datetime(year, month % 12 + 1, 1, tzinfo=now.tzinfo)
    span = _SPAN.fullmatch(words)
    if span is not None:
        many = number(span["n"])
        days = None if many is None else round(many * _DAYS[span["unit"]])
        return None if not days or days > _FURTHEST.days else _midnight(now, days)
    life = read_life(words, home)
    if life.limited and life.expires is not None:
        return life.expires
    schedule: Schedule | None = read_clock(words, home).schedule
    if schedule is None or schedule.at is None:
        return None
    return _midnight(schedule.at, 1) if schedule.guessed else schedule.at


def _midnight(at: datetime, days: int) -> datetime:
    return datetime.combine(at.date() + timedelta(days=days), time(0), at.tzinfo)


_STEPS = {
    "person": _person,
    "viewpoint": _viewpoint,
    "camera_name": _camera_name,
    "device": _device,
    "time": _time,
    "expiry": _expiry,
}
