"""What no healthy home shows: devices that fail or do not answer, and mistakes of our own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.lock import serve_lock
from zhixing.faces.cli.run import run
from zhixing.faces.mcp.server import called
from zhixing.faces.mcp.tools import TOOLS
from zhixing.faces.wire import Wire
from zhixing.kernel.clock import ManualClock

HOME = """\
home: 试试
rooms: [客厅]
devices:
  - {did: good, name: 好灯, room: 客厅, kind: light}
  - {did: away, name: 远灯, room: 客厅, kind: light, fault: offline}
  - {did: stubborn, name: 犟灯, room: 客厅, kind: light, fault: fails}
  - {did: mute, name: 闷灯, room: 客厅, kind: light, fault: silent}
"""


@pytest.fixture
def desk(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "home.yaml").write_text(HOME, encoding="utf-8")
    env = {"ZHIXING_HOME": str(folder), "TZ": "Asia/Shanghai"}
    return Desk(env, ManualClock(datetime(2026, 10, 12, 4, 0, tzinfo=UTC)), BytesIO(), StringIO(), StringIO())


@pytest.fixture
def home(desk):
    with house(desk) as opened:
        yield opened


@pytest.mark.parametrize(
    ("device", "code"), [("away", "device_failed"), ("stubborn", "device_failed"), ("mute", "device_uncertain")]
)
def test_a_command_that_did_not_do_it_is_an_error_and_says_whether_anybody_knows(home, desk, device, code):
    done = called("device_set", {"device": device, "property": "on", "value": True}, home, desk)
    assert done.is_error
    assert done.structured_content["error"]["code"] == code
    assert ("不要再做一遍" in done.content[0].text) == (code == "device_uncertain")


def test_a_device_that_cannot_be_read_has_no_values(home):
    properties = TOOLS["device_show"].call(home, {"device": "闷灯"})["properties"]
    assert {one["value"] for one in properties} == {None}
    assert all(one["problem"] for one in properties)


def test_a_mistake_of_ours_is_one_line_and_its_traceback_is_in_the_log(home, desk, monkeypatch):
    def break_down(*_: object, **__: object) -> Wire:
        raise ZeroDivisionError("a\nb")

    tool = TOOLS["person_list"]
    monkeypatch.setitem(TOOLS, "person_list", type(tool).of(break_down, tool.effect))
    done = called("person_list", {}, home, desk)
    assert done.structured_content["error"]["code"] == "unexpected"
    assert "\n" not in done.content[0].text
    assert "ZeroDivisionError" in (home.home / "zhixing.log").read_text(encoding="utf-8")


def test_half_a_character_is_refused_in_any_argument_and_in_a_result_hides_nothing_else(home, desk, monkeypatch):
    def say_half(*_: object, **__: object) -> Wire:
        return {"names": ["灯", "\ud800"]}

    refused = called("mijia_get_device", {"dids": ["good", "\ud800"]}, home, desk)
    assert refused.structured_content["error"]["code"] == "text_unstorable"
    tool = TOOLS["person_list"]
    monkeypatch.setitem(TOOLS, "person_list", type(tool).of(say_half, tool.effect))
    assert called("person_list", {}, home, desk).structured_content == {"names": ["灯", "?"]}


def test_while_a_server_runs_there_is_nothing_to_say(home, desk):
    with serve_lock(home.home, desk.clock):
        status = TOOLS["home_status"].call(home, {})
    assert (status["served"], status["notes"]) == (True, [])
    assert status["now"] == "2026-10-12T12:00:00+08:00"


def test_the_latest_of_many_occurrences_come_first(home, desk):
    for number in range(30):
        TOOLS["notify_push"].call(home, {"text": f"第 {number} 次"})
        desk.clock.advance(timedelta(minutes=1))
    found = TOOLS["occurrence_list"].call(home, {"hours": 1, "limit": 7})["occurrences"]
    assert len(found) == 7
    assert found[0]["due"] == "2026-10-12T12:29:00+08:00"
    assert [one["due"] for one in found] == sorted((one["due"] for one in found), reverse=True)


def test_the_command_takes_nothing(desk):
    assert run(["mcp", "--json"], desk) == 2
    assert desk.err.getvalue() == "多了「--json」，写法：zhixing mcp\n"
