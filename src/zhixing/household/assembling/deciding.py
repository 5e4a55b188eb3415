"""One sentence about one task → its draft. Every step rests on a clause; None: the words do not make it certain."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.assembling.amounts import NUMBER
from zhixing.household.assembling.clock import Clock, Schedule
from zhixing.household.assembling.clock_points import POINT
from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.draft import Draft, default, inferred, said
from zhixing.household.assembling.life import Life, read_life
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.response import Response, head, mixed, read_notes, read_response, repeatedly
from zhixing.household.assembling.ruling import Sentence, rule

_GATE = re.compile(
    r"(?:凌晨|早上|上午|中午|下午|晚上|夜里|半夜|深夜)?(?:\d+|[一二三四五六七八九十]+)点半?(?:以后|之后|后|过后)(?=\S*?(?:有|没|人|在|看|玩|睡|写|抽|喝|打|咳|哭))"
)
MOST_BEFORE_GATE = 6
"""Characters that name somebody; more is a clause of its own."""
_TIMED = re.compile(rf"{POINT.pattern}|每天|每周|每晚|每?隔|每{NUMBER}个?(?:分钟|小时)|[再又](?:打开|关|提醒|说)|然后")
_BEYOND = re.compile(
    r"除了|除非|但是|不过|只在|只有|仅|别在|不要在|除外|以外|否则|不然|直到|顺便|如果不|优先|随机|轮流"
)
_GOAL = re.compile(
    r"(?:每天|每周|每个?月|一天|今天|工作日)?\S*?(?:\d|[一二三四五六七八九十百几两])+(?:杯|次|个|组|步|顿|回|遍|片|粒)"
)
_ASKS = re.compile(r"多久|多长时间|多少|几次|几个|几杯|几回")
_KEEPS = re.compile("记着|记录|统计|记下")
_WATCHES = re.compile(r"有没有|是不是|是否|没有|了没|谁")
"""What is to be told has to be watched first: no task of the clock alone (H-RULE-06)."""
_ONCE = re.compile(r"[一1](?:杯|次|个|组|顿|片|粒)")
_NOTHING = re.compile(
    r"^(?:定个|设个|设一个|建个|来个|定一个|就|请|都|也|得|记得|在|用|的|时候|再|每次|帮|给|我|到了?|以后|往后|今后|从今往后|从今天起|从今天开始|从现在起)*$"
)


def decide(text: str, request: Request) -> Draft | None:
    """Return the draft for one plain sentence, or None where a model has to read it.

    Raises `TooLong` for a single stretch of more than a day (H-DUR-07).
    """
    if _BEYOND.search(text) or repeatedly(text):
        return None
    notes = read_notes(text)
    whole = notes.rest.replace(" ", "")
    life = read_life(whole, request.home)
    gate, body = _gated(life.rest)
    clock = _daily(_clock(body, request.home), life, whole)
    if not clock.sure:
        return None
    draft = Draft(text)
    live(draft, life, clock)
    if gate:
        draft.gate = inferred("desc", "A-26")
    found = head(clock.rest)
    before = clock.rest if found is None else clock.rest[: found.start()]
    response = read_response(clock.rest[found.start() :]) if found is not None else None
    sentence = Sentence(before, whole, life, clock, notes, response)
    if response is not None and _NOTHING.match(before.strip()):
        counts = _counts(response, clock)
        if counts is None:
            return None
        if counts:
            return rule(draft, replace(sentence, when=response.content.replace("今天", ""), spoken=True), request)
        return None if notes.quiet else by_clock(draft, clock, response)
    if clock.schedule is not None and clock.schedule.kind != "cron":
        return None
    return rule(draft, sentence, request)


def _gated(words: str) -> tuple[bool, str]:
    """Take the hours out within which something has to happen (A-26): 晚上十点以后 …, 儿子晚上十点以后还 …."""
    gate = _GATE.search(words)
    if gate is None or gate.start() > MOST_BEFORE_GATE or (gate.start() and head(words[: gate.start()]) is not None):
        return False, words
    return True, words[: gate.start()] + words[gate.end() :]


def _clock(body: str, home: Home) -> Clock:
    """Read the clock before what-then; only where it is silent, the words behind (提醒我每天8点起床)."""
    found = head(body)
    if found is not None and found.start() > 0:
        before = read_clock(body[: found.start()], home)
        if before.schedule is not None:
            behind = body[found.start() :]
            return replace(before, rest=before.rest + behind, sure=before.sure and not _TIMED.search(behind))
    return read_clock(body, home)


def _daily(clock: Clock, life: Life, words: str) -> Clock:
    """Read one point of the clock as every day's, where what stands beside it repeats."""
    schedule = clock.schedule
    if schedule is None or schedule.at is None:
        return clock
    if not (life.daily or (life.periodic and re.search("记|汇总|统计", words))):
        return clock
    return replace(clock, schedule=Schedule("cron", expr=f"{schedule.at.minute} {schedule.at.hour} * * *"))


def live(draft: Draft, life: Life, clock: Clock) -> None:
    """Decide permanent or temporary, in the order of §9; a window beside a period wins, with a tip (A-29)."""
    if life.limited:
        conflict = life.periodic and not life.open_end
        draft.lifecycle = inferred("temporary", "A-29") if conflict else said("temporary", "H-LIFE-02")
        draft.expires_at = life.expires
        if life.open_end:
            draft.ask("expiry")
    elif life.periodic:
        draft.lifecycle = said("permanent", "H-LIFE-01")
    elif clock.schedule is not None and clock.schedule.kind == "at":
        draft.lifecycle = said("temporary", "H-LIFE-04")


def _counts(response: Response, clock: Clock) -> bool | None:
    """Whether what is to be told at a time is itself something to count (A-43). None: it may be."""
    if not response.tells:
        return False
    if _ASKS.search(response.content):
        return True
    if not _GOAL.search(response.content):
        return False
    schedule = clock.schedule
    if schedule is None or schedule.default:
        return True
    if schedule.kind != "cron":
        return False
    if _KEEPS.search(response.content):
        return True
    return False if _ONCE.search(response.content) else None


def by_clock(draft: Draft, clock: Clock, response: Response) -> Draft | None:
    """Finish a task that the clock alone starts (H-RULE-05); nobody is asked for a channel (H-CHAN-08)."""
    schedule = clock.schedule
    if schedule is None or _WATCHES.search(response.content) or mixed(response.words):
        return None
    if schedule.default:
        draft.schedule = default(schedule, "H-FREQ-12")
    else:
        draft.schedule = default(schedule, "A-46") if schedule.guessed else said(schedule, "H-FREQ-01")
    if schedule.kind == "at":
        draft.expires_at = None
    if clock.gone:
        draft.ask("time")
    if response.channels:
        draft.channel = said(response.channels[0], "H-CHAN-06")
        draft.channels = response.channels
    return draft
