"""What OpenAPI describes is what is written: no field more, none less."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from tests.faces.http.described import check

from zhixing.faces import wire
from zhixing.faces.http.api import shapes
from zhixing.kernel.moments import zone
from zhixing.notices import listing
from zhixing.notices import store as notices
from zhixing.tasks import journal, occurrences

SAID = [
    "明晚九点提醒我交表",
    "明天下午3点参加会议，提前10分钟提醒我",
    "10月20日下午两点开班会",
    "12月20日下午六点截止报名",
    "12月3日交材料",
    "明天三点开会",
    "周五之前交周报",
    "买牛奶",
    "每天早上七点提醒我吃药",
    "半小时后提醒我关火",
]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def test_everything_that_is_written_is_described(app, client, clock, pass_time) -> None:
    for text in SAID:
        client.say(text)
    client.post("/api/v1/tasks/t6/answer", {"value": "15:00"})
    pass_time(timedelta(minutes=30))
    china = zone("Asia/Shanghai")
    with app.store.read() as tx:
        for notice in listing.page(tx).notices:
            check(shapes.Task, wire.of_notice(notice))
            check(shapes.ExplainedTask, wire.of_notice(notice, ["一行"]))
        (message,) = app.delivery.inbox(tx)
        check(shapes.Message, wire.of_message(message, china))
        check(shapes.Occurrence, wire.of_occurrence(occurrences.get(tx, message.occurrence_id), china))
        coming = notices.coming(tx, clock.now(), clock.now() + timedelta(days=99), 99)
        assert coming
        for each in coming:
            check(shapes.ComingReminder, wire.of_coming(*each))
        for entry in journal.since(tx, 0):
            check(shapes.JournalEntry, wire.of_entry(entry, china))


def test_every_field_is_spelled_as_in_json(client) -> None:
    # These are called what the file of a task, a hub and the collaboration API call them.
    for name, schema in client.get("/api/v1/openapi.json")["components"]["schemas"].items():
        fields = set(schema.get("properties", {})) - {"agent_command", "specV2Access", "request_id"}
        assert [field for field in fields if not re.fullmatch("[a-z][a-zA-Z]*", field)] == [], name
