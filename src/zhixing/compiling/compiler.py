"""A household task compiled to one rule graph. Pure.

    task → pieces (rules, jobs) → each alone: strict checks and a trial → one graph → strict checks → placed

A piece that the checks refuse or that does not do in its trial what the task does is left, with the reason; the others
go on. Nothing of the task is dropped in silence: what is not in `lines` is in `left`.
"""

from __future__ import annotations

from datetime import datetime

from zhixing.compiling.model import About, Compiled, Left, Remark, Site, Trial, What
from zhixing.compiling.reading import Course, job_piece, rule_piece
from zhixing.compiling.telling import lines_of
from zhixing.compiling.trying import Piece, tried
from zhixing.graphs.building.builder import Builder
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Phrase, Profile, Verdict
from zhixing.graphs.placing import placed
from zhixing.graphs.rule import Rule
from zhixing.household.viewing import TaskView
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone
from zhixing.tasks.task import Term

NOTHING_FOUND = Verdict((), ())


def compile_task(view: TaskView, site: Site, now: datetime) -> Compiled:
    """Compile a task. The rule is new: its id is made of `now`; while the task is paused it is switched off."""
    course = Course(site)
    about = About(What.TASK, view.slug)
    _leave_what_no_graph_has(view, about, course)
    found: list[Piece | None] = [rule_piece(each, course) for each in view.rules]
    found += [job_piece(each, course) for each in view.jobs]
    trials: list[Trial] = []
    pieces: list[Piece] = []
    for piece in found:
        trial = None if piece is None else _proved(piece, site, now, course)
        if piece is not None and trial is not None:
            pieces.append(piece)
            trials.append(trial)
    if not pieces:
        return Compiled(None, (), (), (), tuple(course.left), NOTHING_FOUND, ())
    builder, kept = _builder(now), {each.about for each in pieces}
    for piece in pieces:
        piece.build(builder)
    rule = placed(_rule(builder, view, now))
    remarks = [each for each in course.remarks if each.about in kept]
    remarks += [Remark("unverified", about), Remark("twice", about)]
    if not view.task.active:
        remarks.append(Remark("paused", about))
    lines = tuple(line for piece in pieces for line in lines_of(piece, site))
    verdict = check(rule, Profile.STRICT, site.home)
    return Compiled(rule, builder.variables, lines, tuple(remarks), tuple(course.left), verdict, tuple(trials))


def _leave_what_no_graph_has(view: TaskView, about: About, course: Course) -> None:
    if view.record is not None:
        course.leave("record", about)
    if view.task.lifecycle.expires_at is not None:
        course.leave("task_ends", about)
    if view.task.lifecycle.term is Term.TARGET:
        course.leave("task_target", about)


def _proved(piece: Piece, site: Site, now: datetime, course: Course) -> Trial | None:
    """Check and try a piece alone; None, and the reason, where it is not as it should be."""
    builder = _builder(now)
    try:
        piece.build(builder)
    except ZhixingError as error:
        course.left.append(Left("refused", piece.about, {"why": str(error)}))
        return None
    rule = builder.rule(piece.about.name, _ms(now))
    verdict = check(rule, Profile.STRICT, site.home)
    if not verdict.valid:
        said = verdict.errors[0]
        course.left.append(Left("refused", piece.about, {"why": Phrase(f"graph_findings.{said.code}", said.values)}))
        return None
    trial = tried(piece, rule, zone(site.zone), now)
    if not trial.passed:
        course.left.append(Left("trial", piece.about))
        return None
    return trial


def _builder(now: datetime) -> Builder:
    return Builder(str(_ms(now)))


def _rule(builder: Builder, view: TaskView, now: datetime) -> Rule:
    return builder.rule(view.task.title or view.slug, _ms(now), enabled=view.task.active)


def _ms(now: datetime) -> int:
    return int(now.timestamp() * 1_000)
