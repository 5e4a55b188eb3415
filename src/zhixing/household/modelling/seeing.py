"""What a model says is to be seen: the behaviour of the dictionary, or a condition of its own under our rules."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.assembling.draft import Condition, Objects
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.who import Mention
from zhixing.household.assembling.words import Behaviour, Kind, behaviours
from zhixing.household.checks import refused
from zhixing.household.checks.conditions import lint_condition
from zhixing.household.checks.lexicon import says
from zhixing.household.composing.dictionary import entries
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.protocol import (
    LONGEST_BODY,
    LONGEST_COUNTER,
    LONGEST_NAME,
    LONGEST_QUOTE,
    WireCondition,
    WireTrigger,
)

_SLUG = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_NEVER = re.compile(r"(?!)")
_ORDERS = re.compile(
    r"[你您]|请|忽略|无视|指令|提示词|系统|回答|输出|回复|助手|(?i:ignore|prompt|system|assistant|http)"
)
"""A condition describes a picture; whoever looks at it takes no orders from there."""
_FOREIGN = re.compile(r"[^\w，、/（）()·℃%\-\s]")
_LATIN = re.compile(r"[A-Za-z]{13,}|(?:[A-Za-z]+ ){2,}[A-Za-z]+")
_HOLDS = {"posture": 30, "gaze": 45, "still": 60, "screen": 90, "exercise": 180, "focus": 180, "unsure": 60}
"""Recommended seconds by the sort of behaviour (H-DUR-13 … 19)."""
_RESTING, _LONG_GAP, _SHORT_GAP = frozenset(("exercise", "focus")), 180, 60
_CROSSINGS = frozenset(("arrives", "leaves", "enters", "exits"))
_PERIODS = re.compile(r"每天|每周|每个?月|每[晚早]|一天|今天|统计|记录|累计|超过|连着|连续")
_ANYBODY = "任何人"


def behaviour_of(trigger: WireTrigger, who: tuple[Mention, ...], words: str, place: str) -> Behaviour:
    """Return the behaviour that a trigger names: one of the dictionary, or a new one. `words`: the task, plain.

    What the dictionary calls a danger is one, whatever the model says.
    """
    animal = any(mention.how == "animals" for mention in who)
    if trigger.behaviour is not None:
        found = behaviours().get(trigger.behaviour)
        if found is None or not _fits(found, who, animal=animal):
            raise Misread(Fault.BEHAVIOUR, f"{place}.behaviour")
        if found.kind is not Kind.SAFETY and found.pattern.search(words) is None and _danger(words):
            raise Misread(Fault.BEHAVIOUR, f"{place}.behaviour")
        return found
    if trigger.condition is None:
        raise Misread(Fault.BEHAVIOUR, place)
    return _new(trigger, animal=animal, danger=_danger(words))


def _fits(behaviour: Behaviour, who: tuple[Mention, ...], *, animal: bool) -> bool:
    """Whether a behaviour is one of those who are named: only animals are on sofas as pets, only strangers strange."""
    hows = {mention.how for mention in who}
    if ("animal" in behaviour.marks) and not animal:
        return False
    if behaviour.key == "stranger":
        return "stranger" in hows
    if "car" in behaviour.marks:
        return "cars" in hows
    return "known" not in behaviour.marks or bool(hows & {"role", "name", "class", "surname", "first"})


def _danger(words: str) -> bool:
    return any(
        behaviour.pattern.search(words) is not None
        for behaviour in behaviours().values()
        if behaviour.kind is Kind.SAFETY
    )


def _new(trigger: WireTrigger, *, animal: bool, danger: bool) -> Behaviour:
    kind = Kind(trigger.manner)
    if danger and kind not in (Kind.OBJECT, Kind.SCENE):
        kind = Kind.SAFETY
    movement = trigger.movement if kind is not Kind.SAFETY else None
    if movement in _CROSSINGS or movement == "presence":
        kind = Kind.STATE
    marks = {mark for mark in (movement, "animal" if animal else None) if mark is not None}
    if trigger.condition is not None and trigger.condition.kind == "audio":
        marks.add("audio")
    lasting = kind is Kind.CONTINUOUS or (kind in (Kind.OBJECT, Kind.SCENE) and trigger.steady != "sudden")
    hold = _HOLDS.get(trigger.steady, _HOLDS["unsure"]) if lasting else None
    gap = _LONG_GAP if trigger.steady in _RESTING else _SHORT_GAP
    subject = _thing(trigger, kind)
    return Behaviour(
        key=_key(trigger.name),
        kind=kind,
        hold=hold,
        gap=gap,
        subject=subject,
        marks=frozenset(marks),
        nouns=_nouns(trigger, subject),
        pattern=_NEVER,
        ways=(),
    )


def _thing(trigger: WireTrigger, kind: Kind) -> str | None:
    """Return what the proposition is about where it is no person (H-SUBJ-07, H-SUBJ-08)."""
    if kind is Kind.SCENE:
        return "画面"
    return trigger.subject.names[0] if kind is Kind.OBJECT and trigger.subject.names else None


def _nouns(trigger: WireTrigger, subject: str | None) -> tuple[str, ...]:
    """Return the words for it, the last of them what is done (在墙上乱画); none where the picture is the subject."""
    if trigger.manner == "scene":
        return ()
    words = plain(trigger.quote)
    hold = trigger.hold.quote if trigger.hold is not None else ""
    for other in (hold, trigger.gate, trigger.starts, trigger.each, trigger.at_once, trigger.absent):
        words = words.replace(plain(other[:LONGEST_QUOTE]), "") if other and other.strip() else words
    for name in trigger.subject.names:
        words = words.removeprefix(plain(name))
    return tuple(filter(None, (subject, _PERIODS.sub("", words).strip())))


def _key(name: str) -> str:
    """Return a key that no behaviour of the dictionary has."""
    key = name if len(name) <= LONGEST_NAME - len("_seen") and _SLUG.fullmatch(name) else "seen"
    return f"{key}_seen" if key in behaviours() or key in entries() else key


def condition_of(wire: WireCondition, behaviour: Behaviour, names: tuple[str, ...], place: str) -> Condition:
    """Return a condition that no check refuses, whoever it is about. `names`: how the words call the subject."""
    body = _clean(wire.body, LONGEST_BODY, f"{place}.body")
    for name in names:
        body = body.removeprefix(name)
    body = body.strip("，、。； ")
    counters = tuple(_counter(one, f"{place}.counters") for one in wire.counters)
    objects = tuple(
        Objects(
            tuple(_clean(item, LONGEST_NAME, f"{place}.objects") for item in one.items),
            _clean(one.category, LONGEST_NAME, f"{place}.objects") if one.category.strip() else "",
        )
        for one in wire.objects
        if one.items
    )
    found = Condition(_kind(wire, behaviour), body, tuple(_as_listed(one, body) for one in objects), counters)
    _lint(found, behaviour.subject or _ANYBODY, place)
    return found


def _as_listed(objects: Objects, body: str) -> Objects:
    """Return objects as the body has them; a single thing needs no kind (H-SEG-11)."""
    items = tuple(item for item in objects.items if item in body)
    return replace(objects, items=items, category=objects.category if len(items) > 1 else "")


def _kind(wire: WireCondition, behaviour: Behaviour) -> str:
    """Return what sort of condition it is; an action cannot be called a scene to be spared its counter-examples."""
    if behaviour.kind in (Kind.OBJECT, Kind.SCENE):
        return behaviour.kind.value
    if "animal" in behaviour.marks:
        return "animal"
    if "presence" in behaviour.marks:
        return "presence"
    return "audio" if wire.kind == "audio" else "action"


def _counter(counter: str, place: str) -> str:
    return _clean(counter, LONGEST_COUNTER, place).removeprefix("不含").strip("，、。； ")


def _clean(words: str, most: int, place: str) -> str:
    """Return words that describe something to be seen, on one line. Raises `Misread` for anything else."""
    words = " ".join(words.split()).replace(",", "，").replace("。", "").strip()
    if not words or len(words) > most or not words.isprintable() or _FOREIGN.search(words):
        raise Misread(Fault.BOUNDS, place)
    if _ORDERS.search(words) or _LATIN.search(words) or says("desc.commands_patterns", words):
        raise Misread(Fault.BOUNDS, place)
    return words


def _lint(condition: Condition, subject: str, place: str) -> None:
    tail = "；" + "，".join(f"不含{counter}" for counter in condition.counters) if condition.counters else ""
    findings = lint_condition(f"{subject}{condition.body}{tail}", condition.kind, subject)
    objects = condition.objects
    if any(len(one.items) > 1 and (not one.category or one.category not in condition.body) for one in objects):
        raise Misread(Fault.CONDITION, f"{place}.objects", "不止一种物体要写上位类别")
    if refused(findings):
        wrong = next(finding for finding in findings if refused((finding,)))
        raise Misread(Fault.CONDITION, place, wrong.text)
