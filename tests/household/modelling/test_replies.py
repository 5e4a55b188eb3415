"""Good replies become what our own rules make of their facts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.household.modelling.cases import CASES, Case
from tests.household.modelling.replied import request_of, site_of

from zhixing.household.assembling.assembler import Assembly
from zhixing.household.assembling.wire import to_wire
from zhixing.household.checks import refused
from zhixing.household.composing.composer import compose
from zhixing.household.modelling import check_for, question_about, read_reply
from zhixing.household.modelling.prompting import SHAPE


def flat(assembly: Assembly) -> dict[str, Any]:
    """Return the decision with the parts of its only task beside it, and those of several under their numbers."""
    found = to_wire("x", assembly)
    for number, one in enumerate(found["tasks"]):
        places = [f"tasks.{number}.", *([""] if len(found["tasks"]) == 1 else [])]
        for place in places:
            found |= {f"{place}{key}": value for key, value in one.items()}
            for part in ("schedule", "record"):
                found |= {f"{place}{part}.{key}": value for key, value in (one[part] or {}).items()}
    return found


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case.text}" for number, case in enumerate(CASES)])
def test_a_good_reply_becomes_what_the_rules_say(case: Case):
    request = request_of(case.text, case.home, case.answers)
    site = site_of(request)
    assert SHAPE.mismatch(case.reply) == ""
    assembly = read_reply(case.reply, request, site)
    found = flat(assembly)
    assert {key: found.get(key) for key in case.wanted} == case.wanted
    assert check_for(request, site)(case.reply) == ""
    if assembly.outcome == "planned":
        for draft in assembly.drafts:
            assert not refused(compose(draft, site).findings)


def test_a_question_is_asked_of_the_words_alone():
    request = request_of("孩子在墙上乱画就提醒我")
    prompt = question_about(request)
    assert prompt.shape is SHAPE
