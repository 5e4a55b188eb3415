"""What a task and its parts are called, and what it is for (H-ID, A-53, H-MAP-02). Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from zhixing.household.advising.spoken import span
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.words import Kind, behaviours
from zhixing.household.composing.conditions import Subject
from zhixing.household.composing.dictionary import entries
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.composing.news import called, clean, entry_of, name_of
from zhixing.household.composing.saying import Saying, as_written, printable
from zhixing.household.plan import LONGEST_DESCRIPTION

LONGEST_SLUG = 32
_MOST_NUMBERED = 1000
LONGEST_SCENE = 60
"""Characters of a name of a rule or a job behind its prefix."""
_ENDINGS = {"progress": "计数", "event": "记录", "duration": "累计时长"}
_WINDOWS = {"day": "daily", "week": "weekly", "month": "monthly", "longterm": "total"}
_LIMITED = ((re.compile("周末"), "weekend"), (re.compile("[这本]个?周|周"), "week"), (re.compile("月"), "month"))
_DAYS = {"* * *": "daily", "* * 1-5": "workdays", "* * 0,6": "weekends"}
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LOOSE = re.compile(r"(?<=[\u4e00-\u9fff]) (?=\d)|(?<=\d) (?=[\u4e00-\u9fff])")
_SLUG = re.compile(r"[a-z][a-z0-9_]{2,31}", re.ASCII)
_ONE = re.compile(r"[一1两](?:次|遍|下|个|杯)")
_TAIL = re.compile(r"[ ，。！!？?哈呗啊呀吧嘛哦]+$")


@dataclass(frozen=True, slots=True)
class Named:
    """The pieces of a task that its name is made of."""

    subject: str
    room: str
    topic: str
    amount: str
    effect: str
    device: str
    period: str
    channel: str


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = tomllib.loads(
        files(__package__).joinpath("naming.toml").read_text(encoding="utf-8")
    )
    return found


def slug(draft: Draft, subjects: Sequence[Subject], saying: Saying, site: Site) -> str:
    """Return a name that nobody has: the shortest that says what the task does, then more of it, then a number."""
    taken = site.taken | {task.id for task in site.home.tasks}
    named = _named(draft, subjects, saying, site)
    last = "task"
    for pieces in _candidates(draft, named):
        last = _joined(pieces) or last
        if last not in taken and len(last) >= 4:
            return last
    for number in range(2, _MOST_NUMBERED):
        ending = f"_{number}"
        found = last[: LONGEST_SLUG - len(ending)].rstrip("_") + ending
        if found not in taken:
            return found
    raise Unwritable("name")


def description(draft: Draft) -> str:
    """Return what the task is for: the user's own words."""
    words = clean_words(draft.text)
    return words if len(words) <= LONGEST_DESCRIPTION else words[: LONGEST_DESCRIPTION - 1] + "…"


def clean_words(text: str) -> str:
    """Return a sentence without loose blanks and fillers at its end."""
    return as_written(_TAIL.sub("", re.sub(r"\s+", "，", _LOOSE.sub("", printable(text).strip()))).strip("，"))


def rule_scene(draft: Draft, subject: Subject, act: str, *, several: bool) -> str:
    """Return the name of a rule behind its prefix: 喝水计数, 久坐 30 分钟提醒, 客厅无人关灯."""
    base = name_of(draft)
    if entry_of(draft) is None:
        return clean(f"{called(subject) if several else ''}{base}{_ENDINGS.get(_kind(draft), act)}")[:LONGEST_SCENE]
    who = called(subject) if several or subject.person or subject.sort or _tells_who(draft, subject) else ""
    place = draft.rooms[0] if draft.rooms and not subject.person and draft.rooms[0] not in base else ""
    record = draft.record.value if draft.record is not None else None
    if record is not None:
        return clean(f"{who if several else ''}{base}{_ENDINGS[record.kind]}")[:LONGEST_SCENE]
    entry = entry_of(draft)
    told = entry is not None and entry.fact.startswith("{who}")
    thing = subject.name if subject.source == "object" and told and base[0] not in subject.name else ""
    hold = draft.duration
    lasting = f" {span(hold.value)}" if hold is not None and not hold.must_be_told else ""
    return clean(f"{place}{who}{thing}{base}{lasting}{act}")[:LONGEST_SCENE]


def _kind(draft: Draft) -> str:
    return "" if draft.record is None else draft.record.value.kind


def _tells_who(draft: Draft, subject: Subject) -> bool:
    """Whether the name of a rule says 有人, 有陌生人: where coming and going is all there is to see."""
    comes = draft.behaviour is not None and draft.behaviour.kind is Kind.STATE
    return subject.source in ("stranger", "abstract") or (subject.source == "any" and comes)


def _named(draft: Draft, subjects: Sequence[Subject], saying: Saying, site: Site) -> Named:
    words = _words()
    people = [words["roles"].get(one.name, "") for one in subjects if one.source not in ("first_person", "implicit")]
    device = next((one.kind for one in site.home.devices if draft.device and one.did == draft.device.value), "")
    return Named(
        subject="_".join(filter(None, people[:2])),
        room=words["rooms"].get(draft.rooms[0], "") if draft.rooms else "",
        topic=_topic(draft, saying),
        amount=_amount(draft),
        effect={"off": "off", "blink": "signal"}.get(draft.effect, ""),
        device=words["devices"].get(device, "") if draft.effect else "",
        period=_period(draft, site),
        channel=draft.channel.value if draft.channel is not None else "",
    )


def _candidates(draft: Draft, it: Named) -> Iterator[tuple[str, ...]]:
    """Yield the pieces of ever more telling names."""
    record = draft.record.value if draft.record is not None else None
    if not draft.rule:
        yield it.topic, it.period
        yield it.topic, it.period, it.channel
        return
    if record is not None and record.kind == "progress":
        yield it.topic, it.amount, it.period
        yield it.subject, it.topic, it.amount, it.period
    elif record is not None:
        ending = "time" if record.kind == "duration" else "log"
        yield it.topic, ending, it.period
        yield it.subject, it.topic, ending, it.period
        yield it.subject, it.room, it.topic, ending, it.period
    elif it.topic == "empty":
        yield it.room or "home", it.effect or it.device or "empty"
        yield it.room or "home", "empty", it.device, it.effect
    elif draft.effect:
        yield it.subject, it.room if it.topic in ("presence", "enter", "leave") else "", it.topic, it.device, it.effect
        yield it.subject, it.room, it.topic, it.device, it.effect
    else:
        alert = "alert" if draft.behaviour is not None and draft.behaviour.kind.value == "safety" else ""
        near = it.room if it.topic in ("presence", "enter", "leave") else ""
        plain = (it.subject, near, "" if it.topic == it.subject else it.topic, it.amount, alert)
        yield plain
        yield (it.subject, it.room, it.topic, it.amount, alert or "notice")
    yield it.subject, it.room, it.topic, it.amount, it.device, it.effect, it.channel, it.period


def _joined(pieces: Sequence[str]) -> str:
    """Return the pieces as a name: each once, cut at a whole piece where it is too long."""
    found = ""
    for piece in dict.fromkeys(filter(None, pieces)):
        longer = f"{found}_{piece}" if found else piece
        if len(longer) > LONGEST_SLUG:
            break
        found = longer
    return found


def _topic(draft: Draft, saying: Saying) -> str:
    entry = entry_of(draft)
    if entry is not None:
        return entry.slug
    if draft.behaviour is not None and _SLUG.fullmatch(draft.behaviour.key):
        return draft.behaviour.key.removesuffix("_seen")
    return _errand(saying.content)


def _errand(said: str) -> str:
    words = _ONE.sub("", said)
    for key, behaviour in behaviours().items():
        match = behaviour.pattern.search(words)
        if match is not None and len(match[0]) > 1 and behaviour.subject is None and key in entries():
            return entries()[key].slug
    errands = sorted(_words()["errands"].items(), key=lambda errand: -len(errand[0]))
    return next((piece for word, piece in errands if word in words), "remind")


def _amount(draft: Draft) -> str:
    record = draft.record.value if draft.record is not None else None
    if record is not None:
        return str(record.target) if record.target is not None else ""
    if draft.duration is None or draft.duration.must_be_told:
        return ""
    seconds = draft.duration.value
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _period(draft: Draft, site: Site) -> str:
    record = draft.record.value if draft.record is not None else None
    if record is not None:
        if draft.lifecycle.value == "temporary":
            return next((name for words, name in _LIMITED if words.search(draft.text)), "today")
        return _WINDOWS.get(record.window or "", "") if record.task_type != "longterm" else ""
    schedule = draft.schedule.value if draft.schedule is not None else None
    if schedule is None:
        return ""
    if schedule.at is not None:
        return _moment(schedule.at, site)
    if schedule.every_ms is not None:
        return "every_" + _every(schedule.every_ms // 1000)
    minute, hours, *on = (schedule.expr or "0 9 * * *").split()
    days = _DAYS.get(" ".join(on)) or _weekdays(on[2]) or ("monthly" if on[1] == "*" else "yearly")
    first = hours.partition(",")[0]
    return f"{days}_{_clock(int(first), int(minute))}" if first.isdigit() and minute.isdigit() else days


def _weekdays(field: str) -> str:
    days = field.split(",")
    return "_".join(_WEEKDAYS[int(day) % 7] for day in days[:3]) if all(day.isdigit() for day in days) else ""


def _moment(at: datetime, site: Site) -> str:
    local, now = at.astimezone(site.home.zone), site.home.now.astimezone(site.home.zone)
    days = (local.date() - now.date()).days
    day = {0: "today", 1: "tomorrow"}.get(days, f"{local:%m%d}")
    return f"{day}_{_clock(local.hour, local.minute)}"


def _clock(hour: int, minute: int) -> str:
    shown = hour % 12 or 12
    return f"{shown}{f'{minute:02}' if minute else ''}{'am' if hour < 12 else 'pm'}"


def _every(seconds: int) -> str:
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
