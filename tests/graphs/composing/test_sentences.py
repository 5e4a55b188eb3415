"""Sentences that become rules, sentences that become a question, and sentences that become neither."""

from __future__ import annotations

import pytest
from tests.graphs.composing.homes import HOMES, flat, outcome
from tests.graphs.composing.sentences import ASKED, FLAT, HOUSE, REFUSED, VIRTUAL

from zhixing.graphs.building.design import gaps
from zhixing.graphs.composing.composing import Asked, Composed, NeedsModel
from zhixing.graphs.specs.home import Home

DONE = [
    (name, text, orders)
    for name, table in (("flat", FLAT), ("virtual", VIRTUAL), ("house", HOUSE))
    for text, orders in table.items()
]


def orders_of(composed: Composed, home: Home) -> str:
    """Give the orders of a rule, in the order of its cards."""
    found = []
    for node in composed.rule.nodes:
        if node.type != "deviceOutput":
            continue
        spec, props = home.spec_of(node.did), node.props
        if "piid" in props:
            given = props["value"] if "value" in props else f"${props['id']}"
            found.append(f"{node.did} {spec.property(props['siid'], props['piid']).name}={given}")
        else:
            given = ", ".join(str(each["value"]) for each in props["ins"])
            found.append(f"{node.did} {spec.action(props['siid'], props['aiid']).name}({given})")
    return "; ".join(found)


@pytest.mark.parametrize(("name", "text", "orders"), DONE)
def test_a_sentence_becomes_a_checked_and_tried_rule(name, text, orders):
    home = HOMES[name]()
    found = outcome(text, home)
    assert isinstance(found, Composed), found
    assert orders_of(found, home) == orders
    assert found.verdict.valid
    assert found.smoke.passed
    assert gaps(found.design, found.rule) == ()
    assert found.lines


@pytest.mark.parametrize(("name", "text", "question"), ASKED)
def test_what_is_not_certain_is_asked(name, text, question):
    found = outcome(text, HOMES[name.lower()]())
    assert isinstance(found, Asked), found
    assert f"{found.question.kind} {found.question.subject}" == question
    assert found.question.prompt


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_rules_do_not_understand_whole_is_left_to_a_model(text):
    assert isinstance(outcome(text, flat()), NeedsModel)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text, asked in ASKED if asked.startswith("which")])
def test_answers_to_all_questions_lead_to_a_rule(name, text):
    answers: dict[str, str] = {}
    found = outcome(text, HOMES[name.lower()](), answers)
    while isinstance(found, Asked):
        assert found.question.subject not in answers, "asked twice"
        options = found.question.options
        answers[found.question.subject] = options[0].value if options else "喝水"
        found = outcome(text, HOMES[name.lower()](), answers)
    assert isinstance(found, Composed), found
