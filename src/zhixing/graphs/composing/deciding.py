"""A request and a home → what is built, each word a device and a member of it; or one question. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from zhixing.graphs.building.sketch import Thing
from zhixing.graphs.composing import abilities
from zhixing.graphs.composing.clock_words import days_of
from zhixing.graphs.composing.finding import Candidate, Finder, asking
from zhixing.graphs.composing.following import NotBuilt, mirror_of
from zhixing.graphs.composing.lexicon import lexicon
from zhixing.graphs.composing.orders import Doable, Limited, orders, settable, takes, value_for
from zhixing.graphs.composing.phrases import done_words, shown
from zhixing.graphs.composing.plan import (
    Case,
    Hear,
    Pair,
    Plan,
    Repeat,
    Ringing,
    Sensed,
    Sensor,
    Step,
    Trigger,
    Watch,
    Write,
)
from zhixing.graphs.composing.request import (
    NOWHERE,
    Act,
    Being,
    Branch,
    Clock,
    Fact,
    Joint,
    Level,
    Mention,
    Press,
    Request,
    Say,
    Setting,
    State,
    Sun,
    Switch,
    Taken,
)
from zhixing.graphs.composing.tokens import number_of
from zhixing.graphs.specs.home import Home
from zhixing.graphs.times.sun import Place
from zhixing.kernel.questions import Option
from zhixing.kernel.wording import wording
from zhixing.language.text import normalise

LONGEST_NAME = 24
"""Characters of a name that is made of a sentence."""
_OPENINGS = frozenset({"door", "window", "contact"})


def decide(request: Request, home: Home, answers: Mapping[str, str], place: Place | None) -> Plan:
    """Return what is built. Raises `Unsettled` with the question to ask first, `NotBuilt`."""
    finder = Finder(home, answers)
    if request.follow is not None:
        mirror = mirror_of(request.follow, finder)
        return Plan(_name(request), (), mirror, (*request.taken, *finder.taken))
    deciding = _Deciding(request, finder, place)
    cases = tuple(deciding.case(each) for each in request.branches)
    return Plan(_name(request), cases, None, _once((*request.taken, *finder.taken, *deciding.taken)))


def _once(taken: Sequence[Taken]) -> tuple[Taken, ...]:
    return tuple({(each.key, *each.values.values()): each for each in taken}.values())


def _name(request: Request) -> str:
    words = " ".join(request.text.split()).strip("。；;，,.!！ ")
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"


class _Deciding:
    """Settles branch by branch."""

    def __init__(self, request: Request, finder: Finder, place: Place | None) -> None:
        self._request = request
        self._finder = finder
        self._place = place
        self._acts = [act for branch in request.branches for act in (*branch.acts, *branch.otherwise)]
        self.taken: list[Taken] = []

    def case(self, branch: Branch) -> Case:
        """Settle one branch: first what is watched, whose rooms then say which lamp is meant."""
        rooms = self._rooms(branch)
        triggers = [self._trigger(each, rooms) for each in branch.facts]
        joint = branch.joint
        self._tell_holds(branch)
        self._tell_doors(branch, triggers)
        if any(not each.hold for each in triggers if isinstance(each, Sensed)) and len(triggers) == 1:
            triggers, joint = _spread(triggers[0], joint)
        near = (*rooms, *self._told(triggers))
        asked = tuple(self._sensed(each, near) for each in branch.asked if isinstance(each, Level | Being))
        steps = tuple(step for act in branch.acts for step in self._steps(act, near, branch))
        otherwise = tuple(step for act in branch.otherwise for step in self._steps(act, near, branch))
        if not triggers:
            raise NotBuilt(self._request.text)
        steps, otherwise = _agreed(steps), _agreed(otherwise)
        if joint == "all" and branch.rounds is None:
            own = [each for each in triggers if _is_own(each, steps)]
            if len(own) < len(triggers):
                triggers = [each for each in triggers if each not in own]
                asked = (*asked, *(each for each in own if isinstance(each, Sensed)))
                self.taken += [Taken("taken_asked", {"words": each.words}) for each in own]
        repeat = self._repeat(branch, triggers, rooms)
        return Case(tuple(triggers), joint, branch.windows, asked, steps, otherwise, repeat)

    def _tell_holds(self, branch: Branch) -> None:
        """Say of several states for which one the span counts: 没人且灯开着超过10分钟."""
        states = [each for each in branch.facts if isinstance(each, Level | Being)]
        held = [each for each in states if each.hold is not None]
        if len(held) == 1 and len(states) > 1:
            self.taken.append(Taken("taken_hold", {"words": self._words(held[0])}))

    def _tell_doors(self, branch: Branch, triggers: Sequence[Trigger]) -> None:
        """Say of a state that is only told by events that it is not known before the first."""
        beside = len(branch.facts) + len(branch.asked) > 1
        for each in triggers:
            if isinstance(each, Sensed) and (each.hold is not None or beside):
                dids = [one.thing.did for one in each.sensors if isinstance(one, Pair)]
                self.taken += [Taken("taken_door", {"device": self._finder.label_of(did)}) for did in dids]

    def _repeat(self, branch: Branch, triggers: Sequence[Trigger], rooms: Sequence[str]) -> Repeat | None:
        rounds = branch.rounds
        if rounds is None:
            return None
        until = self._trigger(rounds.until, rooms) if rounds.until is not None else None
        ends = len(triggers) == 1 and isinstance(triggers[0], Sensed) and not triggers[0].is_event
        if until is None and not rounds.times and not ends:
            raise asking("until", "until")
        held = any(isinstance(each, Sensed) and each.hold is not None for each in triggers)
        self.taken.append(Taken("taken_first_now" if held else "taken_first_later"))
        if until is None and not rounds.times:
            self.taken.append(Taken("taken_until_end"))
        return Repeat(rounds.every, until, rounds.times, held)

    # What is watched

    def _trigger(self, fact: Fact, rooms: Sequence[str]) -> Trigger:
        match fact:
            case Clock(days=None):
                answer = self._finder.answer("days")
                days = days_of(normalise(answer).strip()) if answer else None
                if days is None:
                    names = wording("composing_graphs.days_offered", "zh").split()
                    raise asking("days", "days", [Option(each, each) for each in names], words=self._words(fact))
                return Ringing(replace(fact, days=days), f"{answer}{self._words(fact)}")
            case Clock():
                return Ringing(fact, self._words(fact))
            case Sun():
                if self._place is None:
                    raise asking("place", "place")
                return Ringing(fact, self._words(fact))
            case _:
                return self._sensed(fact, rooms)

    def _sensed(self, fact: Level | Being | Press, rooms: Sequence[str]) -> Sensed:
        found = [each for mention in fact.mentions for each in self._candidates(fact, mention, rooms)]
        words = self._words(fact)
        sensors = tuple(each.way.sensor for each in found)
        match fact:
            case Press():
                return Sensed(sensors, words, "any")
            case Level():
                return Sensed(sensors, words, "all", fact.hold)
            case Being():
                return _state(fact, sensors, words)

    def _candidates(
        self, fact: Level | Being | Press, mention: Mention, rooms: Sequence[str]
    ) -> tuple[Candidate[abilities.Way], ...]:
        match fact:
            case Level():
                found = self._finder.find(mention, lambda thing: abilities.level_ways(thing, fact), "level", rooms)
                return tuple(self._compared(each, fact) for each in found)
            case Press():
                return self._finder.find(
                    mention, lambda thing: abilities.press_ways(thing, fact, mention.key), "press", rooms
                )
            case Being(state=State.PRESENT | State.ABSENT):
                return self._finder.find(
                    mention, lambda thing: abilities.presence_ways(thing, fact.state), "presence", rooms
                )
        if _is_opening(mention):
            return self._finder.find(mention, lambda thing: abilities.opening_ways(thing, fact.state), "opening", rooms)
        return self._finder.find(
            mention,
            lambda thing: (*abilities.power_ways(thing, fact.state), *abilities.opening_ways(thing, fact.state)),
            "power",
            rooms,
        )

    def _compared(self, each: Candidate[abilities.Way], fact: Level) -> Candidate[abilities.Way]:
        watch = each.way.sensor
        found = abilities.level_watch(watch, fact) if isinstance(watch, Watch) else None
        if found is None:
            limits = takes(watch.prop) if isinstance(watch, Watch) else ""
            raise asking("level", "level", device=each.label, takes=limits, words=self._words(fact))
        return replace(each, way=replace(each.way, sensor=found))

    # What is done

    def _steps(self, act: Act, rooms: Sequence[str], branch: Branch) -> tuple[Step, ...]:
        act = self._answered(act)
        text = self._said(act, branch)
        who = act.mentions or (NOWHERE,)
        if isinstance(act, Switch) and act.turn == "on" and self._replaced(act):
            return ()
        found = [each for mention in who for each in self._doers(act, mention, text, rooms)]
        return tuple(Step(each.way.order, act.after, done_words(each.label, act, text)) for each in found)

    def _doers(self, act: Act, mention: Mention, text: str, rooms: Sequence[str]) -> tuple[Candidate[Doable], ...]:
        """Return who does it: of those that could be meant, who can do everything that is wanted of them."""
        same = [each for each in self._acts if mention in each.mentions and mention.span != (0, 0)]
        role = "speaker" if isinstance(act, Say) else "player" if not isinstance(act, Switch | Setting) else "doer"

        def able(thing: Thing) -> Sequence[Doable]:
            found = tuple(orders(thing, act, text))
            return found if all(_can(thing, each) for each in same) else ()

        if isinstance(act, Setting):
            self._check_value(act, mention, role, rooms)
        return self._finder.find(mention, able, role, rooms)

    def _check_value(self, act: Setting, mention: Mention, role: str, rooms: Sequence[str]) -> None:
        """Ask for another value where the device that is meant has the measure and does not take this one."""
        limits: dict[str, str] = {}

        def able(thing: Thing) -> Sequence[Doable]:
            for prop in settable(thing, act):
                value = value_for(prop, act)
                if isinstance(value, Limited):
                    limits[thing.did] = value.takes
                    return (Doable(Write(thing, prop, "")),)
                return (Doable(Write(thing, prop, value)),)
            return ()

        for each in self._finder.find(mention, able, role, rooms):
            if each.device.did in limits:
                raise asking(
                    "value", _value_subject(act), device=each.label, takes=limits[each.device.did], value=shown(act)
                )

    def _answered(self, act: Act) -> Act:
        """Return an act with the value that was answered, where one was asked for."""
        if not isinstance(act, Setting):
            return act
        answer = self._finder.answer(_value_subject(act)).strip().removesuffix("度").removesuffix("%")
        if not answer:
            return act
        number = number_of(answer) if answer.replace(".", "", 1).isdecimal() else None
        return replace(act, value=answer if number is None else number)

    def _replaced(self, act: Switch) -> bool:
        """Whether opening is said with how far: 打开窗帘到50% is one order."""
        for each in self._acts:
            if isinstance(each, Setting) and each.mentions == act.mentions and each.after == act.after:
                thing = lexicon().things.get(act.mentions[0].thing)
                curtain = thing is not None and "curtain" in thing.specs
                named = any(self._finder.kind_of(did) == "curtain" for did in act.mentions[0].names)
                if (curtain or named) and each.span[0] <= act.span[1]:
                    return True
        return False

    def _said(self, act: Act, branch: Branch) -> str:
        if not isinstance(act, Say):
            return ""
        if act.text:
            return act.text
        subject = f"text:{act.span[0]}-{act.span[1]}"
        answered = self._finder.answer(subject).strip()
        if answered:
            return answered[:100]
        states = [each for each in branch.facts if isinstance(each, Level | Being)]
        if not states:
            raise asking("text", subject)
        words = self._words(states[0])
        self.taken.append(Taken("taken_text", {"text": words}))
        return words

    # Rooms

    def _rooms(self, branch: Branch) -> tuple[str, ...]:
        """Return the rooms that a branch names, else those that the sentence names, where that is one."""
        own = _said_rooms([*branch.facts, *branch.asked, *branch.acts, *branch.otherwise], self._finder)
        if own:
            return own
        every = [each for one in self._request.branches for each in (*one.facts, *one.acts)]
        whole = _said_rooms(every, self._finder)
        return whole if len(whole) == 1 else ()

    def _told(self, triggers: Sequence[Trigger]) -> tuple[str, ...]:
        found = [each.thing.did for one in triggers if isinstance(one, Sensed) for each in one.sensors]
        return tuple(dict.fromkeys(room for did in found if (room := self._finder.room_of(did))))

    def _words(self, fact: Fact) -> str:
        start, end = fact.span
        return self._request.text[start:end].strip(" ，,") or "?"


def _state(fact: Being, sensors: tuple[Sensor, ...], words: str) -> Sensed:
    """Return how sensors tell a state together. Raises `NotBuilt` where they cannot."""
    joint = fact.joint or ("all" if fact.state in {State.ABSENT, State.OFF} or len(sensors) == 1 else "any")
    if fact.least:
        counted = fact.state is State.PRESENT and all(abilities.is_countable(each) for each in sensors)
        if not counted or not 1 <= fact.least <= len(sensors) or len(sensors) == 1:
            raise NotBuilt(words)
    if not any(isinstance(each, Hear) for each in sensors):
        return Sensed(sensors, words, joint, fact.hold, fact.least)
    # An event without its end says nothing of how long; that it did not come again for a while does.
    if fact.state is State.ABSENT and fact.hold is not None and len(sensors) == 1:
        return Sensed(sensors, words, joint, fact.hold, quiet=True)
    if fact.state is State.ABSENT or fact.hold is not None:
        raise NotBuilt(words)
    return Sensed(sensors, words, joint)


def _spread(trigger: Trigger, joint: Joint) -> tuple[list[Trigger], Joint]:
    """Let several sensors of one fact stand as facts of their own, so that each one's coming is heard."""
    if not isinstance(trigger, Sensed) or trigger.least or len(trigger.sensors) < 2:
        return [trigger], joint
    return [replace(trigger, sensors=(each,)) for each in trigger.sensors], trigger.joint


def _is_own(trigger: Trigger, steps: Sequence[Step]) -> bool:
    """Whether a state is that of a device that is told something then: asked when the rest comes, it never starts it.

    有人且灯没开就开灯 would else turn a lamp on again that somebody turned off.
    """
    if not isinstance(trigger, Sensed) or trigger.is_event or trigger.hold is not None:
        return False
    told = {each.order.thing.did for each in steps}
    return all(isinstance(each, Watch) and each.thing.did in told for each in trigger.sensors)


def _agreed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return each step once. Two values for one property at one time (先开灯再关灯) raise `NotBuilt`."""
    told: dict[tuple[object, ...], object] = {}
    for each in steps:
        order = each.order
        if isinstance(order, Write):
            key = order.thing.did, order.prop.siid, order.prop.piid, each.after
            if told.setdefault(key, order.value) != order.value:
                raise NotBuilt(each.words)
    seen: list[Step] = []
    for each in steps:
        if each not in seen:
            seen.append(each)
    return tuple(seen)


def _said_rooms(given: Sequence[Fact | Act], finder: Finder) -> tuple[str, ...]:
    found = [mention for each in given if not isinstance(each, Clock | Sun) for mention in each.mentions]
    rooms = [each.room for each in found if each.room]
    rooms += [finder.room_of(did) for each in found for did in each.names if len(each.names) == 1]
    return tuple(dict.fromkeys(room for room in rooms if room))


def _value_subject(act: Setting) -> str:
    return f"value:{act.span[0]}-{act.span[1]}"


def _is_opening(mention: Mention) -> bool:
    things = lexicon().things.get(mention.thing)
    return things is not None and things.key in _OPENINGS


def _can(thing: Thing, act: Act) -> bool:
    """Whether a device has what an act is about; whether it takes the value is asked of the one that is meant."""
    return bool(settable(thing, act)) if isinstance(act, Setting) else any(True for _ in orders(thing, act))
