"""rules: what is watched for, and what one of them would have done."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter

from zhixing.faces import household_wire, replay_wire
from zhixing.faces.cli.files import json_of
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Zone, within, zone_name
from zhixing.faces.cli.recordings import recorded
from zhixing.faces.rule_words import exact_text, held_text, rule_lines
from zhixing.household import viewing
from zhixing.household.replaying import read_rule, replay_rule
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks.rules import store as rules_store
from zhixing.tasks.rules.model import Rule
from zhixing.tasks.rules.replay import Transition

LARGEST_RULE = 262_144
"""Bytes of a file with one rule."""
LONGEST_TARGET = 100_000
"""Minutes."""

rules = App(name="rules", help_flags=(), version_flags=())

RuleFile = Annotated[str, Parameter(name="--rule")]
VerdictFile = Annotated[str, Parameter(name="--verdicts")]
Until = Annotated[str | None, Parameter(name="--until")]
TargetMinutes = Annotated[int | None, Parameter(name="--target-minutes")]


@rules.command(name="list")
def list_(task: str | None = None, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """List the rules of a task, or all of them."""
    with house(desk) as home:
        with home.app.store.read() as tx:
            found = _all(tx) if task is None else rules_store.of_task(tx, home.task(tx, task).id)
        names = home.names()
    if as_json:
        desk.give({"rules": [household_wire.of_rule(rule, names) for rule in found]})
        return
    for rule in found:
        desk.say(*rule_lines(rule, names))
    if not found:
        desk.say(wording("faces.rules_none"))


@rules.command(name="show")
def show(rule: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show what a rule watches, and what follows."""
    with house(desk) as home:
        with home.app.store.read() as tx:
            found = rules_store.get(tx, rule.strip().lower())
        names = home.names()
    desk.answer(household_wire.of_rule(found, names), rule_lines(found, names), as_json=as_json)


@rules.command(name="replay")
def replay(
    *,
    rule: RuleFile,
    verdicts: VerdictFile,
    until: Until = None,
    zone: Zone = None,
    target_minutes: TargetMinutes = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say what a rule would have done about recorded verdicts; needs no home."""
    plan = read_rule(json_of(rule, desk, LARGEST_RULE))
    name = zone_name(zone, desk)
    end = None if until is None else parse_instant(until)
    given = recorded(verdicts, desk)
    replayed = replay_rule(plan, name, given, until=end, target_after=_seconds(target_minutes))
    tz = find_zone(name)
    if as_json:
        desk.give(replay_wire.of_replay(replayed, tz))
        return
    desk.lay_out([_row(one, tz) for one in replayed.transitions])
    if not replayed.transitions:
        desk.say(wording("faces.replay_nothing"))
    if given and replayed.unheard == len(given):
        desk.say(wording("faces.replay_unheard"))
    end_key = "replay_stopped" if replayed.stopped else "replay_inside" if replayed.inside else "replay_idle"
    desk.say(wording(f"faces.{end_key}", when=exact_text(replayed.until, tz)))


def _all(tx: Tx) -> list[Rule]:
    """Return the rules of all tasks that live."""
    return [rule for view in viewing.views(tx) for rule in view.rules]


def _seconds(minutes: int | None) -> int | None:
    return None if minutes is None else within("--target-minutes", minutes, 1, LONGEST_TARGET) * 60


def _row(one: Transition, tz: ZoneInfo) -> list[str]:
    about = wording(f"faces.transition_why_{one.why}") if one.why else ""
    about += held_text(one.held, one.needed)
    late = (one.decided - one.at).total_seconds()
    if late:
        about += wording("faces.transition_late", seconds=f"{late:g}")
    return [exact_text(one.at, tz), wording(f"faces.transition_{one.what}"), about]
