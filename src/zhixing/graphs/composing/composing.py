"""A sentence about the home → a rule that was checked and tried, a question, or word that a model has to read it. Pure.

Nothing is kept between a question and its answer: the sentence is read again with the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from zhixing.graphs.building.builder import Declared
from zhixing.graphs.building.design import Design
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Profile, Verdict
from zhixing.graphs.composing.deciding import decide
from zhixing.graphs.composing.finding import Unsettled
from zhixing.graphs.composing.following import NotBuilt
from zhixing.graphs.composing.graphing import graph_of
from zhixing.graphs.composing.plan import Ground
from zhixing.graphs.composing.reading import read
from zhixing.graphs.composing.request import Request
from zhixing.graphs.composing.smoke import Smoke, smoke
from zhixing.graphs.composing.tabling import design_of
from zhixing.graphs.composing.telling import lines
from zhixing.graphs.placing import placed
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home, Scope, Variable
from zhixing.graphs.times.sun import Place
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.questions import Question

LONGEST_TEXT = 500
"""Characters of a sentence."""
NO_ANSWERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Composed:
    """A rule that does what was said. `variables` must be there before it runs; `lines` say it in Chinese."""

    rule: Rule
    variables: tuple[Declared, ...]
    design: Design
    lines: tuple[str, ...]
    verdict: Verdict
    smoke: Smoke


@dataclass(frozen=True, slots=True)
class Asked:
    """Something has to be answered first. `question.subject` is the key of the answer in `answers`.

    Answers are an option's value, or words. Without options nothing that the home has would do; the prompt says what is
    missing.
    """

    question: Question


@dataclass(frozen=True, slots=True)
class NeedsModel:
    """The rules are not certain of the sentence. `because` names why, for the log: unread, unbuilt, check, smoke."""

    because: str
    detail: str = ""


Outcome = Composed | Asked | NeedsModel


def compose(
    text: str, home: Home, *, rule_id: str, now: datetime, zone: ZoneInfo, place: Place | None = None
) -> Outcome:
    """Return what becomes of a sentence.

    `rule_id` has 13 digits; `now` is when the rule is made (aware); `place` is where the home is, for the sun. Raises
    `BadInput` for an empty text, `TooLarge` for one of more than `LONGEST_TEXT` characters.
    """
    return answered(text, home, NO_ANSWERS, rule_id=rule_id, now=now, zone=zone, place=place)


def answered(
    text: str,
    home: Home,
    answers: Mapping[str, str],
    *,
    rule_id: str,
    now: datetime,
    zone: ZoneInfo,
    place: Place | None = None,
) -> Outcome:
    """Return what becomes of a sentence with answers, each under the subject of its question."""
    if not text.strip():
        raise BadInput("composing_empty")
    if len(text) > LONGEST_TEXT:
        raise TooLarge("composing_long", limit=LONGEST_TEXT)
    request = read(text, home)
    if request is None:
        return NeedsModel("unread")
    return built(request, home, answers, Ground(rule_id, now, zone, place))


def built(request: Request, home: Home, answers: Mapping[str, str], ground: Ground) -> Outcome:
    """Return what becomes of a request, whoever read it: the same graphing, checks and trial for all."""
    ground = replace(ground, place=_answered_place(answers) or ground.place)
    request = _timed(request, answers)
    try:
        plan = decide(request, home, answers, ground.place)
        rule, grapher = graph_of(plan, ground)
    except Unsettled as error:
        return Asked(error.question)
    except (NotBuilt, BadInput, NotFound, TooLarge) as error:
        return NeedsModel("unbuilt", str(error))
    variables, arranged = grapher.builder.variables, placed(rule)
    verdict = check(arranged, Profile.STRICT, _with(home, variables))
    if not verdict.valid:
        return NeedsModel("check", verdict.errors[0].text())
    tried = smoke(arranged, variables, plan, ground)
    if not tried.passed:
        return NeedsModel("smoke", tried.failures[0].text() if tried.failures else "")
    return Composed(arranged, variables, design_of(plan, grapher), lines(plan, home), verdict, tried)


def _with(home: Home, variables: tuple[Declared, ...]) -> Home:
    """Return the home as it is when the variables of the rule are there."""
    scopes = dict(home.scopes or {})
    for each in variables:
        at = each.variable
        there = dict(scopes[at.scope].variables) if at.scope in scopes else {}
        there[at.id] = Variable(at.scope, at.id, each.type, each.initial, each.name)
        scopes[at.scope] = Scope(at.scope, there)
    return replace(home, scopes=scopes)


def _timed(request: Request, answers: Mapping[str, str]) -> Request:
    """Give repetitions without an end the number of rounds that was answered."""
    times = answers.get("until", "").strip().removesuffix("次").strip()
    if not times.isdecimal() or not 1 <= int(times) <= 100:
        return request
    branches = tuple(
        replace(each, rounds=replace(each.rounds, times=int(times))) if each.rounds and not each.rounds.until else each
        for each in request.branches
    )
    return replace(request, branches=branches)


def _answered_place(answers: Mapping[str, str]) -> Place | None:
    """Read latitude and longitude: 31.23,121.47."""
    parts = answers.get("place", "").replace("，", ",").split(",")
    try:
        latitude, longitude = (float(each) for each in parts)
    except ValueError:
        return None
    return Place(latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None
