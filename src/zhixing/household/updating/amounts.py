"""Wishes about how many, how long and over which period. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.advising import spoken
from zhixing.household.assembling.amounts import MEASURE, NUMBER, UNIT, number, seconds
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.tips import MOST_GAP
from zhixing.household.assembling.words import Kind, behaviours
from zhixing.household.descs import read_desc
from zhixing.household.jobs import JobKind
from zhixing.household.updating import rewording
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, Step, Unclear
from zhixing.kernel.wording import wording
from zhixing.tasks.records.model import Content, RecordKind, Window
from zhixing.tasks.rules.model import Mode, Plan, Response

DAY = 86_400
LARGEST_COUNT = 100_000
_COUNT = re.compile(rf"(?P<n>(?:\d{{1,9}}|{NUMBER}))(?P<unit>{MEASURE})(?!月|小时|钟)")
_BARE = re.compile(rf"(?:\d{{1,9}}|{NUMBER})")
_SPAN = re.compile(rf"(?:(?:\d{{1,9}}(?:\.\d+)?|{NUMBER})个?半?{UNIT})+")
_PERIOD = re.compile(r"每天|每个?周|每个?月|一天|一周|一个月|每日")
_PER = re.compile(
    r"(?:按|以)(?P<per>天|日|周|月)(?:来)?(?:算|计|统计|累计)?|(?P<each>每天|每个?周|每个?月)(?:重新)?(?:算|计)|一直累计|不分天"
)
_TOTAL = re.compile(r"累计|合计|总共|加起来|一共")
_HOLD = re.compile(r"持续|连续|一口气|才算?|再(?!改|把)|等|满|过(?=\d|[一二两三四五六七八九十半])|以上")
_STEADY = re.compile(r"持续|连续|一口气|才算")
_GAP = re.compile(
    r"间隔|冷却|离开(?=\d|[一二两三四五六七八九十半])|(?<!每)隔(?=\d|[一二两三四五六七八九十半])|内(?:不|别|只)\S{0,6}$"
)
_GOAL = re.compile(r"目标|达标|上限|累计|总共|合计")
_SAID = re.compile(r"每天|每日|每个?周|每个?月")
_EVERY = {Window.DAY: "每天", Window.WEEK: "每周", Window.MONTH: "每月"}
_EACH = ("每", "每隔", "隔")
_UP = re.compile(r"目标|以上|至少|最多|不?超过|达到|喝够|做够|够|满|到|改|每天|" + _PERIOD.pattern)


def window(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read over which period something is counted: 按周算."""
    match = _PER.search(clause.to)
    if match is None or standing.record is None or not fits(_without(clause.to, match), standing):
        return None
    said = match["per"] or (match["each"] or "")[-1:]
    wanted = {"天": Window.DAY, "日": Window.DAY, "周": Window.WEEK, "月": Window.MONTH}.get(said, Window.LONGTERM)
    record = standing.record
    if record.kind is RecordKind.EVENT:
        return None
    now = record.window
    after = _repeating(replace(standing, record=_over(record, wanted)), wanted)
    return Step(after, "window", _per(now), _per(wanted))


def gap(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read the distance between two times: 间隔改成 10 分钟."""
    if not (_GAP.search(clause.what) or _GAP.search(clause.to)):
        return None
    said = _GAP.sub("", clause.to)
    match = _SPAN.search(said)
    if match is None:
        return None
    rest = _without(said, match).replace("结束", "")
    length = seconds(match[0])
    if not fits(rest, standing):
        return None
    if not standing.rules:
        return _every(standing, length)
    if length is None or not 0 < length <= DAY:
        return _range(match[0], spoken.span(1), spoken.span(MOST_GAP))
    kept = min(length, MOST_GAP)  # H-DEB-08
    plans = {one.id: replace(one.plan, exit_debounce=kept) for one in standing.rules}
    old, shown = spoken.span(standing.rules[0].plan.exit_debounce), spoken.span(kept)
    if kept < length:
        shown = wording("updating.gap_capped", span=shown)
    return Step(standing.with_rules(plans), "gap", old, shown)


def count(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read a goal: 10 杯, 每周 3 次, or only 10."""
    record = standing.record
    match = _COUNT.search(clause.to)
    if match is None:
        match = _BARE.fullmatch(_UP.sub("", clause.to))
        counts = record is not None and record.kind is RecordKind.PROGRESS
        about = _GOAL.search(clause.what) is not None or fits(re.sub(r"\d", "", clause.what), standing)
        if match is None or record is None or not counts or not about:
            return None  # 音量改成50 is another number
        unit, rest, words = record.unit, "", match[0]
    else:
        unit, rest, words = match["unit"], _UP.sub("", _without(clause.to, match)), match["n"]
    if record is None or not fits(rest, standing):
        return None
    if record.kind is not RecordKind.PROGRESS:
        return _other_unit(standing, match[0])
    if unit != record.unit:
        return _other_unit(standing, match[0])
    value = int(words) if words.isascii() and words.isdigit() else number(words)
    if value is None or value != int(value) or not 1 <= value <= LARGEST_COUNT:
        return _range(match[0], f"1 {unit}", f"{LARGEST_COUNT} {unit}")
    return _goal(standing, record, int(value), clause.to)


def _goal(standing: Standing, record: Content, value: int, to: str) -> Step:
    period = _PERIOD.search(to)
    wanted = None if period is None else {"周": Window.WEEK, "月": Window.MONTH}.get(period[0][-1:], Window.DAY)
    content = replace(record, target=value)
    if wanted is not None and wanted is not record.window:
        content = _over(content, wanted)
    old = record.target or 0
    after = replace(rewording.texts(standing, rewording.counts(old, value, record.unit)), record=content)
    shown = f"{value} {record.unit}"
    if content.window is not record.window:
        after = _repeating(after, content.window)
        shown = f"{_per(content.window)} {shown}"
    return Step(after, "target", f"{old} {record.unit}", shown)


def span(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read a length of time: how long something has to go on, or what it adds up to."""
    match = _SPAN.search(clause.to)
    if match is None or re.match(r"之?[后内]", clause.to[match.end() :]) or clause.to[: match.start()].endswith(_EACH):
        return None  # an instant, or an interval
    rest = _TOTAL.sub("", _PERIOD.sub("", _HOLD.sub("", _UP.sub("", _without(clause.to, match)))))
    if not fits(rest, standing):
        return None
    record = standing.record
    totals = _TOTAL.search(clause.to) or _GOAL.search(clause.what)
    if totals:
        return _total(standing, match[0], clause.to)
    waits = _HOLD if record is None else _STEADY  # 超过2小时再提醒, of a record, is its goal
    if waits.search(clause.to) or waits.search(clause.what):
        return _hold(standing, match[0])
    if record is None:
        return _hold(standing, match[0]) if standing.rules else _every(standing, seconds(match[0]))
    if record.kind is not RecordKind.DURATION:
        return _other_unit(standing, match[0])
    if record.target is None:
        return Unclear("update_span_unclear", {"span": match[0]})
    return _total(standing, match[0], clause.to)


def _hold(standing: Standing, words: str) -> Read:
    length = seconds(words)
    if not standing.rules:
        return None
    if length is None or not 0 < length <= DAY:
        return _range(words, spoken.span(1), spoken.span(DAY))
    dangers = (each.pattern for each in behaviours().values() if each.kind is Kind.SAFETY)
    if any(words.search(standing.description) for words in dangers):
        return Unclear("update_safety", {"task": standing.description})
    old = max(one.plan.trigger.duration for one in standing.rules)
    reworded = rewording.texts(standing, rewording.spans(old, length)) if old and standing.record is None else standing
    plans = {one.id: replace(one.plan, trigger=replace(one.plan.trigger, duration=length)) for one in reworded.rules}
    return Step(reworded.with_rules(plans), "hold", spoken.span(old) if old else "", spoken.span(length))


def _total(standing: Standing, words: str, to: str) -> Read:
    length, record = seconds(words), standing.record
    if length is None or length % 60 or not 60 <= length <= 366 * DAY:
        return _range(words, spoken.span(60), spoken.span(366 * DAY))
    minutes = length // 60
    period = _PERIOD.search(to)
    wanted = None if period is None else {"周": Window.WEEK, "月": Window.MONTH}.get(period[0][-1:], Window.DAY)
    if record is None:
        return _accumulating(standing, minutes, wanted or Window.DAY)
    if record.kind is not RecordKind.DURATION:
        return _other_unit(standing, words)
    content = replace(record, target=minutes)
    if wanted is not None and record.recurring is not wanted:
        content = _over(content, wanted)
    reworded = standing
    if record.target is not None:
        reworded = rewording.texts(standing, rewording.spans(record.target * 60, length))
    old = spoken.span(record.target * 60) if record.target is not None else ""
    after, shown = replace(reworded, record=content), spoken.span(length)
    if content.window is not record.window:
        after, shown = _repeating(after, content.window), f"{_per(content.window)} {shown}"
    return Step(after, "total", old, shown)


def _accumulating(standing: Standing, minutes: int, over: Window) -> Read:
    """Make what is told after a stretch without a break into what is told when it adds up (A-34)."""
    if not standing.rules or not all(_only_tells(one.plan) and one.plan.trigger.duration for one in standing.rules):
        return Unclear("update_no_total", {"task": standing.description})
    length = minutes * 60
    reworded = rewording.texts(standing, rewording.spans(standing.rules[0].plan.trigger.duration, length))
    plans = {}
    for one in reworded.rules:
        trigger = replace(one.plan.trigger, mode=Mode.STATE, duration=min(60, one.plan.trigger.duration))
        plans[one.id] = replace(
            one.plan,
            trigger=trigger,
            on_enter=Response(descs=(wording("updating.desc_start"),)),
            on_exit=Response(descs=(wording("updating.desc_end"),)),
            on_target=Response(descs=one.plan.on_enter.descs),
            exit_debounce=60,
        )
    content = Content(RecordKind.DURATION, minutes, "", over, over)
    words = wording("updating.desc_total", task=reworded.description, window=_per(over))
    after = replace(reworded.with_rules(plans), record=content, description=words)
    return Step(after, "total", "", f"{_per(over)} {spoken.span(length)}")


def _only_tells(plan: Plan) -> bool:
    read = [read_desc(text) for text in plan.on_enter.descs]
    told = bool(read) and all(one.notifications and one.record is None and not one.rest for one in read)
    return told and not plan.on_exit and not plan.on_enter.actions


def _every(standing: Standing, length: int | None) -> Read:
    """Take a length for that of the interval of the only reminder."""
    jobs = standing.reminders
    if len(jobs) != 1 or jobs[0].plan.when.kind is not JobKind.EVERY or length is None:
        return None
    if not 60 <= length <= 366 * DAY:
        return _range(spoken.span(length), spoken.span(60), spoken.span(366 * DAY))
    (job,) = jobs
    plan = replace(job.plan, when=replace(job.plan.when, every=length * 1000, anchor=None))
    old = spoken.every(job.plan.when.every)
    return Step(standing.with_jobs({job.id: plan}), "schedule", old, spoken.every(length * 1000))


def _over(content: Content, wanted: Window) -> Content:
    """Return a record that begins anew with every period; one that has an end keeps it."""
    return replace(content, window=wanted, recurring=wanted)


def _repeating(standing: Standing, over: Window) -> Standing:
    """Return the task with the new period in its description, where that names the old one."""
    words = _EVERY.get(over)
    return standing if words is None else replace(standing, description=_SAID.sub(words, standing.description, count=1))


def _per(over: Window) -> str:
    return wording(f"advising.per_{over.value}")


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + text[match.end() :]


def _range(words: str, low: str, high: str) -> Unclear:
    return Unclear("update_amount_range", {"said": words[:32], "low": low, "high": high})


def _other_unit(standing: Standing, said: str) -> Unclear:
    record = standing.record
    timed = record is not None and record.kind is RecordKind.DURATION
    example = "2 小时" if timed else f"10 {record.unit if record is not None and record.unit else '次'}"
    unit = wording("updating.unit_time") if timed else record.unit if record is not None else ""
    if record is not None and record.kind is RecordKind.EVENT:
        return Unclear("update_no_goal", {"task": standing.description})
    return Unclear("update_unit", {"task": standing.description, "unit": unit, "said": said[:32], "example": example})
