"""What the link makes of a server that is not what it should be: one reason, in bounded time, no wrong result."""

from __future__ import annotations

import http.server
import socket
import threading
from contextlib import closing

import pytest
from tests.world.homeassistant.conftest import HASTY, Impostor
from tests.world.homeassistant.place import SOON, wait_for

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.port import Done, Failed, Uncertain
from zhixing.world.homeassistant.address import LARGEST_MESSAGE, Address
from zhixing.world.homeassistant.facts import Fact
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.link import Patience
from zhixing.world.homeassistant.session import Away, Declined, Unanswered
from zhixing.world.homeassistant.watching import Watcher

REMOTE = Fact("remote", "按了遥控器", event="zha_event")
LAMP = {"entity_id": "light.lamp", "state": "off", "attributes": {"friendly_name": "灯"}}


def hub_at(port: int, **patience: float) -> HomeAssistant:
    terms = Patience(**{"connect": 5.0, "answer": 5.0, "first_pause": 0.01, "longest_pause": 0.02, **patience})
    return HomeAssistant(Address(f"http://127.0.0.1:{port}", "t"), SystemClock(), MemoryKeeper(), patience=terms)


def test_a_wrong_token_is_one_line_that_says_what_to_do(assistant):
    address = Address(assistant.url, assistant.token[:-4] + "AAAA")
    with closing(HomeAssistant(address, SystemClock(), MemoryKeeper(), patience=Patience(connect=20.0))) as hub:
        with pytest.raises(Unavailable) as refused:
            hub.devices()
        assert str(refused.value).startswith("Home Assistant 不认这个令牌")
        assert "\n" not in str(refused.value)
        assert hub.write("light.lamp", "prop.2.1", True) == Failed("hub_unreachable")


def test_the_token_of_somebody_who_is_no_administrator_will_do(assistant, house):
    house.begin()
    address = Address(assistant.url, assistant.guest)
    with closing(HomeAssistant(address, SystemClock(), MemoryKeeper(), patience=SOON)) as hub:
        hub.picture.follow(Watcher((REMOTE,), SystemClock(), take=list, asked=list, begin=lambda: None))
        assert len(hub.devices()) == len(house.home.devices())
        assert hub.write("light.lamp", "prop.2.1", True) == Done()
        assert hub.read("light.lamp", "prop.2.1") == Done(True)


def test_nobody_there_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with closing(hub_at(port)) as hub, pytest.raises(Unavailable) as nobody:
        hub.devices()
    assert str(nobody.value) == "连不上 Home Assistant：那里没有程序在听，请检查地址和端口。"


def test_what_is_not_encrypted_is_not_spoken_to_as_if_it_were(impose):
    port = impose(lambda _: None).address.base.port
    address = Address(f"https://127.0.0.1:{port}", "t")
    with closing(HomeAssistant(address, SystemClock(), MemoryKeeper(), patience=HASTY)) as hub:
        assert not hub.link.ready()
        assert "TLS" in str(hub.link.trouble())


def test_a_listener_that_says_nothing_is_not_waited_for_for_ever():
    with socket.create_server(("127.0.0.1", 0)) as silent, closing(hub_at(silent.getsockname()[1], connect=0.2)) as hub:
        assert not hub.link.ready()
        assert "等不到答复" in str(hub.link.trouble())


@pytest.mark.parametrize(("status", "headers"), [(200, {}), (404, {}), (302, {"Location": "http://192.0.2.1/"})])
def test_another_web_server_is_not_home_assistant_and_no_redirect_is_followed(status, headers):
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with closing(hub_at(server.server_address[1])) as hub:
            assert not hub.link.ready()
            assert "不像是 Home Assistant" in str(hub.link.trouble())
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "greeting",
    [
        "",
        "[]",
        "null",
        '{"type": 5}',
        '{"type": "auth_ok"}',
        "{" * 100_000,
        "[" * 100_000,
        b"\xff\xfe",
        '{"type": "auth_required"',
    ],
)
def test_a_greeting_that_makes_no_sense_ends_the_connection(impose, greeting):
    hub = impose(lambda impostor: impostor.connection.send(greeting))
    assert not hub.link.ready()
    assert "答复看不懂" in str(hub.link.trouble())


@pytest.mark.parametrize(
    "states",
    [5, {}, [5], [{}], [{"entity_id": 5, "state": "on"}], [{**LAMP, "attributes": []}], [[[[[]]]]], [None]],
)
def test_states_that_make_no_sense_end_the_connection(impose, states):
    hub = impose(lambda impostor: impostor.begin(get_states=states))
    assert not hub.link.ready()
    with pytest.raises(Unavailable):
        hub.devices()


def test_a_message_without_end_is_not_read_to_its_end(impose):
    def shout(impostor: Impostor) -> None:
        impostor.let_in()
        heard = impostor.hear()
        impostor.say({"id": heard["id"], "type": "result", "success": True, "result": None, "x": "x" * LARGEST_MESSAGE})
        impostor.hear()

    hub = impose(shout)
    assert not hub.link.ready()
    assert hub.read("light.lamp", "prop.2.1") == Failed("hub_unreachable")


def test_answers_to_other_questions_answer_nothing(impose):
    def confuse(impostor: Impostor) -> None:
        impostor.let_in()
        while True:
            heard = impostor.hear()
            impostor.say({"id": heard["id"] + 1_000, "type": "result", "success": True, "result": []})

    hub = impose(confuse, Patience(connect=0.3, answer=5.0, first_pause=0.01, longest_pause=0.02))
    assert not hub.link.ready()
    assert "等不到答复" in str(hub.link.trouble())


def test_an_answer_that_comes_too_late_or_twice_changes_nothing(impose):
    def repeat(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        first = impostor.hear()
        impostor.answer(first)
        impostor.answer(first)
        second = impostor.hear()
        impostor.say({"id": first["id"], "type": "result", "success": True, "result": None})
        impostor.say({"id": second["id"], "type": "result", "success": False, "error": {"code": "not_found"}})
        impostor.hear()

    hub = impose(repeat)
    assert hub.write("light.lamp", "prop.2.1", True) == Done()
    assert hub.write("light.lamp", "prop.2.1", True) == Failed("device_refused")


@pytest.mark.parametrize(
    ("error", "result"),
    [
        ({"code": "not_found", "message": "x"}, Failed("device_refused")),
        ({"code": "service_validation_error"}, Failed("device_refused")),
        ({"code": "unauthorized"}, Failed("device_refused")),
        ({"code": "home_assistant_error"}, Uncertain("no_answer")),
        ({"code": "timeout"}, Uncertain("no_answer")),
        ({"code": 3}, Uncertain("no_answer")),
        (None, Uncertain("no_answer")),
    ],
)
def test_only_a_no_before_anything_began_is_certain(impose, error, result):
    def decline(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        impostor.say({"id": impostor.hear()["id"], "type": "result", "success": False, "error": error})
        impostor.hear()

    assert impose(decline).write("light.lamp", "prop.2.1", True) == result


def test_a_connection_that_is_lost_while_a_command_is_under_way_leaves_it_open(impose):
    def hang_up(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        impostor.hear()

    hub = impose(hang_up, Patience(connect=5.0, answer=60.0, first_pause=60.0, longest_pause=60.0))
    assert hub.write("light.lamp", "prop.2.1", True) == Uncertain("no_answer")
    wait_for(lambda: not hub.link.is_up)
    assert hub.write("light.lamp", "prop.2.1", True) == Failed("hub_unreachable")
    assert hub.read("light.lamp", "prop.2.1") == Failed("hub_unreachable")
    assert [(each.did, each.online) for each in hub.devices()] == [("light.lamp", False)]


def test_a_command_that_is_never_answered_is_waited_for_for_a_while(impose):
    def ignore(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        impostor.hear()
        impostor.hear()

    hub = impose(ignore, Patience(connect=5.0, answer=0.2, first_pause=0.01, longest_pause=0.02))
    assert hub.write("light.lamp", "prop.2.1", True) == Uncertain("no_answer")


def test_a_refused_token_is_not_tried_over_and_over(impose):
    tried = []

    def refuse(impostor: Impostor) -> None:
        tried.append(impostor)
        impostor.say({"type": "auth_required"})
        impostor.hear()
        impostor.say({"type": "auth_invalid", "message": "no"})

    hub = impose(refuse, Patience(connect=5.0, answer=5.0, first_pause=0.0, longest_pause=3_600.0))
    assert not hub.link.ready()
    for _ in range(5):
        with pytest.raises(Unavailable):
            hub.devices()
    assert len(tried) == 1


def test_what_happens_while_states_are_told_is_not_lost(impose):
    def overlap(impostor: Impostor) -> None:
        impostor.let_in()
        while True:
            heard = impostor.hear()
            if heard["type"] == "get_states":
                newer = {**LAMP, "state": "on", "last_updated": "2026-11-30T00:00:02+00:00"}
                impostor.happen("state_changed", {"entity_id": "light.lamp", "old_state": None, "new_state": newer})
                impostor.answer(heard, get_states=[{**LAMP, "last_updated": "2026-11-30T00:00:01+00:00"}])
            else:
                impostor.answer(heard)

    assert impose(overlap).read("light.lamp", "prop.2.1") == Done(True)


def test_a_change_that_makes_no_sense_ends_the_connection_and_the_next_one_is_as_good(impose):
    came = []

    def stumble(impostor: Impostor) -> None:
        came.append(impostor)
        impostor.begin(get_states=[LAMP])
        if len(came) == 1:
            impostor.happen("state_changed", {"entity_id": 5})
        impostor.hear()

    hub = impose(stumble)
    hub.link.ready()
    wait_for(lambda: len(came) == 2 and hub.link.is_up)
    assert hub.read("light.lamp", "prop.2.1") == Done(False)


@pytest.mark.parametrize(("state", "there"), [("NOT_RUNNING", [("light.lamp", False)]), ("RUNNING", [])])
def test_what_home_assistant_has_not_come_to_yet_when_it_starts_is_away_and_not_gone(impose, state, there):
    came = []

    def start_again(impostor: Impostor) -> None:
        came.append(impostor)
        if len(came) == 1:
            impostor.begin(get_states=[LAMP])
            return
        impostor.begin(get_states=[], get_config={"state": state})
        impostor.hear()

    hub = impose(start_again)
    hub.link.ready()
    wait_for(lambda: len(came) == 2 and hub.link.is_up)
    assert [(each.did, each.online) for each in hub.devices()] == there


def test_names_are_on_one_line_and_not_longer_than_one_reads_them(impose):
    long = "长\n\x1b[31m\u202e" * 5_000

    def entity(entity_id: str) -> dict:
        return {"entity_id": entity_id, "state": "on", "attributes": {"friendly_name": long}}

    def boast(impostor: Impostor) -> None:
        impostor.begin(
            get_states=[*map(entity, ("light.a", "camera.a", "person.a", "light.", "灯.灯", "light.a\nb", "x" * 999))],
            **{
                "config/area_registry/list": [{"area_id": "a", "name": long}],
                "config/device_registry/list": [{"id": "d", "area_id": "a", "manufacturer": long, "model": long}],
                "config/entity_registry/list": [{"entity_id": "light.a", "device_id": "d"}],
            },
        )
        impostor.change("灯.b", None, "on")
        impostor.hear()

    hub = impose(boast)
    (device,), (camera,), (person,) = hub.devices(), hub.cameras(), hub.people()
    assert (device.did, camera.did, person.id) == ("light.a", "camera.a", "person.a")
    for text in (device.name, device.room, device.model, camera.name, person.name):
        assert text.isprintable()
        assert 0 < len(text) <= 64
    assert len(person.name) <= 32


def test_a_change_without_end_is_not_kept(impose):
    came = []

    def boast(impostor: Impostor) -> None:
        came.append(impostor)
        impostor.begin(get_states=[LAMP])
        if len(came) == 1:
            impostor.change("light.lamp", "off", "on", note="长" * 200_000)
        impostor.hear()

    hub = impose(boast)
    hub.link.ready()
    wait_for(lambda: len(came) == 2 and hub.link.is_up)
    assert hub.read("light.lamp", "prop.2.1") == Done(False)


@pytest.mark.parametrize("token", ["口令", "a\nb", "a\x00b", "t" * 9_999])
def test_a_token_that_is_none_is_one_line_that_does_not_show_it(token):
    with pytest.raises(BadInput) as wrong:
        Address("http://127.0.0.1", token)
    assert "homeassistant.token" in str(wrong.value)
    assert token not in str(wrong.value)


def test_entities_come_and_go(impose):
    def change(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        impostor.change("light.other", None, "on")
        impostor.change("light.lamp", "off", None)
        impostor.hear()

    hub = impose(change)
    hub.link.ready()
    wait_for(lambda: [each.did for each in hub.devices()] == ["light.other"])


def test_a_link_that_is_closed_connects_no_more(impose):
    hub = impose(lambda impostor: (impostor.begin(), impostor.hear()))
    assert hub.link.ready()
    hub.close()
    hub.close()
    with pytest.raises(Away):
        hub.link.ask("get_states")


def test_whoever_waits_when_the_link_is_closed_is_told(impose):
    asked = threading.Event()

    def hold(impostor: Impostor) -> None:
        impostor.begin(get_states=[LAMP])
        impostor.hear()
        asked.set()
        impostor.hear()

    hub = impose(hold, Patience(connect=5.0, answer=600.0))
    results = []
    waiting = threading.Thread(target=lambda: results.append(hub.write("light.lamp", "prop.2.1", True)))
    waiting.start()
    asked.wait()
    hub.close()
    waiting.join()
    assert results == [Uncertain("no_answer")]


def test_what_home_assistant_says_no_to_is_told_apart(impose):
    def decline(impostor: Impostor) -> None:
        impostor.begin()
        impostor.say({"id": impostor.hear()["id"], "type": "result", "success": False, "error": {"code": "c" * 999}})
        impostor.hear()
        impostor.connection.close()

    hub = impose(decline)
    with pytest.raises(Declined) as declined:
        hub.link.ask("nonsense")
    assert len(declined.value.code) == 64
    with pytest.raises(Unanswered):
        hub.link.ask("nonsense")


@pytest.mark.parametrize("url", ["ftp://a", "http://", "http://a b", "http://me:secret@host:8123", "http://h:0", ""])
def test_an_address_that_is_none_is_one_line_that_does_not_show_it(url):
    with pytest.raises(BadInput) as wrong:
        _ = Address(url, "hunter2").base
    assert "homeassistant.url" in str(wrong.value)
    assert "secret" not in str(wrong.value)
    assert "hunter2" not in repr(Address(url, "hunter2"))


def test_an_address_may_have_a_path_and_no_port():
    address = Address("https://example.org/home/", "t")
    assert address.target("/api/websocket").target == b"/home/api/websocket"
    assert Address("http://[::1]:8123", "t").base.host == b"::1"
    assert HASTY.answer > 0
