"""What a rule will do, in lines for people; behind that what was taken for granted. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.finding import called
from zhixing.graphs.composing.plan import Case, Plan, Sensed, Step
from zhixing.graphs.composing.request import Taken, Window
from zhixing.graphs.specs.home import Home
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays
from zhixing.kernel.wording import Language, wording


def lines(plan: Plan, home: Home, language: Language = "zh") -> tuple[str, ...]:
    """Return one line a case, then one for each thing that was taken for granted."""
    told = [_case(each, home, language) for each in plan.cases]
    if plan.mirror is not None:
        first, second = plan.mirror.words
        told.append(wording(f"composing_graphs.mirror_{plan.mirror.how}", language, master=first, follower=second))
    if any(case.windows for case in plan.cases):
        told.append(wording("composing_graphs.note_window", language))
    return (*told, *(wording("composing_graphs.note", language, said=_taken(each, language)) for each in plan.taken))


def _taken(each: Taken, language: Language) -> str:
    return wording(f"composing_graphs.{each.key}", language, **each.values)


def _case(case: Case, home: Home, language: Language) -> str:
    when = _triggers(case, home, language)
    for window in case.windows:
        when = wording("composing_graphs.within", language, window=window_words(window, language), when=when)
    does = steps_words(case.steps, language)
    if case.repeat is not None:
        every = length_words(case.repeat.every, language)
        does = wording("composing_graphs.line_every", language, every=every, does=does)
        if case.repeat.times:
            does += wording("composing_graphs.line_times", language, times=case.repeat.times)
        elif case.repeat.until is not None:
            does += wording("composing_graphs.line_until", language, until=case.repeat.until.words)
    if case.asked:
        asked = wording("composing_graphs.joint_all", language).join(each.words for each in case.asked)
        does = wording("composing_graphs.line_if", language, asked=asked, does=does)
    line = wording("composing_graphs.line", language, when=when, does=does)
    if case.otherwise:
        line += wording("composing_graphs.line_else", language, does=steps_words(case.otherwise, language))
    return line


def _triggers(case: Case, home: Home, language: Language) -> str:
    """Say what it starts with; what one piece of the sentence says of several devices stands there once."""
    dids: dict[str, dict[str, None]] = {}
    for each in case.triggers:
        found = [sensor.thing.did for sensor in each.sensors] if isinstance(each, Sensed) else []
        dids.setdefault(each.words, {}).update(dict.fromkeys(found))
    joint = wording(f"composing_graphs.joint_{case.joint}", language)
    return joint.join(_seen(words, tuple(found), home, language) for words, found in dids.items())


def _seen(words: str, dids: tuple[str, ...], home: Home, language: Language) -> str:
    names = [called(device) for did in dids if (device := home.device(did)) is not None]
    if not names:
        return words
    by = wording("composing_graphs.between_names", language).join(names)
    return wording("composing_graphs.sensed", language, words=words, by=by)


def steps_words(steps: tuple[Step, ...], language: Language = "zh") -> str:
    """Say orders one after the other."""
    return wording("composing_graphs.between", language).join(_step(each, language) for each in steps)


def _step(step: Step, language: Language) -> str:
    if step.after is None:
        return step.words
    return wording(
        "composing_graphs.after", language, after=length_words(step.after, language), does=step.words
    ).lstrip()


def length_words(length: Length, language: Language = "zh") -> str:
    """Say a span of time."""
    return wording(f"composing_graphs.unit_{length.unit}", language, value=length.value)


def window_words(window: Window, language: Language = "zh") -> str:
    """Say a window."""
    start, end = f"{window.start:%H:%M}", f"{window.end:%H:%M}"
    return wording("composing_graphs.window", language, start=start, end=end, days=days_words(window.days, language))


def days_words(days: DayFilter, language: Language = "zh") -> str:
    """Say days; "" for every day."""
    match days:
        case EveryDay():
            return ""
        case Holidays():
            return wording(f"composing_graphs.days_{'off' if days.wanted else 'work'}", language)
    names = wording("composing_graphs.day_names", language).split()
    return wording("composing_graphs.between_names", language).join(names[day] for day in _from_monday(days.days))


def _from_monday(days: frozenset[int]) -> Iterator[int]:
    return iter(sorted(days, key=lambda day: (day - 1) % 7))
