"""The shape of replies: what is read, what is passed over, what is refused before anybody looks at the words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zhixing.kernel.wording import section
from zhixing.notices.model import NodeKind
from zhixing.notices.protocol import (
    MOST_DETAILS,
    MOST_ITEMS,
    MOST_NODES,
    Fault,
    Rejected,
    Reply,
    downgrade,
    protocol_of,
    read_reply,
    reply_schema,
)
from zhixing.world.models.shape import Shape

NODE = {"kind": "start", "expression": "明天下午3点", "evidence": "明天下午3点开会"}
OLD = {"nodes": [NODE]}
CASES = Path(__file__).parent / "cases" / "replies.jsonl"
REPLIES = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def item(**members: Any) -> dict[str, Any]:
    return {"version": 1, "items": [{"nodes": [NODE], **members}]}


def fault(given: object) -> tuple[Fault, str]:
    found = read_reply(given)
    assert isinstance(found, Rejected), found
    return found.why, found.path


def read(given: object) -> Reply:
    found = read_reply(given)
    assert isinstance(found, Reply), found
    return found


# What is read.


def test_an_old_reply_without_the_new_fields_is_read_as_it_is():
    (only,) = read(OLD).items
    (node,) = only.nodes
    assert (node.kind, node.expression, node.evidence) == (NodeKind.START, "明天下午3点", "明天下午3点开会")
    assert (node.lead_minutes, node.lead_evidence, only.speaker, only.sent_on) == (None, None, None, None)


def test_the_root_may_be_the_only_item():
    assert read({**OLD, "version": 1, "title": "开会"}) == read(item(title="开会"))


def test_text_is_read_like_what_was_decoded_from_it():
    text = json.dumps(item(title="开会"), ensure_ascii=False)
    assert read(text) == read(text.encode()) == read(item(title="开会"))


def test_null_is_the_same_as_absent():
    nothing = dict.fromkeys(["title", "action", "evidence", "details", "ambiguities", "speaker", "sentOn"])
    node = {**NODE, "leadMinutes": None, "leadEvidence": None}
    assert read({"items": [{"nodes": [node], **nothing}], "transcript": None}) == read(item())


@pytest.mark.parametrize("name", ["confidence", "score", "probability", "reasoning", "language", "模型"])
@pytest.mark.parametrize("value", [0.99, 0.01, "很有把握", None])
def test_what_a_model_thinks_of_itself_is_passed_over(name: str, value: object):
    plain = read(OLD)
    assert read({**OLD, name: value}) == plain
    assert read(item(**{name: value})) == plain
    assert read({"nodes": [{**NODE, name: value}]}) == plain


def test_a_detail_with_more_about_it_is_its_evidence():
    assert read(item(details=["带电脑", {"text": "带上", "evidence": "带本子"}])).items[0].details == (
        "带电脑",
        "带本子",
    )


def test_ambiguities_count_only_about_matter_person_and_time():
    given = [
        {"about": "subject"},
        {"about": "identity"},
        {"about": "time", "expression": "周五"},
        {"about": "color"},
        7,
    ]
    assert [one.about for one in read(item(ambiguities=given)).items[0].ambiguities] == ["subject", "identity", "time"]


def test_a_bare_sentence_of_doubt_counts_as_doubt_about_the_matter():
    assert [one.about for one in read(item(ambiguities=["不清楚是哪件事", " "])).items[0].ambiguities] == ["subject"]


def test_the_transcript_may_stand_in_the_item():
    assert read({**item(transcript="明天下午3点开会")}).transcript == "明天下午3点开会"
    assert read({**item(), "transcript": "明天下午3点开会"}).transcript == "明天下午3点开会"


# What is refused.


@pytest.mark.parametrize(
    "text",
    ["", "好的", "[]", '{"nodes": [', '{"nodes": []', '{"nodes": []} {}', '{"nodes": [], "nodes": []}', b"\xff\xfe"],
)
def test_a_malformed_or_truncated_reply_is_refused(text: str | bytes):
    assert fault(text)[0] is Fault.MALFORMED


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({}, "items"),
        ({"items": None}, "items"),
        ({"items": "x"}, "items"),
        ({"items": [1]}, "items[0]"),
        ({"items": [{}]}, "items[0]"),
        ({"nodes": None}, "items[0]"),
        ({"nodes": "x"}, "items[0].nodes"),
        ({"nodes": [{**NODE, "kind": "begin"}]}, "items[0].nodes[0].kind"),
        ({"nodes": [{**NODE, "kind": "START"}]}, "items[0].nodes[0].kind"),
        ({"nodes": [{**NODE, "expression": 3}]}, "items[0].nodes[0].expression"),
        ({"nodes": [{"kind": "start", "expression": "明天"}]}, "items[0].nodes[0]"),
        ({"nodes": [{**NODE, "leadMinutes": "10", "leadEvidence": "x"}]}, "items[0].nodes[0].leadMinutes"),
        ({"nodes": [{**NODE, "leadMinutes": 9.5, "leadEvidence": "x"}]}, "items[0].nodes[0].leadMinutes"),
        ({"nodes": [{**NODE, "leadMinutes": True, "leadEvidence": "x"}]}, "items[0].nodes[0].leadMinutes"),
        ({"items": [{"nodes": [], "title": 1}]}, "items[0].title"),
        ({"items": [{"nodes": [], "details": "x"}]}, "items[0].details"),
        ({"items": [{"nodes": [], "speaker": "teacher"}]}, "items[0].speaker"),
        ({"items": [{"nodes": []}], "transcript": 3}, "transcript"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(given: object, place: str):
    assert fault(given) == (Fault.SHAPE, place)


@pytest.mark.parametrize("given", [None, 3, [], [OLD], True])
def test_a_reply_is_an_object(given: object):
    assert fault(given)[0] is Fault.SHAPE


@pytest.mark.parametrize("version", [0, 2, "1", True, 1.5])
def test_another_version_is_refused(version: object):
    assert fault({**OLD, "version": version}) == (Fault.VERSION, "version")


FORBIDDEN = [
    *("timestamp", "datetime", "date", "at", "remindAt", "remind_at", "reminderAt", "trigger-at", "dueAt", "startTime"),
    *("completed", "done", "status", "schedule", "Scheduled", "alarm", "alarm_time", "cron", "rrule"),
    *("defaultLead", "defaultLeadMinutes", "default_lead"),
]


@pytest.mark.parametrize("name", FORBIDDEN)
@pytest.mark.parametrize("value", ["2026-10-21T15:00:00+08:00", True, None, {}])
def test_instants_completions_defaults_and_schedules_are_refused_wherever_they_stand(name: str, value: object):
    assert fault({"nodes": [{**NODE, name: value}]}) == (Fault.FORBIDDEN, "nodes[0]")
    assert fault(item(**{name: value})) == (Fault.FORBIDDEN, "items[0]")
    assert fault({**OLD, name: value}) == (Fault.FORBIDDEN, "JSON")
    assert fault({**OLD, "extra": [{name: value}]}) == (Fault.FORBIDDEN, "extra[0]")


def test_a_reply_names_at_least_one_matter():
    assert fault({"version": 1, "items": []}) == (Fault.EMPTY, "items")


def test_a_reply_is_bounded():
    assert fault({"items": [{"nodes": []}] * (MOST_ITEMS + 1)}) == (Fault.TOO_MANY, "items")
    assert fault({"nodes": [NODE] * (MOST_NODES + 1)}) == (Fault.TOO_MANY, "items[0].nodes")
    assert fault(item(details=["x"] * (MOST_DETAILS + 1))) == (Fault.TOO_MANY, "items[0].details")


def test_a_deeply_nested_reply_is_answered():
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"x": deep}
    assert read({**OLD, "x": deep}) == read(OLD)


@pytest.mark.parametrize("why", Fault)
def test_every_fault_can_be_told_to_the_model_without_repeating_it(why: Fault):
    for language in ("zh", "en"):
        assert f"reply_{why.value}" in section("notices", language)
        assert Rejected(why, "items[0].title").complaint(language).startswith("items[0].title")


# What a model is asked for.


@pytest.mark.parametrize("line", REPLIES, ids=lambda line: line["id"])
def test_a_right_reply_has_the_shape_that_a_model_is_asked_for(line: dict[str, Any]):
    assert Shape("notice", reply_schema()).mismatch(line["reply"]) == ""
    assert isinstance(read_reply(line["reply"]), Reply)


def test_the_schema_has_no_place_for_a_forbidden_fact():
    names = json.dumps(reply_schema())
    assert not [name for name in FORBIDDEN if f'"{name}"' in names]


def test_every_field_of_the_schema_tells_the_model_what_belongs_there():
    def fields(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        inner = list(schema.get("properties", {}).items())
        return inner + [one for _, deeper in inner for one in fields(deeper.get("items", {}))]

    silent = {name for name, schema in fields(reply_schema()) if not schema.get("description")}
    assert silent == {"version"}


# Older clients.


def test_the_oldest_protocol_knows_neither_leads_nor_reminders():
    node = {"kind": "reminder", "expression": "a", "evidence": "a", "leadMinutes": 0, "leadEvidence": "准时"}
    old = {"kind": "start", "expression": "a", "evidence": "a"}
    assert downgrade({"nodes": [node]}, 1) == {"nodes": [old]}
    assert downgrade({"version": 1, "items": [{"nodes": [node], "title": "b"}]}, 1) == {
        "version": 1,
        "items": [{"nodes": [old], "title": "b"}],
    }


@pytest.mark.parametrize("kind", [kind for kind in NodeKind if kind is not NodeKind.REMINDER])
def test_other_kinds_stay_for_the_oldest_protocol(kind: NodeKind):
    assert downgrade({"nodes": [{**NODE, "kind": kind.value}]}, 1) == {"nodes": [{**NODE, "kind": kind.value}]}


def test_a_newer_client_gets_everything_and_the_reply_itself_stays():
    reply = {"items": [{"nodes": [{**NODE, "kind": "reminder", "leadMinutes": 0, "leadEvidence": "准时"}]}]}
    kept = json.dumps(reply)
    assert downgrade(reply, 2) == downgrade(reply, 3) == reply
    downgrade(reply, 1)
    assert json.dumps(reply) == kept


@pytest.mark.parametrize("broken", [{"nodes": "x"}, {"items": 3}, {"items": [3, None]}, {"nodes": [3]}, {}])
def test_a_reply_that_has_no_shape_passes_the_gateway_as_it_is(broken: dict[str, Any]):
    assert downgrade(broken, 1) == broken


@pytest.mark.parametrize(
    ("named", "protocol"),
    [
        (None, 1),
        ("", 1),
        ("1", 1),
        ("2", 2),
        (" 2 ", 2),
        ("3", 3),
        ("x", 1),
        ("0", 1),
        ("-2", 1),
        ("２", 1),
        ("99999", 1),
    ],
)
def test_a_client_that_names_no_protocol_speaks_the_oldest(named: str | None, protocol: int):
    assert protocol_of(named) == protocol
