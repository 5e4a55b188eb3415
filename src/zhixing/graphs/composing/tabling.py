"""A plan → the table that stands before the first card (seed: 设计表). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.design import Design, Kept, Question, Rounds, Transition
from zhixing.graphs.composing.graphing import Grapher
from zhixing.graphs.composing.plan import Case, Plan, Sensed, Step, Trigger
from zhixing.graphs.composing.telling import days_words
from zhixing.kernel.wording import wording


def design_of(plan: Plan, grapher: Grapher) -> Design:
    """Return the table of a rule that was built from a plan; nothing of it is left open."""
    if plan.mirror is not None:
        master, follower = plan.mirror.words
        triggers: tuple[str, ...] = (_said("changes", about=master),)
        transitions = [Transition(follower, _said("changes", about=master), _said("same_as", about=master))]
    else:
        triggers = tuple(dict.fromkeys(each.words for case in plan.cases for each in case.triggers))
        transitions = []
    states = [
        each for case in plan.cases for each in case.triggers if isinstance(each, Sensed) and each.hold is not None
    ]
    held = tuple(dict.fromkeys(each.words for each in states))
    transitions += [Transition(_said("not", about=each), _said("lasts"), each) for each in held]
    return Design(
        triggers=triggers,
        states=held,
        questions=tuple(question for case in plan.cases for question in _questions(case)),
        variables=tuple(_kept(grapher.builder)),
        transitions=tuple(transitions),
        rounds=tuple(_rounds(case) for case in plan.cases if case.repeat is not None),
        recovery=_said("recovery"),
        failure=_said("failure"),
        patterns=tuple(each for each in grapher.patterns)[:3],
    )


def _questions(case: Case) -> Iterator[Question]:
    done, other = _done(case.steps), _done(case.otherwise) or _said("nothing")
    together: list[Trigger] = list(case.triggers) if case.joint == "all" and len(case.triggers) > 1 else []
    for each in [*case.asked, *together]:
        yield Question(each.words, done, other, other)
    for window in case.windows:
        about = _said("window", start=f"{window.start:%H:%M}", end=f"{window.end:%H:%M}", days=days_words(window.days))
        yield Question(about, done, _said("nothing"), _said("nothing"))


def _kept(builder: Builder) -> Iterator[Kept]:
    for each in builder.variables:
        yield Kept(each.variable, each.initial, _said("variable"))


def _rounds(case: Case) -> Rounds:
    repeat = case.repeat
    about = _done(case.steps)
    start = case.triggers[0].words
    if repeat is not None and repeat.until is not None:
        return Rounds(about, start, repeat.until.words)
    if repeat is not None and repeat.times:
        return Rounds(about, start, _said("after_times", times=repeat.times))
    return Rounds(about, start, _said("not", about=start))


def _done(steps: tuple[Step, ...]) -> str:
    return wording("composing_graphs.between", "zh").join(each.words for each in steps)


def _said(key: str, **values: object) -> str:
    return wording(f"composing_graphs.table_{key}", "zh", **values)
