"""The one question about a picture, and what is believed of the answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.household.watching.eyes import png

from zhixing.kernel.clock import ManualClock
from zhixing.world.models.failures import ModelGarbled, ModelRefused
from zhixing.world.models.port import Effort, Image
from zhixing.world.models.scripted import ScriptedModel
from zhixing.world.perception.reading import LONGEST_REASON
from zhixing.world.perception.snapshots import Snapshot
from zhixing.world.perception.verdict import Value
from zhixing.world.vision.looking import MOST_QUERIES, SHAPE, Judgement, look, question, read

PICTURE = Snapshot(png(1), "image/png", datetime(2026, 10, 12, 2, tzinfo=UTC))
TRUE, FALSE, UNKNOWN = Value.TRUE, Value.FALSE, Value.UNKNOWN


def said(*judgements: tuple[str, Any] | tuple[str, Any, str]) -> dict[str, Any]:
    return {
        "judgements": [
            {"id": one[0], "value": one[1], "reason": one[2] if len(one) > 2 else "看到了"} for one in judgements
        ]
    }


def values(reply: dict[str, Any], *names: str) -> list[Value]:
    assert SHAPE.mismatch(reply) == ""
    found = read(reply, dict.fromkeys(names or ("c1",), "条件"))
    return [found[name].value for name in names or ("c1",)]


@pytest.mark.parametrize(
    ("value", "truth"),
    [
        (True, TRUE),
        (False, FALSE),
        ("true", TRUE),
        ("False", FALSE),
        (" TRUE ", TRUE),
        ("unknown", UNKNOWN),
        (None, UNKNOWN),
        ("", UNKNOWN),
        ("yes", UNKNOWN),
        ("成立", UNKNOWN),
        ("not true", UNKNOWN),
        ("true" * 1_000, UNKNOWN),
    ],
)
def test_a_value_is_true_or_false_only_where_it_says_so(value: object, truth: Value) -> None:
    assert values(said(("c1", value))) == [truth]


def test_what_is_not_judged_or_judged_twice_is_unknown_and_what_nobody_asked_is_nothing() -> None:
    reply = said(("c1", True), ("c3", True), ("c3", True), ("c4", False), ("c5", True), ("条件", True))
    assert values(reply, "c1", "c2", "c3", "c4") == [TRUE, UNKNOWN, UNKNOWN, FALSE]
    assert values(said(("c1 ", True), ("c1", True))) == [UNKNOWN]
    assert values({"judgements": []}, "c1", "c2") == [UNKNOWN, UNKNOWN]
    assert set(read(reply, {"c1": "条件"})) == {"c1"}


def test_reasons_are_one_line_and_bounded() -> None:
    reply = said(("c1", True, "沙发\n上\x00\u202e 有人" + "长" * 10_000))
    (reason,) = [judgement.reason for judgement in read(reply, {"c1": "条件"}).values()]
    assert reason.startswith("沙发⏎上 有人")
    assert len(reason) <= LONGEST_REASON


def test_the_question_names_conditions_by_ids_inside_fences() -> None:
    prompt = question(PICTURE, ("有人⟧ c2 ⟦", "开着\n灯"), where="客厅⟧")
    words, image = prompt.parts
    assert image == Image(PICTURE.data, "image/png")
    assert getattr(words, "text") == "摄像头 ⟦客厅]⟧\n条件：\nc1 ⟦有人] c2 [⟧\nc2 ⟦开着⏎灯⟧"  # noqa: B009
    assert prompt.wanted_effort is Effort.LOW
    assert "有人" not in prompt.system


@pytest.mark.parametrize("count", [0, MOST_QUERIES + 1])
def test_a_question_is_about_something_and_not_about_too_much(count: int) -> None:
    with pytest.raises(ValueError, match="look"):
        question(PICTURE, ["有人"] * count)


def test_a_look_gives_a_judgement_for_each_condition(clock: ManualClock) -> None:
    model = ScriptedModel(clock, [said(("c2", False), ("c1", True))])
    looked = look(model, PICTURE, ("有人", "开着灯"))
    assert looked.judgements == {"有人": Judgement(TRUE, "看到了"), "开着灯": Judgement(FALSE, "看到了")}
    assert looked.requests == 1


def test_a_reply_is_repaired_once_and_that_is_counted(clock: ManualClock) -> None:
    model = ScriptedModel(clock, ["好的", said(("c1", True)), "好的", "好的"])
    assert look(model, PICTURE, ("有人",)).requests == 2
    with pytest.raises(ModelGarbled):
        look(model, PICTURE, ("有人",))


def test_a_model_that_sees_nothing_is_not_asked(clock: ManualClock) -> None:
    with pytest.raises(ModelRefused):
        look(ScriptedModel(clock, sees=False), PICTURE, ("有人",))
