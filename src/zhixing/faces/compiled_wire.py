"""What came of compiling a task, as JSON and as lines. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zhixing.compiling.model import Compiled, Note, Trial
from zhixing.faces.graph_wire import of_verdict
from zhixing.kernel.wording import wording

Wire = dict[str, Any]


def of_compiled(compiled: Compiled) -> Wire:
    """Write it: the rule (null: nothing can run), its variables, what runs, differs and is left, checks and trials."""
    return {
        "rule": None if compiled.rule is None else dict(compiled.rule.raw),
        "variables": [
            {"scope": each.variable.scope, "id": each.variable.id, "type": each.type.value, "value": each.initial}
            for each in compiled.variables
        ],
        "runs": [_note(each) for each in compiled.lines],
        "differs": [_note(each) for each in compiled.remarks],
        "left": [_note(each) for each in compiled.left],
        "checks": of_verdict(compiled.verdict),
        "trials": [_trial(each) for each in compiled.trials],
    }


def compiled_lines(compiled: Compiled, name: str) -> list[str]:
    """Say what runs on the hub, what stays here, and what is different there."""
    whole = "nothing" if compiled.rule is None else "partly" if compiled.left else "whole"
    lines = [wording(f"compiling.head_{whole}", name=name), *_indented(compiled.lines)]
    if compiled.left and compiled.rule is not None:
        lines.append(wording("compiling.head_left"))
    lines += _indented(compiled.left)
    if compiled.remarks:
        lines += [wording("compiling.head_remarks"), *_indented(compiled.remarks)]
    return lines


def _indented(notes: Sequence[Note]) -> list[str]:
    return [f"  {each.text()}" for each in notes]


def _note(note: Note) -> Wire:
    about: Wire = {"what": note.about.what.value, "name": note.about.name}
    if note.about.direction is not None:
        about["direction"] = note.about.direction.value
    return {"code": note.code, **about, "message": note.text()}


def _trial(trial: Trial) -> Wire:
    return {"what": trial.about.what.value, "name": trial.about.name, "commands": len(trial.given), "ok": trial.passed}
