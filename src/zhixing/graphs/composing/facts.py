"""What is watched: a value, a state, a press, a time; and how several of them stand together. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import time

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.clock_words import Moment, Timed
from zhixing.graphs.composing.cursor import Read, Tokens, mention, mentions
from zhixing.graphs.composing.lexicon import Kind, lexicon
from zhixing.graphs.composing.request import (
    HAPPENINGS,
    NOWHERE,
    Being,
    Clock,
    Fact,
    Joint,
    Level,
    Mention,
    Press,
    Span,
    State,
    Sun,
    Taken,
    Window,
)
from zhixing.graphs.composing.tokens import Between, Quantity
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays, Weekdays

MOST_FACTS = 10
"""Facts of one sentence."""
_WHOLE_DAY = time(), time(23, 59, 59)
_STATES = {"on": State.ON, "off": State.OFF, "present": State.PRESENT, "absent": State.ABSENT}
_FILTERS = (EveryDay, Weekdays, Holidays)
_OPENINGS = frozenset({"door", "window", "contact"})

Said = tuple[Mention, ...]


@dataclass(slots=True)
class Memory:
    """What was said last, for what is left out later: grows while a sentence is read."""

    level: Level | None = None
    being: Said = ()
    presence: Said = ()
    press: Said = ()
    acts: Said = ()
    days: DayFilter | None = None
    taken: list[Taken] = field(default_factory=list)

    def copy(self) -> Memory:
        """Return one to try with."""
        return replace(self, taken=list(self.taken))

    def take(self, other: Memory) -> None:
        """Become what a trial came to."""
        self.level, self.being, self.presence = other.level, other.being, other.presence
        self.press, self.acts = other.press, other.acts
        self.days, self.taken = other.days, other.taken


@dataclass(frozen=True, slots=True)
class Facts:
    """Some facts; `weak` is one that may as well be an order (灯打开), `marked` when 如果, 的话 or 时 stood there."""

    found: tuple[Fact, ...] = ()
    windows: tuple[Window, ...] = ()
    joint: str = ""
    weak: bool = False
    marked: bool = False
    already: bool = False


def facts(given: Tokens, at: int, memory: Memory) -> Read[Facts] | None:
    """Read facts up to what is to be done; None where there are none, or all and any stand mixed."""
    found = Facts()
    while True:
        start = at
        at = given.past(at, Kind.IF, Kind.FILL) if given.is_(at, Kind.IF) else given.filled(at)
        marked = given.is_(start, Kind.IF) or found.marked
        already = found.already or any(
            given.is_(each, Kind.ALREADY) for each in range(at, min(at + 4, len(given.found)))
        )
        read = _moment(given, at, memory) or _fact(given, at, memory)
        if read is None:
            return None if not (found.found or found.windows) else (_clocked(found), start)
        one, at = read
        end = given.past(at, Kind.END, Kind.ALREADY)
        found = replace(
            found,
            found=found.found if isinstance(one[0], Window) else (*found.found, one[0]),
            windows=(*found.windows, one[0]) if isinstance(one[0], Window) else found.windows,
            weak=one[1],
            marked=marked or end > at,
            already=already,
        )
        at = end
        if len(found.found) > MOST_FACTS:
            return None
        joined = _joined(given, at, found, memory)
        if joined is None:
            return _clocked(found), at
        how, at = joined
        if how and found.joint not in {"", how}:
            return None
        found = replace(found, joint=how or found.joint)


def _clocked(found: Facts) -> Facts:
    """Let several times stand for any of them: 每天早上7点和晚上7点."""
    clocks = len(found.found) > 1 and all(isinstance(each, Clock | Sun) for each in found.found)
    return replace(found, joint="any") if clocks else found


def _joined(given: Tokens, at: int, found: Facts, memory: Memory) -> Read[str] | None:
    """Return how the next fact is joined ("" for a time beside it), or None where no further fact stands."""
    if given.is_(at, Kind.THEN):
        return None
    how = "any" if given.is_(at, Kind.OR) else "all" if given.is_(at, Kind.AND) else ""
    after = at + 1 if how else at
    if not how and given.is_comma(at):
        after = at + 1
        if given.is_(after, Kind.AND, Kind.OR):
            how = "any" if given.is_(after, Kind.OR) else "all"
            after += 1
    after = given.past(after, Kind.IF, Kind.FILL) if given.is_(after, Kind.IF) else given.filled(after)
    if given.is_(after, Kind.EACH, Kind.THEN):
        return None
    trial = memory.copy()
    timed = _moment(given, after, trial)
    if timed is not None:
        return how, after
    read = _fact(given, after, trial)
    if read is None or (read[0][1] and not how and found.found):
        return None
    if not how and at == after and found.found and not given.is_(at - 1, Kind.END):
        return None
    return (how or ("all" if found.found else "")), after


def _moment(given: Tokens, at: int, memory: Memory) -> Read[tuple[Clock | Sun | Window, bool]] | None:
    """Read days with a time of day, the sun, a window, or days or a part of the day alone."""
    start = at
    timed = given.value(at, Kind.DAYS)
    days = timed.value if isinstance(timed, Timed) and isinstance(timed.value, _FILTERS) else None
    if days is not None:
        memory.days, at = days, given.filled(at + 1)
        if "工作日" in given.words(start, start + 1) and "法定" not in given.words(start, start + 1):
            memory.taken.append(Taken("taken_workdays"))
    for kind in (Kind.CLOCK, Kind.SUN, Kind.WINDOW):
        found = given.value(at, kind)
        if isinstance(found, Timed):
            return (_timed(found, given.span(start, at + 1), days, memory), False), at + 1
    part = given.word(at, Kind.PART)
    if part and given.word(at + 1, Kind.END) in {"后", "之后", "以后"}:
        return None
    if part:
        first, last = lexicon().parts[part]
        memory.taken.append(Taken("taken_part", {"part": part, "start": f"{first}:00", "end": f"{last}:00"}))
        window = Window(given.span(start, at + 1), time(first), time(last % 24), days or EveryDay())
        return (window, False), at + 1
    if days is not None and not isinstance(days, EveryDay):
        return (Window(given.span(start, start + 1), *_WHOLE_DAY, days), False), at
    return None


def _timed(found: Timed, span: Span, days: DayFilter | None, memory: Memory) -> Clock | Sun | Window:
    match found.value:
        case Moment() as moment:
            _unsure(memory, moment)
            # 工作日7点打开，9点关掉: the days of the first are those of the second.
            return Clock(span, moment.at, days or memory.days)
        case (Moment() as first, Moment() as last):
            _unsure(memory, first)
            _unsure(memory, last)
            return Window(span, first.at, last.at, days or EveryDay())
        case (event, int() as offset):
            if days is None and memory.days is None:
                memory.taken.append(Taken("taken_every_day"))
            return Sun(span, event, offset, days or memory.days or EveryDay())
    raise AssertionError(found)


def _unsure(memory: Memory, moment: Moment) -> None:
    if not moment.sure:
        memory.taken.append(Taken("taken_hour", {"at": f"{moment.at:%H:%M}"}))


def _fact(given: Tokens, at: int, memory: Memory) -> Read[tuple[Fact, bool]] | None:
    for reader in (_press, _level, _opening, _being):
        read = reader(given, at, memory)
        if read is not None:
            return read
    return None


def _press(given: Tokens, at: int, memory: Memory) -> Read[tuple[Fact, bool]] | None:
    start, said = at, None
    if not given.is_(at, Kind.PRESS):
        said = mentions(given, at)
        at = given.filled(said[1]) if said else at
        if given.word(at, Kind.PRESENCE) == "present" and given.is_(given.filled(at + 1), Kind.PRESS):
            at = given.filled(at + 1)
    if not given.is_(at, Kind.PRESS):
        return None
    happening = HAPPENINGS[given.word(at, Kind.PRESS)]
    at = given.filled(at + 1)
    if said is None and (behind := mentions(given, at)) is not None and behind[0][1] != "all":
        said, at = behind, given.filled(behind[1])
    who = said[0][0] if said else memory.press or (NOWHERE,)
    # 双击左键: the remote is the one that was named before.
    if len(who) == 1 and who[0].key and not (who[0].names or who[0].pieces or who[0].thing or who[0].room):
        who = tuple(replace(each, key=who[0].key) for each in memory.press) or who
    memory.press = who
    return (Press(given.span(start, at), who, happening), False), at


def _level(given: Tokens, at: int, memory: Memory) -> Read[tuple[Fact, bool]] | None:
    start = at
    said = mentions(given, at)
    if said:
        at = given.filled(said[1])
    measure = given.word(at, Kind.MEASURE)
    at = given.filled(at + 1) if measure else at
    operator = given.word(at, Kind.COMPARE)
    between = given.value(at, Kind.RANGE)
    quantity = given.value(at + 1 if operator else at, Kind.QUANTITY)
    if isinstance(between, Between):
        operator, low, high, unit, at = "between", between.low, between.high, between.unit, at + 1
    elif isinstance(quantity, Quantity):
        low, high, unit, at = quantity.value, 0.0, quantity.unit, at + (2 if operator else 1)
        behind = given.word(at, Kind.BEHIND)
        if behind:
            if operator and (operator[0] != behind[0]):
                return None
            operator, at = operator or behind, at + 1
        if not operator:
            return None
    else:
        return None
    if measure == "brightness" and (said is None or any(each.is_room for each in said[0][0])):
        # 亮度低于30 may be that of a lamp or of the room.
        return None
    who, about = _about(said[0][0] if said else (), measure, unit, memory)
    if not about:
        return None
    length, at = _hold(given, at)
    found = Level(given.span(start, at), who, about, operator, low, high, unit, length)
    memory.level = found
    return (found, False), at


def _about(said: Said, measure: str, unit: str, memory: Memory) -> tuple[Said, str]:
    """Return of what a value is, and which measure it has; what is not said is as it was before, if the unit fits."""
    fitting = lexicon().unit_measures.get(unit, ())
    before = memory.level
    if measure:
        fits = not unit or measure in fitting
        return said or (before.mentions if before else (NOWHERE,)), measure if fits else ""
    if before is not None and (not unit or before.measure in fitting):
        return said or before.mentions, before.measure
    return said or (NOWHERE,), fitting[0] if unit in {"degree", "lux", "watt"} else ""


def _opening(given: Tokens, at: int, memory: Memory) -> Read[tuple[Fact, bool]] | None:
    """Read 开门, 关窗户, 打开主卧灯时: what is opened is no device that could be told to."""
    word = given.word(at, Kind.SWITCH)
    if word not in {"on", "off", "on_done", "off_done"}:
        return None
    said = mention(given, at + 1)
    if said is None or said[0].is_room:
        return None
    # 打开主卧灯时 is watched, 打开主卧灯 is an order.
    if given.word(said[1] - 1, Kind.THING) not in _OPENINGS and not given.is_(said[1], Kind.END):
        return None
    memory.being = (said[0],)
    length, end = _hold(given, said[1])
    return (Being(given.span(at, end), (said[0],), _STATES[word.partition("_")[0]], length), False), end


def _being(given: Tokens, at: int, memory: Memory) -> Read[tuple[Fact, bool]] | None:
    start = at
    least, at = _least(given, at)
    said, joint, at = _whose(given, at)
    if least and said:
        # 至少两个传感器: of all there are.
        said = tuple(replace(each, every=True) for each in said)
    at = given.past(at, Kind.ALREADY, Kind.FILL)
    if given.is_(at, Kind.OR):
        joint, at = "any", given.filled(at + 1)
    least, at = (least, at) if least else _least(given, at)
    before, at = _hold(given, at)
    if given.is_(at, Kind.HOLD) and given.found[at].text == "都":
        joint, at = "all", at + 1
    at = given.past(at, Kind.HOLD, Kind.ALREADY) if given.is_(at, Kind.HOLD, Kind.ALREADY) else at
    present, word = given.word(at, Kind.PRESENCE), given.word(at, Kind.SWITCH)
    if not present and (not word or word.endswith("order") or word == "toggle"):
        return None
    state = _STATES[present or word.partition("_")[0]]
    if present and not said and (inside := mention(given, at + 1)) and inside[0].is_room and _closes(given, inside[1]):
        # 有人在客厅
        said, at = (inside[0],), inside[1] - 1
    already = any(given.is_(each, Kind.ALREADY) for each in range(start, at))
    who = said or ((memory.presence or (NOWHERE,)) if present else memory.acts if already else memory.being)
    if not who or (not present and any(each.is_room for each in who)):
        return None
    behind, at = _hold(given, at + 1)
    if (before is not None and behind is not None) or (len(who) > 1 and not (joint or least or state is State.ABSENT)):
        return None
    if present:
        memory.presence = who
    else:
        memory.being = who
    how: Joint | None = "any" if joint == "any" else "all" if joint == "all" else None
    found = Being(given.span(start, at), who, state, before or behind, how, least)
    weak = not present and word in {"on", "off"} and found.hold is None
    return (found, weak), at


def _closes(given: Tokens, at: int) -> bool:
    return given.over(at) or given.is_(at, Kind.THEN, Kind.END, Kind.HOLD, Kind.COMPARE)


def _whose(given: Tokens, at: int) -> tuple[Said, str, int]:
    if given.is_(at, Kind.HOME):
        return (Mention(given.span(at, at + 1), given.words(at, at + 1), every=True),), "", given.filled(at + 1)
    said = mentions(given, at)
    if said is None:
        return (), "", at
    (who, joint), at = said
    # 客厅和书房有人 does not say whether one is enough; 都 or 或 does.
    return who, "any" if joint == "any" else "", given.filled(at)


def _least(given: Tokens, at: int) -> Read[int]:
    count = given.value(at + 1, Kind.COUNT) if given.is_(at, Kind.LEAST) else None
    return (count, given.filled(at + 2)) if isinstance(count, int) else (0, at)


def _hold(given: Tokens, at: int) -> Read[Length | None]:
    """Read for how long something must be so: 超过5分钟, 持续10分钟以上; where there is nothing of the kind, stay."""
    inner = at
    while given.is_(inner, Kind.HOLD, Kind.FILL) or given.word(inner, Kind.COMPARE) in {">", ">="}:
        inner += 1
    length = given.length(inner)
    if length is None:
        return None, at
    return length, given.past(inner + 1, Kind.BEHIND, Kind.FILL)
