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
_APART = re.compile(r" (?:到时候?|到点|记得|别忘了?|要)?(?:用\S{2,4})?(?:手机)?(?:提醒|叫|喊|通知)")
_HEARER = re.compile(
    r"(?:[我他她]们?|大家|爷爷|奶奶|爸爸|妈妈|外公|外婆|儿子|女儿|孩子|老公|老婆|阿姨)?(?:一下|一声|下)?"
)
_CONDITION = re.compile(
    "就|如果|要是|的话|时候|有人|没人|谁|陌生|没|还|不|超|满|够|以后|之后|以前|之前|连续|持续|[看玩写睡打坐躺哭]$|出现|经过|回家|到家|回来|进门|出门|每次|记录|统计|看[电手]|玩|游戏|[抽吸]烟|喝酒|咳|哭|摔|熬夜|久坐|睡着|醒|[开关][着了]|开始|了$"
)
"""Words of something that has to be seen first; beside them a time is no announcement."""
_LEAST = 2
_REPEATS = re.compile(r"(?:\d|[二两三四五六七八九十百])+(?:个|次|组|下|遍|趟|圈)")
"""So many times is a goal (A-43); so many tablets or cups at a time is a dose."""
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
    if response is not None and _announced(notes.rest, before, response, clock):
        draft.message = before.strip()
        return by_clock(draft, clock, response)
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


def _announced(text: str, before: str, response: Response, clock: Clock) -> bool:
    """Whether what is told at a time stands in front of it: 明天下午三点开会 提醒我一下 (A-43)."""
    schedule = clock.schedule
    timed = schedule is not None and not schedule.default and not schedule.guessed
    plain_ = response.tells and response.act is None and _HEARER.fullmatch(response.content) is not None
    if not (timed and plain_ and _APART.search(text)) or len(before.strip()) < _LEAST:
        return False
    return _CONDITION.search(before) is None and _GOAL.search(before) is None and _ASKS.search(before) is None


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
    if _ONCE.search(response.content):
        return False
    return True if _REPEATS.search(response.content) else None


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
