"""Whether a plan will come of it once the open questions are answered: found out while a model can still mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zhixing.household.assembling.assembler import Assembly, Outcome
from zhixing.household.assembling.request import Request
from zhixing.household.checks import refused
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.modelling.misreading import Fault, Misread

_LIKELY: Mapping[str, str] = {
    "channel": "B",
    "trigger_frequency": "A",
    "viewpoint": "A",
    "person": "B",
    "camera_name": "B",
}
"""Answers that lead on. What else is asked (an end, a device, which task makes room) is the user's to say."""
_MOST_ROUNDS = 3

Conclude = Callable[[Request], Assembly]


def rehearse(assembly: Assembly, conclude: Conclude, request: Request, site: Site, wishes: Sequence[str]) -> None:
    """Compose what `assembly` would become. Raises `Misread` where the plan would be refused, or loses a wish.

    `wishes`: for each task the words for how a device is to be set, empty where it is only switched.
    """
    for _ in range(_MOST_ROUNDS):
        if assembly.outcome is Outcome.PLANNED:
            return _compose(assembly, site, wishes)
        if assembly.outcome is not Outcome.ASKED or not set(assembly.questions) <= set(_LIKELY):
            return None
        answers = {**request.answers, **{kind: _LIKELY[kind] for kind in assembly.questions}}
        request = replace(request, answers=answers)
        assembly = conclude(request)
    return None


def _compose(assembly: Assembly, site: Site, wishes: Sequence[str]) -> None:
    for index, (draft, wish) in enumerate(zip(assembly.drafts, wishes, strict=False)):
        try:
            composed = compose(draft, site)
        except Unwritable as error:
            raise Misread(Fault.UNDECIDED, f"tasks[{index}]") from error
        if refused(composed.findings):
            wrong = next(finding for finding in composed.findings if refused((finding,)))
            raise Misread(Fault.FINDINGS, f"tasks[{index}]", wrong.text)
        if wish and draft.rule and not all(_sets(rule, wish) for rule in composed.assembly["rules"]):
            raise Misread(Fault.BEYOND, f"tasks[{index}].response.act.setting", wish)
        site = replace(site, taken=site.taken | {composed.plan.slug})


def _sets(rule: Mapping[str, Any], wish: str) -> bool:
    """Whether a rule does more than switch: it writes a value, or says the wish to somebody with judgement."""
    commands = (rule["action"], rule["on_enter_action"])
    if any(command is not None and not isinstance(command.get("value"), bool) for command in commands):
        return True
    return any(wish in (desc or "") for desc in (rule["action_desc"], rule["on_enter_desc"]))
