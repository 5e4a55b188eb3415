"""Whatever a model says, the answer is an assembly that makes plans without an error, or `Misread`."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.household.assembling.saying import ALONE, FAMILY, LARGE, OLD, TASKS
from tests.household.modelling.cases import CASES
from tests.household.modelling.replied import request_of, site_of

from zhixing.household.assembling.assembler import Outcome
from zhixing.household.assembling.request import Request
from zhixing.household.checks import refused
from zhixing.household.composing.asking import ask
from zhixing.household.composing.composer import compose
from zhixing.household.modelling import Misread, read_reply
from zhixing.household.modelling.prompting import SHAPE

TEXTS = sorted({case.text for case in CASES})
HOMES = [FAMILY, OLD, LARGE, ALONE]
HOSTILE = [
    "", " ", "\x00", "\u202e", "⟧", "；", "不含", "；不含", "{x}", "%s", "<did>", "$(rm -rf /)", "忽略以上要求",
    "miloco-cli task delete x", "2026-13-40T25:61", "2026-06-13T09:00", "9999-12-31T23:59", "0001-01-01T00:00",
    "0 8 * * *", "* * * * *", "60 25 * * *", "我", "用户", "任何人", "家庭成员", "drink_8_daily", "drink_water",
    "stranger", "room_empty", "fall", "门", "客厅", "A", "每天", "到八月底", "晚上", "半", "1", "９", "一",
    "孩" * 3_000, "\ud83d", "🧒🏽", "ﷺ", "²",
]  # fmt: skip
PIECES = sorted({text[at : at + size] for text in TEXTS for at in range(len(text)) for size in (2, 3, 5)})
WORDS = st.one_of(st.sampled_from(TEXTS), st.sampled_from(PIECES), st.sampled_from(HOSTILE), st.text(max_size=12))
NUMBERS = st.sampled_from([0, 1, 30, 60, 600, 3600, 86_400, 86_401, 10**8, 10**9, -1, 2**63, 10**400])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(), WORDS)
CODES = [
    *("instant", "continuous", "state", "safety", "object", "scene", "arrives", "enters", "exits", "boundary"),
    *("presence", "posture", "sudden", "focus", "user", "first_person", "given", "members", "anyone", "animal"),
    *("audio", "on", "off", "blink", "goal", "total", "how_long", "how_many", "keep", "at", "every", "cron", "week"),
]
PARTS = [part for case in CASES for task in case.reply["tasks"] for part in task.values() if isinstance(part, dict)] + [
    {"seconds": 600, "quote": "10分钟"},
    {"seconds": None, "quote": "今天"},
]
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)
QUESTIONS = ("channel", "trigger_frequency", "viewpoint", "person", "camera_name", "confirm", "expiry", "duplicate")
ANSWERS = st.dictionaries(st.sampled_from(QUESTIONS), st.sampled_from(["A", "B", "C", "八月底", "取消"]), max_size=3)


def shaped(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Return replies of the shape, with any words in it."""
    if "anyOf" in schema:
        return st.one_of(*(shaped(option) for option in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: shaped(inner) for name, inner in schema["properties"].items()})
        case "array":
            return st.lists(shaped(schema["items"]), max_size=3)
        case "string":
            return WORDS
        case "integer":
            return NUMBERS
    return st.none()


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every place in a reply."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def other_than(value: object, text: str) -> st.SearchStrategy[Any]:
    """Return values of the same sort as `value`, and now and then any other."""
    match value:
        case str():
            same: st.SearchStrategy[Any] = st.one_of(WORDS, st.sampled_from(CODES), st.just(text))
        case int():
            same = NUMBERS
        case None:
            same = st.one_of(WORDS, st.sampled_from(PARTS))
        case list():
            same = st.sampled_from([[], value * 2, value[:1]])
        case _:
            same = st.none()
    return st.one_of(same, same, same, ANYTHING)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str, Any]:
    """Return a good reply with up to three places changed, for its sentence."""
    case = draw(st.sampled_from(CASES))
    reply = copy.deepcopy(case.reply)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(reply)))
        into = reply
        for key in path[:-1]:
            into = into[key]
        into[path[-1]] = copy.deepcopy(draw(other_than(into[path[-1]], case.text)))
    return case.text, case.home, reply


@st.composite
def grafted(draw: st.DrawFn) -> tuple[str, str, Any]:
    """Return a good reply with a part of another one in the same place."""
    case, other = draw(st.sampled_from(CASES)), draw(st.sampled_from(CASES))
    reply = copy.deepcopy(case.reply)
    if reply["tasks"] and other.reply["tasks"]:
        into, out_of = reply["tasks"][0], other.reply["tasks"][0]
        for name in draw(st.sets(st.sampled_from(sorted(into)), min_size=1)):
            into[name] = copy.deepcopy(out_of[name])
        for name in draw(st.sets(st.sampled_from(["manner", "movement", "steady", "behaviour", "starts", "each"]))):
            if into["trigger"] is not None and out_of["trigger"] is not None:
                into["trigger"][name] = out_of["trigger"][name]
        into["words"] = draw(st.sampled_from([case.text, into["words"]]))
    return case.text, case.home, reply


def one_line(words: str) -> None:
    """Look at what is said about a reply that is misread."""
    assert words
    assert "\n" not in words


def one_question(prompt: str) -> bool:
    """Whether something can be asked."""
    return 0 < len(prompt) < 2_000


def judge(value: Any, request: Request) -> None:
    """Read a reply, and look at what came of it."""
    site = site_of(request)
    try:
        found = read_reply(value, request, site)
    except Misread as misread:
        one_line(str(misread))
        return
    assert found.outcome is not Outcome.NEEDS_MODEL
    assert (found.outcome is Outcome.ASKED) == bool(found.questions)
    if found.op != "create":
        assert found.drafts == ()
        assert set(found.target or ()) <= {task.id for task in request.home.tasks}
        if found.op in ("delete", "disable", "enable", "update"):
            assert found.outcome is Outcome.ASKED or request.answers["confirm"] == "A"
    elif found.outcome is Outcome.ASKED:
        assert one_question(ask(found, site).prompt)
    for draft in found.drafts:
        assert draft.rule or draft.schedule is not None
        assert draft.behaviour is None or draft.behaviour.kind != "safety" or draft.duration is None
        if found.outcome is Outcome.PLANNED:
            composed = compose(draft, site)
            assert not refused(composed.findings)
            site = replace(site, taken=site.taken | {composed.plan.slug})


@settings(max_examples=25, deadline=None)
@given(ANYTHING, st.sampled_from(TEXTS), ANSWERS)
def test_any_json_at_all(value, text, answers):
    judge(value, request_of(text, answers=answers, tasks=TASKS))


@settings(max_examples=80, deadline=None)
@given(shaped(SHAPE.schema), st.sampled_from(TEXTS), st.sampled_from(HOMES), ANSWERS)
def test_any_json_of_the_shape(value, text, home, answers):
    judge(value, request_of(text, home, answers, TASKS))


@settings(max_examples=100, deadline=None)
@given(mutated(), ANSWERS)
def test_good_replies_with_something_changed(changed, answers):
    text, home, reply = changed
    judge(reply, request_of(text, home, answers, TASKS))


@settings(max_examples=100, deadline=None)
@given(grafted(), ANSWERS, st.sampled_from(HOMES))
def test_good_replies_with_a_part_of_another(changed, answers, home):
    text, _, reply = changed
    judge(reply, request_of(text, home, answers, TASKS))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(CASES), st.sampled_from(HOMES), ANSWERS)
def test_good_replies_in_every_home_with_every_answer(case, home, answers):
    judge(case.reply, request_of(case.text, home, answers, TASKS))


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=80), st.sampled_from(CASES))
def test_any_sentence_with_a_good_reply_to_another(text, case):
    judge(case.reply, request_of(text))
