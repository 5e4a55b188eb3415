"""The jobs of the clock: reminders, and the end of a task that has one (H-TRG, H-TZ, H-MSG, H-MAP-09). Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.response import Response, heads
from zhixing.household.assembling.words import any_of, people
from zhixing.household.checks.schedules import spread
from zhixing.household.composing import orders
from zhixing.household.composing.conditions import Subject
from zhixing.household.composing.descs import channels, notice
from zhixing.household.composing.model import Site
from zhixing.household.composing.news import clean, doer, name_of
from zhixing.household.composing.saying import Saying, without_way
from zhixing.kernel.claims import Basis

_LAST_DAY = re.compile(r"最后一天|月底|月末|每个?月底")
_FORTNIGHT = re.compile(r"双周|隔周|每两个?周|每隔一周|两周一次")
_LONGEST = 100
_HEARERS = frozenset("他她它")
_PEOPLE = re.compile(any_of((*people(), "大家")))
_PERFORMS = re.compile(r"[念读放唱](?:一?[段首篇])|播放|放音乐|讲(?:个|一个|一段)?故事")
_WAYS = {"speaker": "用音箱播报", "phone": "用手机推送", "chat": "用 AI 对话"}
_PLACES = {"speaker": "用音箱", "phone": "在手机上", "chat": "在 AI 对话里"}
_FOR_ME = re.compile(r"^(?:帮我|给我|帮忙|自动)+")
_SPEAKS = re.compile(r"^(?:说|喊|念|播|吼|讲)")
_JOINT = re.compile(r"(?:[ ，,]|同时|并且|而且|并|顺便|然后|再)+$")
_ONE = re.compile(r"(?<=[\u4e00-\u9fff])[一1](?:次|遍|下)(?=[\u4e00-\u9fff]|$)")


def ordered(draft: Draft, saying: Saying, site: Site) -> tuple[str, Draft] | None:
    """Return what the clock does to a device: the words for it, and the draft with the device that is chosen.

    None where it does nothing to one, or where that is not certain: then the words stay as they were said.
    """
    if draft.rule or draft.schedule is None or draft.record is not None:
        return None
    for words in (draft.message, *_commands(saying.response)):
        found = orders.written_all(words, draft, site) if words else None
        if found is not None:
            return found
    return None


def _commands(response: Response | None) -> tuple[str, ...]:
    """Return what stands in front of what is to be told, and all of it where nothing is."""
    if response is None:
        return ()
    if response.act is None or not response.tells:
        return () if response.tells and not _PERFORMS.search(response.words) else (response.words,)
    told = [match for match in heads(response.words) if match["tell"] or match["channel"]]
    return (_JOINT.sub("", response.words[: told[0].start()]),) if told else ()


def reminder(
    draft: Draft, slug: str, subjects: tuple[Subject, ...], saying: Saying, site: Site, *, order: str = ""
) -> dict[str, Any] | None:
    """Return the job that reminds, or None where the clock does nothing. `order`: what is done to a device."""
    if draft.schedule is None:
        return None
    schedule = draft.schedule.value
    days = (schedule.expr or "").split()[2:] if schedule.expr else []
    default = schedule.default and draft.schedule.basis is Basis.DEFAULT
    return {
        "name": f"[{slug}] {scene(draft, saying, order)}",
        "kind": schedule.kind,
        "expr": schedule.expr,
        "tz": site.home.zone.key if schedule.kind == "cron" else None,
        "at": iso(schedule.at, site),
        "every_ms": schedule.every_ms,
        "message": _message(draft, slug, subjects, saying, order),
        "purpose": "remind",
        "origin": "default" if default else "user",
        "scene": _natural(draft) if default else None,
        "dow_from_user": days not in ([], ["*", "*", "*"]),
        "linked": True,
    }


def termination(draft: Draft, slug: str, site: Site) -> dict[str, Any] | None:
    """Return the job that ends the task; what is nothing but one moment ends by itself (A-11)."""
    if draft.expires_at is None or draft.lifecycle.value != "temporary":
        return None
    return {
        "name": f"[{slug}] 到期销毁",
        "kind": "at",
        "expr": None,
        "tz": None,
        "at": iso(draft.expires_at, site),
        "every_ms": None,
        "message": f"到期销毁 task {slug}",
        "purpose": "terminate",
        "origin": "system",
        "scene": None,
        "dow_from_user": False,
        "linked": True,
    }


def iso(at: datetime | None, site: Site) -> str | None:
    """Return an instant with the offset of the home."""
    return None if at is None else at.astimezone(site.home.zone).isoformat(timespec="seconds")


def scene(draft: Draft, saying: Saying, order: str = "") -> str:
    """Return what a reminder is called: 吃药提醒, 拉开客厅窗帘."""
    if order:
        return order[:24]
    if draft.rule:
        counts = draft.record is None or draft.record.value.kind == "progress"
        return f"{name_of(draft)}{'提醒' if counts else '汇总'}"
    words = _what(saying)
    if saying.response is not None and channels(draft) and _PERFORMS.search(saying.response.words):
        return _performed(saying.response.words)[:24]
    return f"{words[:20] or '到点'}提醒" if _reminds(saying) else words[:24] or clean(draft.text)[:24]


def _message(draft: Draft, slug: str, subjects: tuple[Subject, ...], saying: Saying, order: str) -> str:
    record = draft.record.value if draft.record is not None else None
    if record is not None and (record.target is not None or record.target_minutes is not None):
        return f"调 miloco-cli task record get {slug}，按 derived.remaining 决定是否催"
    if record is not None:
        who = "、".join(filter(None, (doer(draft, subject) for subject in subjects)))
        what = f"汇总{who}{name_of(draft)}的{'时长' if record.kind == 'duration' else '次数'}"
        ways = [_WAYS[channel] for channel in channels(draft)]
        return f"{what}，{'和'.join(ways) or ''}告诉用户"
    return _sometimes(draft, _ordering(draft, saying, order) if order else _wish(draft, saying))


def _ordering(draft: Draft, saying: Saying, order: str) -> str:
    """Return a command with what is to be told beside it."""
    response = saying.response
    if response is None or response.act is None or not response.tells:
        return order
    words = _what(saying)
    beside = _wish(draft, saying) if words else notice(draft, f"时间到了，{order}") or f"提醒用户{order}"
    return f"{order}；{beside}"


def _wish(draft: Draft, saying: Saying) -> str:
    """Return what is to happen, as one would say it to somebody who does it (H-MSG-01, A-06)."""
    words, response = _what(saying), saying.response
    if response is None or not (response.tells or channels(draft)):
        return words or clean(draft.text)
    if channels(draft):
        if _PERFORMS.search(response.words):
            return f"{_PLACES[channels(draft)[0]]}{_performed(response.words)}"
        if not words:
            return notice(draft, "时间到了")
        return notice(draft, words if _spoken(response.verb, words) else _due(words))
    if not words:
        return "提醒用户时间到了"
    if response.hearer in _HEARERS:
        return f"提醒{response.hearer}{words}"
    return f"提醒{words}" if _PEOPLE.match(words) else f"提醒用户{words}"


def _performed(words: str) -> str:
    return clean(without_way(words))


def _spoken(verb: str, words: str) -> bool:
    """Whether the words are said as they are."""
    return not _PEOPLE.match(words) and (not verb or _SPEAKS.match(verb) is not None)


def _due(words: str) -> str:
    """Return 该…了, to whom it is said in front."""
    who = _PEOPLE.match(words)
    rest = words[who.end() :] if who else words
    if not rest:
        return f"{words}，时间到了"
    said = rest if rest.startswith(("该", "要", "别", "不要")) else f"该{rest}"
    return f"{who[0] + '，' if who else ''}{said if said.endswith('了') else said + '了'}"


def _what(saying: Saying) -> str:
    words = clean(_FOR_ME.sub("", _ONE.sub("", saying.content)))[:_LONGEST]
    return f"{words}了" if words.startswith("该") and not words.endswith("了") else words


def _reminds(saying: Saying) -> bool:
    return saying.response is not None and saying.response.tells


def _sometimes(draft: Draft, wish: str) -> str:
    """Put what no expression can say into the message (A-60)."""
    expr = (draft.schedule.value.expr or "") if draft.schedule is not None else ""
    if " 28-31 " in expr and _LAST_DAY.search(draft.text):
        return f"若今天是本月最后一天，{wish}"
    if _FORTNIGHT.search(draft.text):
        return f"隔一周一次：若上周没有提醒过，{wish}"
    return wish


def _natural(draft: Draft) -> str | None:
    """Return the natural hours that default points follow, where they are not spread evenly (H-FREQ-05)."""
    fields = (draft.schedule.value.expr or "").split() if draft.schedule is not None else []
    if len(fields) != 5 or draft.record is None or draft.record.value.kind != "progress":
        return None
    hours = [int(hour) for hour in fields[1].split(",") if hour.isdigit()]
    return None if hours == spread(len(hours)) else "按做这件事的时候"
