"""Chapters 13 and 14: the order of the steps, questions that wait, and the report that ends an assembly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from zhixing.household.checks.descs import is_notice
from zhixing.household.checks.findings import Check, of_plan
from zhixing.household.checks.lexicon import says, table
from zhixing.household.checks.model import AssemblyPlan, Case, Final, Question


def _steps_of(plan: AssemblyPlan) -> Counter[str]:
    """Return the steps that a plan takes: each job is made and linked, everything else is made."""
    wanted = ["task", *(["record"] if plan.records else [])]
    wanted += [f"{step}:{number}" for number in range(len(plan.schedules)) for step in ("cron", "link")]
    wanted += [f"rule:{number}" for number in range(len(plan.rules))]
    return Counter(wanted)


def _ordered(steps: tuple[str, ...], first: str, second: str) -> bool:
    """Whether one step stands before another; what is missing is reported as that."""
    return first not in steps or second not in steps or steps.index(first) < steps.index(second)


def _late_record(case: Case) -> bool:
    """Whether a rule that waits for a target is made before what counts up to it."""
    steps = case.plan.steps
    return any(
        rule.target_desc is not None
        and not (_ordered(steps, "task", "record") and _ordered(steps, "record", f"rule:{number}"))
        for number, rule in enumerate(case.plan.rules)
    )


def _early_link(case: Case) -> bool:
    steps = case.plan.steps
    return any(not _ordered(steps, f"cron:{number}", f"link:{number}") for number in range(len(case.plan.schedules)))


def _other_steps(case: Case) -> bool:
    """Whether the steps do not fit the plan; while a question waits there are none."""
    return not (case.plan.questions and not case.plan.steps) and Counter(case.plan.steps) != _steps_of(case.plan)


def _options_missing(question: Question) -> bool:
    """Whether there are too few options, or too many; a person may be one of several."""
    wanted = table("options").get(question.kind)
    given = len(question.options)
    return wanted is not None and (given < wanted if question.kind == "person" else given != wanted)


def _name_behind_role(case: Case, text: str) -> bool:
    """Whether a name stands in brackets behind a role (妈妈（李梅）)."""
    return any(
        f"{person.role}{opening}{person.name}" in text
        for person in case.context.persons
        if person.role and person.name
        for opening in ("（", "(", " （", " (")
    )


def _channel_before_answer(case: Case) -> bool:
    return case.asks("channel") and any(is_notice(desc) for rule in case.plan.rules for desc in rule.descs)


def _recorded_untold(case: Case, final: Final) -> bool:
    """Whether the answer does not say what is written down, or that nothing is (H-CHK-06)."""
    if not final.response.strip():
        return False
    nothing = says("talk.no_record_patterns", final.response)
    if case.plan.record is None:
        return not nothing
    return nothing or not says("talk.record_patterns", final.response)


def _life_differs(case: Case, final: Final) -> bool:
    """Whether the report says another life; 从今天起长期有效 goes on although it names a day."""
    if not final.lifecycle.strip():
        return False
    goes_on = says("talk.permanent_patterns", final.lifecycle)
    if case.plan.permanent:
        return not goes_on or says("talk.ending_patterns", final.lifecycle)
    return case.plan.temporary and (goes_on or not says("talk.temporary_patterns", final.lifecycle))


def _texts(final: Final) -> tuple[str, ...]:
    return (final.task, final.trigger, final.response, final.lifecycle, *final.tips)


def _of_final(name: str, clauses: str, wrong: Callable[[Case, Final], bool]) -> Check:
    """Make a check of the report, where there is one."""
    return of_plan(name, clauses, lambda case: case.plan.final is not None and wrong(case, case.plan.final))


def _of_questions(name: str, clauses: str, wrong: Callable[[Case, Question], bool]) -> Check:
    """Make a check of the questions."""
    return of_plan(name, clauses, lambda case: any(wrong(case, question) for question in case.plan.questions))


CHECKS: tuple[Check, ...] = (
    of_plan("V-200", "H-OUT-03、H-EVF-06", lambda case: bool(case.plan.questions and case.plan.steps)),
    of_plan("V-201", "H-MAP-01", lambda case: bool(case.plan.steps) and case.plan.steps[0] != "task"),
    of_plan("V-202", "H-GOAL-09、H-CHK-05", _late_record),
    of_plan("V-203", "H-MAP-07", _early_link),
    of_plan("V-204", "H-FIN-01", _other_steps),
    _of_questions("V-205", "H-CHAN-05、H-DUP-03、H-EVF-05", lambda _, it: _options_missing(it)),
    _of_questions("V-206", "H-OUT-04", lambda _, it: says("talk.progress_patterns", it.text)),
    _of_questions("V-207", "H-OUT-05", lambda case, it: _name_behind_role(case, it.text)),
    of_plan("V-208", "H-CHAN-07", _channel_before_answer),
    _of_final("V-220", "H-FIN-02", lambda _, final: not final.task.strip()),
    _of_final("V-221", "H-FIN-03", lambda _, final: not final.trigger.strip()),
    _of_final("V-222", "H-FIN-04", lambda _, final: not final.response.strip()),
    _of_final("V-223", "H-FIN-05", lambda _, final: not final.lifecycle.strip()),
    _of_final(
        "V-224", "H-FIN-02", lambda case, final: bool(final.task.strip()) and case.plan.task_id not in final.task
    ),
    _of_final("V-225", "H-FIN-04、H-CHK-06", _recorded_untold),
    _of_final("V-226", "H-TIP-03", lambda case, final: len(final.tips) != len(case.plan.tips)),
    _of_final("V-227", "H-FIN-05", _life_differs),
    _of_final("V-228", "H-OUT-05", lambda case, final: any(_name_behind_role(case, text) for text in _texts(final))),
    _of_final(
        "V-229", "H-CHK-04", lambda _, final: any(says("talk.self_check_patterns", text) for text in _texts(final))
    ),
)
