"""A family and its home for thirty days: twenty tasks of all kinds, what happens to them, and what has to come of it.

What happens is drawn from a seed. What has to come of it is worked out here a second time, plainly, from what happened:
an episode is a stretch in which something is so, and nothing else is known to this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from tests.household import examples
from tests.household.examples import TZ
from tests.household.living import Act, Life

from zhixing.household.plan import read_plan
from zhixing.world.perception.verdict import Value, Verdict

HOME = ZoneInfo(TZ)
START = datetime.fromisoformat("2026-10-12T10:00:00+08:00").astimezone(UTC)
SEED = 20261012
DAYS = 30
END = START + timedelta(days=DAYS)
FRAME = timedelta(seconds=4)
"""Between two verdicts of a camera while something happens."""
STILL = timedelta(seconds=148)
"""Between two while nothing changes."""
SECOND = timedelta(seconds=1)
MONTH = datetime.fromisoformat("2026-11-10T23:59:59+08:00")


@dataclass(frozen=True)
class Episode:
    """A stretch in which something is so. `blip` is one verdict in it that is not true."""

    start: datetime
    end: datetime
    blip: Value | None = None


@dataclass(frozen=True)
class Habit:
    """How often something happens: on which days, at what hour, how many times, for how many seconds."""

    hours: tuple[float, ...]
    span: tuple[int, int]
    weekdays: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    chance: float = 1.0
    spread: int = 1_200
    """Seconds by which it may be later."""
    again: float = 0.0
    """How probable it is that it stops for less than a minute."""
    since: int = 1
    until: int = DAYS


@dataclass(frozen=True)
class Pause:
    """A task is disabled from half past twelve of one day to half past twelve of another."""

    first: int
    last: int

    @property
    def start(self) -> datetime:
        return noon(self.first) + timedelta(minutes=30)

    @property
    def end(self) -> datetime:
        return noon(self.last) + timedelta(minutes=30)


@dataclass(frozen=True)
class Member:
    """One task of the home, and what it lives on."""

    plan: dict[str, Any]
    habit: Habit | None = None
    pause: Pause | None = None
    ends: datetime | None = None
    """After this nothing counts any more."""
    cooldown: int = 0
    quiet: tuple[int, int] | None = None
    """Hours in which it does not fire."""
    enough: int | None = None
    """With so many answers it is over."""

    @property
    def slug(self) -> str:
        return str(self.plan["task"]["task_id"])

    @property
    def praise(self) -> str:
        """What is told when the target is reached."""
        rule = self.rule or {}
        said = rule.get("on_target_desc") or rule.get("action_desc") or ""
        return said.rpartition("通知：")[2] if "达标" in said or "on_target_desc" in rule else ""

    @property
    def rule(self) -> dict[str, Any] | None:
        rules = self.plan.get("rules") or []
        return rules[0] if rules else None


def day(number: int) -> date:
    """Return a day of the thirty; the first one is 1."""
    return START.astimezone(HOME).date() + timedelta(days=number - 1)


def noon(number: int) -> datetime:
    """Return noon of a day."""
    return datetime.combine(day(number), time(12), HOME).astimezone(UTC)


# The home


def _members() -> tuple[Member, ...]:
    """Return the twenty tasks."""
    today = datetime.fromisoformat("2026-10-12T23:59:59+08:00")
    week = datetime.fromisoformat("2026-10-18T23:59:59+08:00")
    meals = (10.4, 11.2, 12.5, 13.3, 14.6, 15.5, 16.6, 17.4, 18.8)
    return (
        Member(examples.fall(), Habit((20.5,), (20, 60), chance=0.1)),
        Member(examples.curtain(), Habit((6.5,), (120, 400), again=0.4, since=2)),
        Member(examples.medicine()),
        Member(examples.drink_today(), Habit(meals, (8, 20), spread=300, until=3), ends=today),
        Member(examples.phone(), Habit((12.8, 19.0, 23.7), (60, 3_000), again=0.3), Pause(12, 14)),
        Member(examples.lights_off(), Habit((9.5, 14.0, 21.0), (60, 1_500))),
        Member(examples.sitting(), Habit((10.2, 20.0), (600, 4_000))),
        Member(examples.mother(), Habit((12.2, 18.0, 20.3), (12, 40), chance=0.8)),
        Member(examples.drink_daily(), Habit(meals, (8, 20), spread=300, chance=0.9), Pause(15, 17)),
        Member(_reading(), Habit((21.0,), (60, 4_000), chance=0.7, again=0.3)),
        Member(_coughing(), Habit((3.2, 11.0, 23.95), (4, 8), chance=0.5)),
        Member(_running(), Habit((18.2,), (200, 2_400), chance=0.8)),
        Member(_books(), Habit((20.6, 21.4), (4, 12), chance=0.6)),
        Member(_rising()),
        Member(_stretching(), pause=Pause(8, 9)),
        Member(_hall_light(), Habit((7.2, 12.1, 18.05, 22.2), (20, 300), again=0.5), Pause(20, 22)),
        Member(_piano(week), Habit((16.5, 19.5), (1_500, 4_200)), ends=week),
        Member(_chime(), Habit((10.1, 10.3, 17.0), (8, 16), chance=0.7)),
        Member(_balcony(), Habit((8.0, 8.3, 22.4), (8, 120)), cooldown=3_600, quiet=(22, 7)),
        Member(_squats(), Habit((7.0, 7.1, 20.1), (8, 20), spread=200), enough=30),
    )


def _task(slug: str, description: str, **more: Any) -> dict[str, Any]:
    """Write a plan; `rule` is what its one rule has besides a name."""
    about = {"task_id": slug, "description": description}
    about |= {name: more.pop(name) for name in ("lifecycle", "expires_at") if name in more}
    rule = more.pop("rule", None)
    rules = [] if rule is None else [{"name": f"[{slug}] {description}", **rule}]
    return {"task": about, "rules": rules, **more}


def _record(kind: str, **content: Any) -> dict[str, Any]:
    return {"kind": kind, "content": content}


def _every(window: str) -> dict[str, str]:
    return {"window": window}


def _reading() -> dict[str, Any]:
    rule = {
        "mode": "state",
        "condition": "爸爸坐着看书",
        "duration_seconds": 90,
        "exit_debounce_seconds": 60,
        "on_enter_desc": "开始计时",
        "on_exit_desc": "结束计时",
    }
    record = _record("duration", recurring_pattern=_every("week"))
    return _task("reading_week", "记下每周看书多久", rule=rule, record=record)


def _coughing() -> dict[str, Any]:
    rule = {"mode": "event", "condition": "有人咳嗽", "action_desc": "事件追加：咳嗽"}
    return _task("cough_log", "记录咳嗽", rule=rule, record=_record("event"))


def _running() -> dict[str, Any]:
    rule = {
        "mode": "event",
        "condition": "妈妈在跑步机上跑步",
        "duration_seconds": 180,
        "action_desc": "跑步次数加一；首次达标时使用手机推送通知：本周跑够了",
    }
    record = _record("progress", target=5, unit="次", window="week", recurring_pattern=_every("week"))
    reminder = {
        "name": "[run_weekly] 提醒",
        "kind": "cron",
        "expr": "0 9 * * *",
        "tz": TZ,
        "message": examples.REMAINING.format(slug="run_weekly"),
    }
    return _task("run_weekly", "一周跑步 5 次", rule=rule, record=record, schedules=[reminder])


def _books() -> dict[str, Any]:
    rule = {
        "mode": "event",
        "condition": "女儿合上书本",
        "action_desc": "+1；首次达标时使用 AI 对话通知：这个月的书读完了",
    }
    record = _record("progress", target=20, unit="次", window="month", recurring_pattern=_every("month"))
    return _task("books_monthly", "每月读 20 次书", rule=rule, record=record)


def _rising() -> dict[str, Any]:
    schedule = {"name": "[rise] 起床", "kind": "cron", "expr": "30 7 * * 1-5", "tz": TZ, "message": "提醒用户起床"}
    return _task("rise", "工作日 7 点半叫起床", schedules=[schedule])


def _stretching() -> dict[str, Any]:
    schedule = {
        "name": "[stretch] 站起来",
        "kind": "every",
        "every_ms": 7_200_000,
        "message": "提醒用户站起来走走",
    }
    return _task("stretch", "每 2 小时提醒站起来", schedules=[schedule])


def _hall_light() -> dict[str, Any]:
    lamp = {"did": "light_entrance", "iid": "prop.on", "idempotent": True}
    rule = {
        "mode": "state",
        "condition": "玄关有人",
        "source": "cam_entrance",
        "exit_debounce_seconds": 60,
        "on_enter_action": {**lamp, "value": True},
        "on_exit_action": {**lamp, "value": False},
    }
    return _task("hall_light", "玄关来人就亮灯", rule=rule)


def _piano(end: datetime) -> dict[str, Any]:
    rule = {
        "mode": "state",
        "condition": "女儿弹钢琴",
        "duration_seconds": 60,
        "exit_debounce_seconds": 180,
        "on_enter_desc": "记录起点",
        "on_exit_desc": "记录终点",
        "on_target_desc": "使用音箱播报通知：这周的琴练够了",
    }
    limit = {"expires_at": end.isoformat()}
    record = _record("duration", target_minutes=300, **limit)
    return _task("piano_week", "这周练琴满 300 分钟", lifecycle="temporary", rule=rule, record=record, **limit)


def _chime() -> dict[str, Any]:
    action = {
        "did": "speaker_living",
        "iid": "action.play-text",
        "params": ["有人按门铃"],
        "idempotent": False,
        "cooldown_minutes": 10,
    }
    rule = {"mode": "event", "condition": "有人按门铃", "source": "cam_entrance", "action": action}
    return _task("door_chime", "有人按门铃就播报", rule=rule)


def _balcony() -> dict[str, Any]:
    rule = {
        "mode": "event",
        "condition": "阳台有人",
        "cooldown_seconds": 3_600,
        "quiet": ["22:00-07:00"],
        "action_desc": "使用手机推送通知：阳台有人",
    }
    return _task("balcony", "阳台有人告诉我", rule=rule)


def _squats() -> dict[str, Any]:
    rule = {
        "mode": "event",
        "condition": "用户做了一个深蹲",
        "action_desc": "计数加一；首次达标时使用手机推送通知：做够了",
    }
    record = _record("progress", target=30, unit="个", window="longterm", expires_at=MONTH.isoformat())
    return _task("squats", "做够 30 个深蹲", lifecycle="target", rule=rule, record=record)


MEMBERS = _members()
"""The twenty tasks."""


# What happens


def lived(member: Member, seed: int) -> tuple[Episode, ...]:
    """Draw what happens to a task in thirty days, in order, never overlapping, whole frames after midnight."""
    habit = member.habit
    if habit is None:
        return ()
    random = Random(f"{seed} {member.slug}")
    found: list[Episode] = []
    for number in range(habit.since, habit.until + 1):
        midnight = noon(number) - timedelta(hours=12)
        if midnight.astimezone(HOME).weekday() not in habit.weekdays:
            continue
        for hour in habit.hours:
            if random.random() > habit.chance:
                continue
            start = midnight + timedelta(hours=hour) + random.randrange(0, habit.spread // 4) * FRAME
            span = max(1, random.randint(*habit.span) // 4) * FRAME
            blip = random.choice([None, None, Value.FALSE, Value.UNKNOWN]) if span > 60 * SECOND else None
            found.append(Episode(start, start + span, blip))
            if random.random() < habit.again:
                start += span + random.randint(2, 11) * FRAME
                found.append(Episode(start, start + random.randint(5, 60) * FRAME))
    found.sort(key=lambda episode: episode.start)
    apart = [one for before, one in zip([None, *found], found, strict=False) if _is_apart(before, one)]
    return tuple(one for one in apart if _is_inside(one) and not _straddles(one, member.pause))


def _is_apart(before: Episode | None, one: Episode) -> bool:
    return before is None or one.start - before.end >= 2 * FRAME


def _is_inside(one: Episode) -> bool:
    return one.start > START + timedelta(minutes=5) and one.end < END - timedelta(hours=1)


def _straddles(one: Episode, pause: Pause | None) -> bool:
    """Whether an episode is near the beginning or the end of a pause; what happens there is a test of its own."""
    ends = () if pause is None else (pause.start, pause.end)
    margin = timedelta(hours=2)
    return any(one.start - margin < at < one.end + margin for at in ends)


def verdicts(episodes: Iterable[Episode], camera: str, query: str) -> Iterator[Verdict]:
    """Yield what a camera says: twice before each change and twice after it, and now and then while it lasts."""

    def say(value: Value, at: datetime) -> Verdict:
        return Verdict(camera, query, value, at)

    last = None
    for one in episodes:
        if last is None or one.start - last > 4 * FRAME:
            yield say(Value.FALSE, one.start - FRAME)
        at = one.start
        middle = one.start + (one.end - one.start) // FRAME // 2 * FRAME
        while at < one.end:
            yield say(one.blip if one.blip is not None and at == middle else Value.TRUE, at)
            step = STILL if one.start + 2 * FRAME < at else FRAME
            if one.blip is not None and at < middle <= at + step:
                step = middle - at
            elif at == middle:
                step = FRAME
            at += step
        yield say(Value.FALSE, one.end)
        yield say(Value.FALSE, one.end + FRAME)
        last = one.end + FRAME


def live(life: Life, *, restarts: Iterable[float] = ()) -> None:
    """Make the home and let the family live in it; `restarts` are days, with fractions."""
    seen: list[Verdict] = []
    acts: list[Act] = []
    household = life.app.household
    for member in MEMBERS:
        made = household.apply(read_plan(member.plan), who="cli")
        if made.rules:
            trigger = made.rules[0].plan.trigger
            camera = (*trigger.sources, "cam_living")[0]
            seen += verdicts(lived(member, SEED), camera, trigger.query)
        if member.pause is not None:
            acts.append(Act(member.pause.start, partial(_switch, life, member.slug, on=False)))
            acts.append(Act(member.pause.end, partial(_switch, life, member.slug, on=True)))
    acts += [Act(noon(number) + timedelta(hours=11), partial(_close_curtain, life)) for number in range(1, DAYS)]
    acts += [Act(START + timedelta(days=number), life.restart) for number in restarts]
    life.live(seen, acts, END)


def _switch(life: Life, slug: str, *, on: bool) -> None:
    act = life.app.household.enable if on else life.app.household.disable
    act(slug, who="cli")


def _close_curtain(life: Life) -> None:
    life.hub.set_property("curtain_bedroom", "target-position", 0)


# What has to come of it


@dataclass
class Outcome:
    """When a rule answers, in order; and how the record stands day by day (seconds, or a count)."""

    enters: list[datetime] = field(default_factory=list)
    exits: list[datetime] = field(default_factory=list)
    sessions: list[tuple[datetime, datetime]] = field(default_factory=list)


def outcome(member: Member, episodes: Iterable[Episode]) -> Outcome:
    """Work out what a rule makes of what happened."""
    rule = member.rule or {}
    duration = timedelta(seconds=rule.get("duration_seconds") or 0)
    debounce = timedelta(seconds=rule.get("exit_debounce_seconds", 60))
    state = rule.get("mode") == "state"
    found = Outcome()
    for one in _merged(episodes, duration, debounce) if state else episodes:
        at = one.start + duration
        if one.end < at or (member.ends is not None and at >= member.ends):
            continue
        if member.pause is not None and member.pause.start <= at < member.pause.end:
            continue
        if member.quiet is not None and not member.quiet[1] <= at.astimezone(HOME).hour < member.quiet[0]:
            continue
        if member.cooldown and found.enters and at - found.enters[-1] < timedelta(seconds=member.cooldown):
            continue
        if member.enough == len(found.enters):
            break
        found.enters.append(at)
        if state:
            left = one.end if member.ends is None else min(one.end, member.ends)
            found.sessions.append((one.start, left))
            if member.ends is None or one.end + debounce < member.ends:
                found.exits.append(one.end + debounce)
    return found


def _merged(episodes: Iterable[Episode], duration: timedelta, debounce: timedelta) -> Iterator[Episode]:
    """Join what stops for less than the debounce, once it counts: it holds again when it was said twice."""
    current: Episode | None = None
    for one in episodes:
        counts = current is not None and current.end >= current.start + duration
        if (
            current is not None
            and counts
            and one.start + FRAME < current.end + debounce
            and one.end > one.start + FRAME
        ):
            current = Episode(current.start, one.end)
            continue
        if current is not None:
            yield current
        current = one
    if current is not None:
        yield current


def counts_by_day(found: Outcome) -> Counter[date]:
    """Count the answers of each day."""
    return Counter(at.astimezone(HOME).date() for at in found.enters)


def seconds_by_day(found: Outcome) -> Counter[date]:
    """Add up the sessions of each day, cut at midnight."""
    total: Counter[date] = Counter()
    for piece in _pieces(found.sessions):
        total[piece[0].astimezone(HOME).date()] += int((piece[1] - piece[0]) / SECOND)
    return total


def reached(member: Member, found: Outcome) -> list[datetime]:
    """Work out when the target of each period was reached."""
    record = member.plan.get("record") or {}
    content = record.get("content", {})
    window = content.get("recurring_pattern", {}).get("window", "ever")
    total: Counter[date] = Counter()
    instants = []
    if record.get("kind") == "progress":
        for at in found.enters:
            total[period_of(at, window)] += 1
            if total[period_of(at, window)] == content["target"]:
                instants.append(at)
    elif "target_minutes" in content:
        for start, end in _pieces(found.sessions):
            missing = content["target_minutes"] * 60 - total[period_of(start, window)]
            spent = int((end - start) / SECOND)
            total[period_of(start, window)] += spent
            if 0 < missing <= spent:
                instants.append(start + missing * SECOND)
    return instants


def spaced(instants: Iterable[datetime], pause: timedelta) -> list[datetime]:
    """Leave out what comes sooner after the one before that is left."""
    kept: list[datetime] = []
    for at in instants:
        if not kept or at - kept[-1] >= pause:
            kept.append(at)
    return kept


def instants(schedule: dict[str, Any]) -> list[datetime]:
    """Work out when a schedule comes in the thirty days: at hours of days of the week, or every so often."""
    if schedule["kind"] == "every":
        step = timedelta(milliseconds=schedule["every_ms"])
        return [START + number * step for number in range(1, int((END - START) / step) + 1)]
    minute, hours, _, _, weekdays = schedule["expr"].split()
    wanted = [
        datetime.combine(day(number), time(int(hour), int(minute)), HOME).astimezone(UTC)
        for number in range(1, DAYS + 2)
        for hour in hours.split(",")
        if weekdays == "*" or day(number).weekday() < 5
    ]
    return [at for at in wanted if START < at <= END]


def period_of(at: datetime, window: str) -> date:
    """Return the first day of the period that an instant is in."""
    local = at.astimezone(HOME).date()
    match window:
        case "week":
            return local - timedelta(days=local.weekday())
        case "month":
            return local.replace(day=1)
        case "ever":
            return date.min
        case _:
            return local


def _pieces(sessions: Iterable[tuple[datetime, datetime]]) -> Iterator[tuple[datetime, datetime]]:
    """Cut sessions at midnight."""
    for start, end in sessions:
        at = start
        while at < end:
            midnight = datetime.combine(at.astimezone(HOME).date() + timedelta(days=1), time(), HOME).astimezone(UTC)
            yield at, min(end, midnight)
            at = min(end, midnight)
