"""From the rules and jobs of a task to pieces that a hub runs; whatever is none becomes a `Left`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zhixing.compiling.alarms import Beat, JobPiece, Unset, clock_of
from zhixing.compiling.commanding import Command, NotOnHub, command_of, meant
from zhixing.compiling.episodes import RulePiece, Terms, is_quiet
from zhixing.compiling.model import About, Left, Remark, Site, What
from zhixing.compiling.sensing import Flip, Moment, Untold, Watch, watched
from zhixing.compiling.words import read_condition
from zhixing.graphs.building.sketch import Thing
from zhixing.household.descs import read_desc
from zhixing.household.doing.ordering import read_rest
from zhixing.household.doing.wishes import (
    EndTask,
    Judge,
    Notify,
    Remind,
    Sometimes,
    SumUp,
    Switch,
    UrgeOn,
    read_message,
)
from zhixing.household.job_rows import Job
from zhixing.household.rulebook import responses
from zhixing.tasks.rules.model import Agreement, DeviceAction, Direction, Mode, Plan, Response, Rule, StoppedBy

_DAY_MINUTES = 1_440


@dataclass(slots=True)
class Course:
    """What has come of reading a task so far."""

    site: Site
    left: list[Left] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def leave(self, code: str, about: About, **values: object) -> None:
        """Leave something to whoever runs it now."""
        self.left.append(Left(code, about, values))

    def remark(self, code: str, about: About, **values: object) -> None:
        """Say what the hub does otherwise."""
        self.remarks.append(Remark(code, about, values))


def rule_piece(rule: Rule, course: Course) -> RulePiece | None:
    """Read a rule; None where the hub can do nothing of it."""
    plan, about = rule.plan, About(What.RULE, rule.plan.name)
    if rule.stopped_by in {StoppedBy.USER, StoppedBy.LIMIT}:
        course.leave("stopped", about)
        return None
    watches = _watches(plan, about, course)
    if watches is None or not _fits(rule, watches, about, course):
        return None
    found = {way: _commands(plan.name, way, answer, course) for way, answer in responses(plan)}
    commands = _without_shared_pauses(found, plan, course)
    enter, leave = commands.get(Direction.ENTER, ()), commands.get(Direction.EXIT, ())
    if not enter and not leave:
        return None
    trigger = plan.trigger
    leaving = plan.exit_debounce if trigger.mode is Mode.STATE else None
    terms = Terms(trigger.agreement, trigger.duration, leaving, plan.cooldown, plan.quiet)
    piece = RulePiece(about, trigger.query, watches, terms, enter, leave)
    _remark_on_rule(piece, plan, course)
    return piece


def job_piece(job: Job, course: Course) -> JobPiece | None:
    """Read a cron job; None where the hub can do nothing of it."""
    plan, about = job.plan, About(What.JOB, job.plan.name)
    if not plan.enabled:
        course.leave("stopped", about)
        return None
    wish = read_message(plan.message)
    if not isinstance(wish, Switch):
        course.leave(_kept_wish(wish), about)
        return None
    clock = clock_of(plan.when, course.site.zone)
    if isinstance(clock, Unset):
        course.leave(clock.code, about)
        return None
    actions = meant(wish, course.site)
    if actions is None:
        course.leave("device_unclear", about)
        return None
    commands = tuple(_given(actions, about, course))
    if wish.notifications or wish.reminders:
        course.leave("tells", about)
    if not commands:
        return None
    if isinstance(clock, Beat):
        course.remark("beat", about)
    course.remark("missed", about)
    return JobPiece(about, clock, commands)


def _watches(plan: Plan, about: About, course: Course) -> tuple[Watch, ...] | None:
    """Return how the hub hears of each source; None, and the reason of the first that it does not hear of."""
    trigger = plan.trigger
    if not trigger.sources:
        course.leave("cameras", about)
        return None
    found: list[Watch] = []
    for source in trigger.sources:
        watch = _watch(source, trigger.query, course.site)
        if isinstance(watch, Untold):
            name = course.site.name_of(source)
            course.leave(watch.code, about, source=name, condition=trigger.query)
            return None
        found.append(watch)
    return tuple(found)


def _watch(source: str, query: str, site: Site) -> Watch | Untold:
    if source in site.cameras:
        return Untold("camera")
    device, spec = site.home.device(source), site.home.spec_of(source)
    if device is None or spec is None:
        return Untold("source_elsewhere")
    ours = [name for each in site.devices if each.did == source for name in (each.name, each.room)]
    asked = read_condition(query, (device.name, device.room, *ours))
    return Untold("words") if asked is None else watched(Thing(source, spec), asked)


def _fits(rule: Rule, watches: tuple[Watch, ...], about: About, course: Course) -> bool:
    """Whether what decides when the rule answers can be cards."""
    plan = rule.plan
    moments = [isinstance(each, Moment) for each in watches]
    if any(moments):
        only_once = plan.trigger.mode is Mode.EVENT and not plan.trigger.duration
        alone = len(watches) == 1 or plan.trigger.agreement is Agreement.ANY
        if not all(moments) or not only_once or not alone:
            course.leave("moment", about)
            return False
    if plan.quiet and rule.zone != course.site.zone:
        course.leave("zone", about)
        return False
    empty = any(each.start == each.end for each in plan.quiet)
    if empty or all(is_quiet(plan.quiet, minute) for minute in range(_DAY_MINUTES)):
        course.leave("always_quiet", about)
        return False
    return True


def _commands(name: str, way: Direction, answer: Response, course: Course) -> tuple[Command, ...]:
    """Return the commands of an answer that the hub gives."""
    about = About(What.ANSWER, name, way)
    if way is Direction.TARGET:
        course.leave("target", about)
        return ()
    actions = list(answer.actions)
    rest: list[str] = []
    for text in answer.descs:
        desc = read_desc(text)
        if desc.record is not None:
            course.leave("writes_record", about)
        if desc.notifications:
            course.leave("tells", about)
        rest += desc.rest
    wish = read_rest(tuple(rest)) if rest else None
    if rest and wish is None:
        course.leave("agent", about)
    if wish is not None:
        found = meant(wish, course.site)
        if found is None:
            course.leave("device_unclear", about)
        actions += found or ()
    return tuple(_given(actions, about, course))


def _given(actions: Iterable[DeviceAction], about: About, course: Course) -> Iterator[Command]:
    for action in actions:
        command = command_of(action, course.site)
        if isinstance(command, NotOnHub):
            course.leave(command.code, about, command=command.shown)
        else:
            yield command


def _without_shared_pauses(
    found: dict[Direction, tuple[Command, ...]], plan: Plan, course: Course
) -> dict[Direction, tuple[Command, ...]]:
    """Leave out commands whose pause counts for several places of the rule: each card has a pause of its own."""
    places = [(each.thing.did, each.member) for commands in found.values() for each in commands]
    kept: dict[Direction, tuple[Command, ...]] = {}
    for way, commands in found.items():
        shared = [each for each in commands if each.pause and places.count((each.thing.did, each.member)) > 1]
        for each in shared:
            course.leave("pause_shared", About(What.ANSWER, plan.name, way), command=each.shown)
        kept[way] = tuple(each for each in commands if each not in shared)
    return kept


def _remark_on_rule(piece: RulePiece, plan: Plan, course: Course) -> None:
    about = piece.about
    if plan.limit is not None:
        course.remark("limit", about, fires=plan.limit.fires, seconds=plan.limit.seconds)
    if any(isinstance(each, Flip) for each in piece.watches):
        course.remark("flip", about)
    elif len(piece.watches) > 1 and piece.terms.leaving is not None and not piece.terms.duration:
        course.remark("already", about)
    if not isinstance(piece.watches[0], Moment):
        course.remark("offline", about)


def _kept_wish(wish: EndTask | Remind | Notify | UrgeOn | SumUp | Sometimes | Judge) -> str:
    """Return why a message is nothing for a hub."""
    match wish:
        case EndTask():
            return "ends_task"
        case Remind() | Notify():
            return "tells"
        case UrgeOn() | SumUp():
            return "reads_record"
        case Sometimes():
            return "turn"
        case Judge():
            return "agent"
