"""What is said when a task is made: five parts in plain sentences, and one for each tip (H-FIN, H-CHK). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zhixing.household.advising import sentence
from zhixing.household.advising.spoken import cameras, cron, every, moment, span
from zhixing.household.assembling.draft import Draft
from zhixing.household.checks.model import Tip
from zhixing.household.composing.conditions import Subject
from zhixing.household.composing.dictionary import ANY_ROOM, ROOM
from zhixing.household.composing.model import Report, Site
from zhixing.household.composing.news import called, entry_of, name_of, where
from zhixing.household.composing.rules import Written
from zhixing.household.composing.saying import Saying
from zhixing.household.descs import Desc, When, read_desc
from zhixing.household.doing.wishes import Judge, Sometimes, Switch, read_message
from zhixing.kernel.wording import wording

_SEPARATOR = "；"


@dataclass(frozen=True, slots=True)
class Told:
    """What a report is made of. `message`: what the clock says, where it says anything."""

    draft: Draft
    slug: str
    description: str
    cases: tuple[tuple[Draft, Subject], ...]
    written: tuple[Written, ...]
    tips: tuple[Tip, ...]
    saying: Saying
    message: str | None


def report(it: Told, site: Site) -> Report:
    """Return the report on what was composed, no more and no less (H-FIN-01)."""
    return Report(
        task=_say("task", slug=it.slug, description=it.description),
        trigger=_trigger(it, site),
        response=_response(it),
        lifecycle=_lifecycle(it.draft, site),
        tips=tuple(sentence(tip) for tip in it.tips),
    )


def _say(key: str, **values: object) -> str:
    return wording(f"composing.{key}", "zh", **values)


def _trigger(it: Told, site: Site) -> str:
    parts, draft = [], it.draft
    if draft.rule:
        parts.append(_say("starts_seen", what=seen(it, site)))
    if draft.schedule is not None:
        parts.append(_say(_clock_key(draft), when=_when(draft, site)))
    return "".join(parts)


def _clock_key(draft: Draft) -> str:
    if not draft.rule:
        return "starts_clock"
    record = draft.record.value if draft.record is not None else None
    goal = record is not None and (record.target is not None or record.target_minutes is not None)
    return "reminds_clock" if goal else "sums_up_clock"


def seen(it: Told, site: Site) -> str:
    """Return what is waited for: 客厅里有人咳嗽, 用户久坐，持续 30 分钟."""
    about: dict[str, tuple[Draft, list[Subject]]] = {}
    for draft, subject in it.cases:
        about.setdefault(name_of(draft), (draft, []))[1].append(subject)
    found = _say("or").join(_proposition(draft, subjects) for draft, subjects in about.values())
    gate, claim, source = it.saying.gate, it.draft.duration, it.draft.source
    lasting = "" if claim is None else _say("lasting", span=span(claim.value))
    looked = "" if source is None or source.value is None else cameras(source.value, site.home)
    by = _say("looked", cameras=looked) if looked else ""
    return f"{gate.words if gate is not None else ''}{found}{lasting}{by}"


def _proposition(draft: Draft, subjects: Sequence[Subject]) -> str:
    entry, room = entry_of(draft), draft.rooms[0] if draft.rooms else None
    if entry is None:
        return name_of(draft)
    named = ROOM in entry.name or "{place}" in entry.fact
    place = where(room) if room and not named else ""
    if any(one.source in ("object", "scene") for one in subjects):
        values = {"who": subjects[0].name, "room": room or ANY_ROOM, "span": "", "place": where(room) or "地上"}
        said = entry.fact.format(**values).partition("，")[0].removesuffix("了")
        return f"{place}{said or name_of(draft)}"
    return f"{place}{'、'.join(called(one) or one.name for one in subjects)}{name_of(draft)}"


def _when(draft: Draft, site: Site) -> str:
    schedule = draft.schedule.value if draft.schedule is not None else None
    if schedule is None:
        return ""
    if schedule.at is not None:
        return moment(schedule.at, site.home)
    return cron(schedule.expr) if schedule.expr else every(schedule.every_ms or 0)


def _response(it: Told) -> str:
    done = list(dict.fromkeys(words for one in it.written for words in _done(it.draft, one)))
    if it.message is not None:
        done.append(_reminding(it.draft, it.message))
    return _say("response", done=_SEPARATOR.join(done) or _say("nothing_else"), record=_recorded(it.draft))


def _done(draft: Draft, one: Written) -> list[str]:
    found = []
    if one.enter is not None:
        found.append(one.enter.phrase)
    for desc in (one.descs.enter, one.descs.target, one.descs.leave):
        found.extend(_told(read_desc(desc)) if desc else ())
    if one.leave is not None:
        found.append(_say("on_leaving", what=one.leave.phrase))
    elif draft.on_exit.evidence == "H-EXIT-03":
        found.append(_say("reset"))
    return found


def _told(desc: Desc) -> list[str]:
    keys = {When.ALWAYS: "tells", When.FIRST: "tells_first", When.REACHED: "tells_reached"}
    return [
        _say(keys[one.when], channel=_say(f"channel_{one.medium.value}"), text=one.text) for one in desc.notifications
    ]


def _reminding(draft: Draft, message: str) -> str:
    record = draft.record.value if draft.record is not None else None
    if record is not None and (record.target is not None or record.target_minutes is not None):
        return _say("urges")
    wish = read_message(message)
    wish = wish.wish if isinstance(wish, Sometimes) else wish
    if isinstance(wish, Judge) or (isinstance(wish, Switch) and draft.device is None):
        return _say("needs_steward", words=message)
    told = read_desc(message)
    return _SEPARATOR.join((*told.rest, *_told(told))) if told.notifications else message


def _recorded(draft: Draft) -> str:
    record = draft.record.value if draft.record is not None else None
    what = name_of(draft)
    if record is None:
        return _say("records_nothing")
    if record.kind == "progress":
        window = _say(f"window_{record.window or 'day'}")
        return _say("records_count", what=what, target=record.target, unit=record.unit, window=window)
    if record.kind == "event":
        return _say("records_event", what=what)
    if record.target_minutes is not None:
        return _say("records_time_goal", what=what, span=span(record.target_minutes * 60))
    return _say("records_time", what=what)


def _lifecycle(draft: Draft, site: Site) -> str:
    if draft.lifecycle.value != "temporary":
        return _say("permanent")
    if draft.expires_at is None:
        return _say("once")
    return _say("temporary", end=moment(draft.expires_at, site.home))
