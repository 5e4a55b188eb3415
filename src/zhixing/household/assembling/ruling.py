"""A task that something seen starts: who, how long, event or state, what happens, through what (§10–§17, §21–§24)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from zhixing.household.assembling.clock import Clock
from zhixing.household.assembling.counting import read_record, reminders
from zhixing.household.assembling.draft import Condition, Draft, default, inferred, said
from zhixing.household.assembling.life import Life
from zhixing.household.assembling.modes import mode
from zhixing.household.assembling.place import device_for, look, speaker
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.response import Notes, Response, mixed
from zhixing.household.assembling.trigger import Trigger, read_trigger
from zhixing.household.assembling.who import Mention, mentions, subject_of
from zhixing.household.assembling.words import Behaviour, Kind, behaviours
from zhixing.kernel.claims import Basis, Claim

DAY = 86_400
_PRAISE = re.compile(r"^(?:夸夸?|表扬|鼓励|安慰)")
_TOO_LITTLE = re.compile("不足|不到|没到|少于|没满")
_TOTAL = re.compile("累计|总共|合计|加起来|一共")
_HIS_CAR = ("role", "name")
"""Whose car it is: 爸爸的车."""
_CHANNELS = {"A": "speaker", "B": "phone", "C": "chat"}


class TooLong(Exception):
    """A single stretch of more than a day is asked for (H-DUR-07)."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in its parts. `when`: what starts it; `spoken`: that stood behind 提醒我."""

    when: str
    whole: str
    life: Life
    clock: Clock
    notes: Notes
    response: Response | None
    spoken: bool = False


def rule(draft: Draft, sentence: Sentence, request: Request) -> Draft | None:
    """Decide everything about the rule of `draft`; None where it is not certain."""
    response = sentence.response
    schedule = sentence.clock.schedule
    looked_at = schedule is not None and (not schedule.default or _TOTAL.search(sentence.when) is not None)
    if _TOO_LITTLE.search(sentence.when) and not looked_at:
        return None  # too little is known only at a time
    if response is not None and (mixed(response.words) or _unread(response)):
        return None
    return rule_on(draft, read_trigger(sentence.when, request.home), sentence, request)


def rule_on(draft: Draft, trigger: Trigger, sentence: Sentence, request: Request) -> Draft | None:
    """Decide everything about the rule of `draft` that `trigger` starts, whoever read it; None where it is not certain.

    Raises `TooLong`.
    """
    response, home, life = sentence.response, request.home, sentence.life
    if trigger.hold is not None and trigger.hold > DAY and life.limited:
        trigger = replace(trigger, total=True)  # 这个月练琴满30小时: no single stretch
    if trigger.seen and trigger.hold is not None and trigger.hold > DAY and not (trigger.total or life.limited):
        if sentence.clock.schedule is not None and not sentence.clock.schedule.default:
            return None
        raise TooLong
    trigger = _away(_left_empty(trigger, response), sentence)
    if trigger.leftover or trigger.behaviour is None:
        return None
    behaviour = _behaviour(trigger.behaviour, trigger)
    draft.notify = bool(response and response.tells) and not sentence.notes.quiet
    draft.effect = response.act.effect if response and response.act else ""
    _sees(draft, behaviour, trigger)
    if not _count(draft, trigger, sentence):
        return None
    if draft.record is not None and response is not None and response.act is not None:
        return None  # counted and switched: two answers
    subject = _subject(behaviour, trigger, sentence, home)
    if subject is None or (response is None and draft.record is None):
        return None
    draft.subject = subject
    if subject.value == "ask":
        draft.ask("person")
    if not mode(draft, trigger, sentence.notes, request.answers.get("trigger_frequency")):
        return None
    _act(draft, response, home)
    look(draft, trigger, home)
    _view(draft, sentence.notes.view)
    _channel(draft, sentence, request)
    return draft


def _sees(draft: Draft, behaviour: Behaviour, trigger: Trigger) -> None:
    """Note what is to be seen, where and, of a reading, how it looks."""
    draft.rule, draft.behaviour, draft.also, draft.rooms = True, behaviour, trigger.also, trigger.rooms
    if behaviour.body:
        draft.condition = inferred(_looks(behaviour, trigger), "A-42")
    if trigger.gate:
        draft.gate = inferred("desc", "A-26")


def _view(draft: Draft, view: str) -> None:
    """Take whether the camera sees it happen from the words: nothing to ask, nothing to tell (H-VIEW-05)."""
    if view and (draft.viewpoint is not None or "viewpoint" in draft.questions):
        draft.viewpoint = said(view, "H-VIEW-05")
        draft.questions = [kind for kind in draft.questions if kind != "viewpoint"]


def _looks(behaviour: Behaviour, trigger: Trigger) -> Condition:
    """Return what is to be seen of an instrument: its reading, as it was said (A-42)."""
    return Condition("scene", behaviour.body.format(reading=trigger.reading), (), ())


def _unread(response: Response) -> bool:
    """Whether words behind the device say something more that would be lost."""
    return bool(response.more) and not (response.tells or response.chosen)


def _left_empty(trigger: Trigger, response: Response | None) -> Trigger:
    """Return what is to be seen where somebody has left a room for a while, and something goes off: nobody (A-17)."""
    off = response is not None and response.act is not None and response.act.effect == "off"
    leaves = trigger.behaviour is not None and "exits" in trigger.behaviour.marks
    if not (off and leaves and trigger.hold):
        return trigger
    return replace(trigger, behaviour=behaviours()["room_empty"], who=())


def _away(trigger: Trigger, sentence: Sentence) -> Trigger:
    """Return the trigger as of somebody who is away for as long as the task lives: 出差的时候家里有人 … (H-EVF-03)."""
    return replace(trigger, absent=True) if sentence.life.open_end and sentence.life.away else trigger


def _behaviour(behaviour: Behaviour, trigger: Trigger) -> Behaviour:
    """Return the behaviour meant: 全家都出门 is an empty home."""
    everybody = any(mention.how == "members" for mention in trigger.who)
    return behaviours()["home_empty"] if behaviour.key == "leave_home" and everybody else behaviour


def _count(draft: Draft, trigger: Trigger, sentence: Sentence) -> bool:
    if not read_record(draft, trigger, sentence.life, sentence.whole):
        return False
    schedule = sentence.clock.schedule
    days = sentence.clock.days
    if draft.record is None and schedule is not None and (not schedule.default or days != "*"):
        return False  # an event and a time of day: neither belongs in the condition nor is it a schedule of its own
    reminders(draft, sentence.clock, sentence.life, sentence.whole)
    return True


def _subject(
    behaviour: Behaviour, trigger: Trigger, sentence: Sentence, home: Home
) -> Claim[str | tuple[str, ...]] | None:
    """Decide who or what the proposition is about (§12)."""
    who, response = trigger.who, sentence.response
    if behaviour.subject is not None:
        if any(mention.how != "members" for mention in who):
            return None  # 没人的时候有人, 天黑了有人: two propositions
        named = _thing(behaviour, sentence.when)
        if "sensor" in behaviour.marks and trigger.rooms:
            named = trigger.rooms[0]
        return said(named, "H-SUBJ-08" if behaviour.kind is Kind.SCENE else "H-SUBJ-07")
    if len(who) == len(_HIS_CAR) and tuple(mention.how for mention in who)[1:] == ("cars",) and who[0].how in _HIS_CAR:
        return said("车", "A-20")
    if len(who) > 1 and any(mention.how in ("animals", "cars", "stranger") for mention in who):
        return None
    if not who and "anyone" in behaviour.marks:
        return inferred("任何人", "H-SUBJ-05")
    if not who and response is not None and _PRAISE.match(response.verb):
        praised, _ = mentions(response.content, home)
        who = tuple(mention for mention in praised if mention.how == "role")[:1]
    if not who and response is not None and response.verb == "提醒":
        if _names_hearer(response, home):
            return None  # 提醒爸爸起来走走: perhaps he is the one who sits
        who = _spoken_to(response, sentence)
    return subject_of(who, home) or default("用户", "H-SUBJ-09")


def _thing(behaviour: Behaviour, words: str) -> str:
    """Return the noun of the words themselves, where they have one (H-SUBJ-07)."""
    return next((noun for noun in behaviour.nouns if noun in words), behaviour.subject or "")


def _spoken_to(response: Response, sentence: Sentence) -> tuple[Mention, ...]:
    """Return the first person where 提醒我 goes on to say what I do: 提醒我每天喝水 (A-21)."""
    acts = response.hearer == "我" and (sentence.spoken or len(response.content) >= 2)
    return (Mention("first", (), "我"),) if acts else ()


def _names_hearer(response: Response, home: Home) -> bool:
    who, _ = mentions(response.content, home)
    named = bool(who) and who[0].how in ("role", "name", "class")
    return named and response.content.startswith(who[0].words)


def _act(draft: Draft, response: Response | None, home: Home) -> None:
    """Decide whether the answer is fixed (json) or has to be worked out (desc) (§14)."""
    if response is None or response.act is None or draft.record is not None:
        draft.action = said("desc", "H-ACT-06")
        return
    device_for(draft, response.act, home)
    told = response.tells and response.act.kind != "music"
    desc = told or draft.gate is not None or response.chosen
    draft.action = said("desc" if desc else "json", "A-48" if told else "H-ACT-05")


def _channel(draft: Draft, sentence: Sentence, request: Request) -> None:
    """Decide through what somebody is told, or ask (§21)."""
    response = sentence.response
    if response is None or sentence.notes.quiet or not (response.tells or response.chosen):
        return
    channels = response.channels or sentence.notes.channels
    answer = request.answers.get("channel", "")
    if channels:
        draft.channel = said(channels[0], "H-CHAN-06")
        draft.channels = channels
    elif response.chosen and not response.tells:
        draft.channel = said("speaker", "H-CHAN-04")
    elif answer in _CHANNELS:
        draft.channel = Claim(_CHANNELS[answer], Basis.ANSWERED, answer)
    else:
        draft.channel = said("ask", "H-CHAN-01")
        draft.ask("channel")
    if draft.channel.value == "speaker" and draft.device is None:
        speaker(draft, request.home, response.room)
