"""What is to be done about a sentence, from how it was understood and what was answered. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from zhixing.household.assembling.assembler import Assembly, Outcome
from zhixing.household.assembling.request import Known
from zhixing.household.checks.model import Question
from zhixing.household.composing.asking import ask
from zhixing.household.composing.composer import compose, sound
from zhixing.household.composing.model import Composed, Open, Site, Unwritable
from zhixing.kernel.wording import wording

MOST_TARGETS = 6
"""Tasks that are offered where it is not clear which one is meant."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask what is missing; `about` are the existing tasks that the question speaks of."""

    open: Open
    op: str = "create"
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Make:
    """Make tasks, all or none; `ends` and `pauses` are tasks that make room for them."""

    made: tuple[Composed, ...]
    ends: tuple[str, ...] = ()
    pauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operate:
    """Do something with existing tasks: list, logs, disable, enable, update or delete."""

    op: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """Say no, in one line."""

    why: str
    line: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Nothing is wanted: chat (`none`), or the user called it off (`cancelled`)."""

    why: str


@dataclass(frozen=True, slots=True)
class AskModel:
    """Certain only to a model."""

    why: str


Step = Ask | Make | Operate | Refuse | Leave | AskModel


def decide(
    assembly: Assembly, site: Site, answers: Mapping[str, str], *, now: datetime, about: Sequence[str] = ()
) -> Step:
    """Return the one thing that follows.

    `site` is the home at the instant the sentence was said, `now` is the instant of the decision. `about` are the tasks
    that the question which was answered spoke of: a yes is a yes to them, whatever was made meanwhile.
    """
    if assembly.outcome is Outcome.NEEDS_MODEL or assembly.op is None:
        return AskModel("uncertain")
    if assembly.cancelled:
        return Leave("cancelled")
    if assembly.op == "none":
        return Leave("none")
    if assembly.op != "create":
        return _operate(assembly, site, answers, about)
    if assembly.outcome is Outcome.REJECTED:
        why = assembly.reject or "rejected"
        return Refuse(why, wording(f"talking.refused_{why}"))
    room = _makes_room(assembly, answers)
    if assembly.clash is not None and assembly.clash.kind in assembly.questions:
        return Ask(ask(assembly, site), about=(assembly.clash.task.id,))
    if isinstance(room, Operate):
        return room
    if assembly.questions:
        return Ask(ask(assembly, site), about=() if assembly.clash is None else (assembly.clash.task.id,))
    return _make(assembly, site, room, now)


def _make(assembly: Assembly, site: Site, room: Make, now: datetime) -> Step:
    made: list[Composed] = []
    for draft in assembly.drafts:
        try:
            composed = compose(draft, site)
        except Unwritable:
            return AskModel("unwritable")
        if not sound(composed):
            return AskModel("findings")
        if (past := _past(composed, now)) is not None:
            return Refuse("past", wording("talking.past", when=_moment(past.astimezone(site.home.zone))))
        made.append(composed)
        site = replace(site, taken=site.taken | {composed.plan.slug})
    return replace(room, made=tuple(made)) if made else AskModel("empty")


def _past(composed: Composed, now: datetime) -> datetime | None:
    """Return the instant of a plan that has gone by while its question was open: it would never act, or end at once."""
    ends = (composed.plan.lifecycle.expires_at, *(job.when.at for job in composed.plan.jobs))
    return min((at for at in ends if at is not None and at <= now), default=None)


def _moment(at: datetime) -> str:
    return f"{at.month}月{at.day}日 {at.hour}:{at.minute:02}"


def _makes_room(assembly: Assembly, answers: Mapping[str, str]) -> Make | Operate:
    """Return which tasks go or pause for the new one, as answered (H-DUP-03/04/05)."""
    clash = assembly.clash
    if clash is None:
        return Make(())
    answer = answers.get(clash.kind, "")[:1].upper()
    if clash.kind == "paused":
        if answer == "A":
            return Operate("enable", (clash.task.id,))
        return Make((), ends=(clash.task.id,)) if answer == "B" else Make(())
    if answer == "A":
        return Make((), ends=(clash.task.id,))
    if answer == "B" and clash.changes:
        return Make((), pauses=(clash.task.id,))
    return Make(())


def _operate(assembly: Assembly, site: Site, answers: Mapping[str, str], about: Sequence[str]) -> Step:
    op = assembly.op or ""
    targets = assembly.target or ()
    if op == "list":
        return Operate(op, ())
    if "confirm" in answers:
        return _confirmed(op, site, answers, about)
    if "which_task" in answers:
        targets = _named(answers["which_task"], site)
    if not targets:
        if not site.home.tasks:
            return Refuse("no_task", wording("talking.no_task"))
        return Ask(which_task(site), op)
    if "confirm" in assembly.questions or (op == "delete" and len(targets) > 1):
        return Ask(_confirm(op, targets, site), op, targets)
    return Operate(op, tuple(targets))


def _confirmed(op: str, site: Site, answers: Mapping[str, str], about: Sequence[str]) -> Step:
    """Do what was agreed to, to the tasks that were named in the question and no other."""
    if answers["confirm"] != "A":
        return Leave("cancelled")
    living = {task.id for task in site.home.tasks}
    targets = tuple(slug for slug in about if slug in living)
    return Operate(op, targets) if targets else Refuse("no_task", wording("talking.gone"))


def _named(words: str, site: Site) -> tuple[str, ...]:
    """Return the task that an answer names by its slug or by what it is for."""
    exact = [task.id for task in site.home.tasks if words in (task.id, task.description, _called(task, site))]
    within = [task.id for task in site.home.tasks if len(words) >= 2 and words in task.description]
    found = exact or within
    return tuple(found) if len(found) == 1 else ()


def which_task(site: Site) -> Open:
    """Ask which task is meant."""
    shown = site.home.tasks[:MOST_TARGETS]
    options = tuple(_called(task, site) for task in shown)
    text = wording("talking.which_task")
    question = Question("which_task", text, options)
    return Open((question,), _listed(text, options))


def _called(task: Known, site: Site) -> str:
    """Return what a task is called where it has to be told from the others."""
    alike = [other for other in site.home.tasks if other.description == task.description]
    name = task.description or task.id
    return name if len(alike) == 1 or not task.description else f"{name}（{task.id}）"


def _confirm(op: str, targets: tuple[str, ...], site: Site) -> Open:
    """Ask before something is done that cannot be undone, or that only a model read out of the words."""
    names = [task.description or task.id for task in site.home.tasks if task.id in targets]
    named = wording("talking.separator").join(f"「{name}」" for name in names[:MOST_TARGETS])
    text = wording(f"talking.confirm_{op}", names=named, count=len(targets))
    options = (wording("talking.confirm_yes"), wording("talking.confirm_no"))
    return Open((Question("confirm", text, options),), _listed(text, options))


def _listed(text: str, options: tuple[str, ...]) -> str:
    letters = "ABCDEFG"
    return text + "".join(f"\n{letters[index]} {option}" for index, option in enumerate(options))
