"""The client against a gateway that speaks the whole protocol, and what becomes of a call when something goes wrong."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from itertools import chain, repeat

import pytest
from websockets.sync.server import ServerConnection, serve

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput, Refused, TooLarge, Unavailable, ZhixingError
from zhixing.world.hub import client as client_module
from zhixing.world.hub import payload
from zhixing.world.hub.address import locate
from zhixing.world.hub.client import LONGEST_REFUSAL, HubClient, connect
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.faults import Fault
from zhixing.world.hub.handshake import Role, agree, begin, commit, meet
from zhixing.world.hub.opening import open_hub
from zhixing.world.hub.port import HubRefused, Method, Unconfirmed
from zhixing.world.hub.state import Graph, Refusal, State

CLOCK = SystemClock()
PASSCODE = "246810"
SOON = 0.05
"""Seconds for an answer that does not come."""
COUNT = {"scope": "global", "id": "count"}


def create(hub: HubClient, value: int = 1, *, seconds: float = 10) -> None:
    hub.call(Method.CREATE_VARIABLE, {**COUNT, "type": "number", "value": value}, seconds=seconds)


@contextmanager
def refused(kind: type[ZhixingError], key: str) -> Iterator[None]:
    with pytest.raises(kind) as raised:
        yield
    assert raised.value.key == key


@contextmanager
def odd_hub(serving: Callable[[ServerConnection], None], **more: object) -> Iterator[str]:
    """Serve WebSockets of another kind; give the address."""
    with serve(serving, "127.0.0.1", 0, close_timeout=1, **more) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}/"
        server.shutdown()
        thread.join()


def test_a_call_is_answered(client: HubClient, gateway: FakeGateway) -> None:
    create(client, 7)
    assert client.call(Method.GET_VARIABLE_VALUE, COUNT) == {"value": 7}
    assert gateway.state.variables["global"]["count"].value == 7


def test_a_large_answer_arrives_whole(client: HubClient, gateway: FakeGateway) -> None:
    nodes = [{"id": f"n{number}", "text": "规则" * 1_000} for number in range(500)]
    gateway.state.graphs["1"] = Graph(nodes, enable=True, ui_type="graph", user_data={})
    assert client.call(Method.GET_GRAPH, {"id": "1"}) == {"id": "1", "nodes": nodes}


def test_what_the_hub_will_not_do_is_told_in_its_own_words(client: HubClient) -> None:
    with pytest.raises(HubRefused) as refused:
        client.call(Method.CREATE_VARIABLE, {**COUNT, "id": "a_b"})
    assert str(refused.value) == "网关拒绝了：Invalid id format"


def test_a_refusal_is_one_line_of_a_bounded_length(client: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "answer", lambda *_: Refusal("a\nb\x1b[31m" + "x" * 10_000))
    with pytest.raises(HubRefused) as refused:
        client.call(Method.GET_GRAPHS, {})
    text = str(refused.value.values["text"])
    assert text.startswith("a b [31mxx")
    assert len(text) == LONGEST_REFUSAL


def test_a_wrong_passcode_is_refused_with_one_clear_line(gateway: FakeGateway) -> None:
    with pytest.raises(Refused) as refused:
        open_hub(gateway.url, "246811", CLOCK)
    assert str(refused.value) == "配对码不对或已失效，请在米家 App 里刷新后再试。"


def test_a_passcode_lets_one_client_in_until_it_is_refreshed(client: HubClient, gateway: FakeGateway) -> None:
    with pytest.raises(Refused):
        open_hub(gateway.url, PASSCODE, CLOCK)
    gateway.refresh("135791")
    with closing(open_hub(gateway.url, "135791", CLOCK)) as second:
        assert second.call(Method.GET_GRAPHS, {}) == client.call(Method.GET_GRAPHS, {}) == []


@pytest.mark.parametrize("passcode", ["", "24681", "2468101", "24681a", "２４６８１０", "246810\n"])
def test_what_is_no_passcode_is_not_sent(gateway: FakeGateway, passcode: str) -> None:
    with refused(BadInput, "hub_passcode_form"):
        open_hub(gateway.url, passcode, CLOCK)


def test_a_hub_that_drops_leading_zeros_lets_us_in() -> None:
    draws = chain((101, 102, 278, 200), repeat(5))
    with FakeGateway(PASSCODE, draw=draws.__next__) as hub, closing(open_hub(hub.url, PASSCODE, CLOCK)) as opened:
        assert opened.call(Method.GET_GRAPHS, {}) == []


@pytest.mark.parametrize("fault", [Fault.ANSWER_LOST, Fault.CLOSED_AFTER])
def test_a_write_without_an_answer_is_unknown_and_was_done(
    client: HubClient, gateway: FakeGateway, fault: Fault
) -> None:
    gateway.inject(fault, Method.CREATE_VARIABLE)
    with pytest.raises(Unconfirmed) as unknown:
        create(client, seconds=SOON if fault is Fault.ANSWER_LOST else 10)
    assert str(unknown.value) == "网关没有回答 createVar，不知道做了没有：请先看结果，不要重发。"
    assert gateway.state.variables["global"]["count"].value == 1
    assert [method for method, _ in gateway.calls] == ["createVar"], "it is sent once"


@pytest.mark.parametrize("fault", [Fault.CALL_LOST, Fault.CLOSED_BEFORE])
def test_a_write_without_an_answer_is_unknown_and_was_not_done(
    client: HubClient, gateway: FakeGateway, fault: Fault
) -> None:
    gateway.inject(fault, Method.CREATE_VARIABLE)
    with pytest.raises(Unconfirmed):
        create(client, seconds=SOON if fault is Fault.CALL_LOST else 10)
    assert gateway.state.variables == {}
    assert len(gateway.calls) == 1


def test_after_a_lost_answer_the_outcome_is_read_over_the_same_connection(
    client: HubClient, gateway: FakeGateway
) -> None:
    gateway.inject(Fault.ANSWER_LOST)
    with pytest.raises(Unconfirmed):
        create(client, 3, seconds=SOON)
    assert client.call(Method.GET_VARIABLE_VALUE, COUNT) == {"value": 3}


def test_an_answer_that_comes_too_late_changes_nothing(client: HubClient, gateway: FakeGateway) -> None:
    create(client, 1)
    gateway.inject(Fault.HELD, Method.GET_VARIABLE_VALUE)
    with pytest.raises(Unconfirmed):
        client.call(Method.GET_VARIABLE_VALUE, COUNT, seconds=SOON)
    gateway.let_go()
    assert client.call(Method.GET_SCOPES, {}) == {"scopes": ["global"]}


def test_answers_find_their_calls_in_whatever_order_they_come(client: HubClient, gateway: FakeGateway) -> None:
    create(client, 5)
    gateway.inject(Fault.HELD, Method.GET_VARIABLE_VALUE)
    held: list[object] = []
    asking = threading.Thread(target=lambda: held.append(client.call(Method.GET_VARIABLE_VALUE, COUNT)))
    asking.start()
    while ("getVarValue", COUNT) not in gateway.calls:
        client.call(Method.GET_GRAPHS, {})
    assert client.call(Method.GET_SCOPES, {}) == {"scopes": ["global"]}
    assert held == []
    gateway.let_go()
    asking.join()
    assert held == [{"value": 5}]


def test_many_threads_may_call_at_once(client: HubClient, gateway: FakeGateway) -> None:
    def work(number: int) -> None:
        name = {"scope": f"R{number}", "id": "v"}
        client.call(Method.CREATE_VARIABLE, {**name, "type": "number", "value": number})
        found[number] = client.call(Method.GET_VARIABLE_VALUE, name)

    found: dict[int, object] = {}
    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: {"value": number} for number in range(20)}
    assert len(gateway.calls) == 40


@pytest.mark.parametrize(
    "fault", [Fault.TAMPERED, Fault.REORDERED, Fault.MISMEASURED, Fault.FOREIGN_KIND, Fault.AS_TEXT]
)
def test_an_answer_that_cannot_be_believed_closes_the_channel(
    client: HubClient, gateway: FakeGateway, fault: Fault
) -> None:
    gateway.inject(fault)
    with pytest.raises(Unconfirmed):
        client.call(Method.GET_SCOPES, {})
    with refused(Unavailable, "hub_away"):
        client.call(Method.GET_SCOPES, {})
    assert not client.is_open
    assert len(gateway.calls) == 1


def test_a_frame_that_comes_twice_closes_the_channel(client: HubClient, gateway: FakeGateway) -> None:
    gateway.inject(Fault.REPLAYED)
    assert client.call(Method.GET_SCOPES, {}) == {"scopes": ["global"]}
    with pytest.raises(Unavailable):
        client.call(Method.GET_SCOPES, {}, seconds=1)
    assert not client.is_open


def test_whoever_waits_when_the_connection_ends_is_told_at_once(client: HubClient, gateway: FakeGateway) -> None:
    gateway.inject(Fault.HELD, Method.GET_SCOPES)
    outcomes: list[Exception] = []

    def ask() -> None:
        try:
            client.call(Method.GET_SCOPES, {}, seconds=60)
        except Unconfirmed as unknown:
            outcomes.append(unknown)

    asking = threading.Thread(target=ask)
    asking.start()
    while ("getVarScopeList", {}) not in gateway.calls:
        client.call(Method.GET_GRAPHS, {})
    gateway.drop()
    asking.join()
    assert len(outcomes) == 1


def test_a_closed_client_calls_nobody_and_stays_closed(client: HubClient, gateway: FakeGateway) -> None:
    client.close()
    client.close()
    with pytest.raises(Unavailable) as away:
        client.call(Method.GET_GRAPHS, {})
    assert not isinstance(away.value, Unconfirmed)
    assert gateway.calls == []


def test_what_the_hub_tells_unasked_is_heard(
    client: HubClient, gateway: FakeGateway, told: list[tuple[str, object]]
) -> None:
    # the hub tells those whom it has answered once
    client.call(Method.GET_GRAPHS, {})
    gateway.push("/push/property_changed", {"did": "lamp"})
    client.call(Method.GET_GRAPHS, {})
    assert told == [("/push/property_changed", {"did": "lamp"})]


def test_a_listener_that_fails_ends_nothing(gateway: FakeGateway, caplog: pytest.LogCaptureFixture) -> None:
    def listener(_method: str, _params: object) -> None:
        raise LookupError

    with closing(open_hub(gateway.url, PASSCODE, CLOCK, listener=listener)) as opened:
        opened.call(Method.GET_GRAPHS, {})
        gateway.push("/push/event_triggered", {})
        assert opened.call(Method.GET_GRAPHS, {}) == []
    assert "was not taken" in caplog.text


def test_what_cannot_be_sent_is_refused_and_the_channel_lives(
    client: HubClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refused(BadInput, "hub_call_unusable"):
        client.call(Method.SET_VARIABLE_VALUE, {**COUNT, "value": float("nan")})
    with monkeypatch.context() as patch:
        patch.setattr(payload, "LARGEST_TEXT", 1_000)
        with pytest.raises(TooLarge):
            client.call(Method.SET_VARIABLE_VALUE, {**COUNT, "value": "x" * 1_000})
    assert client.call(Method.GET_GRAPHS, {}) == []
    assert len(gateway.calls) == 1


def test_calls_that_wait_are_bounded(client: HubClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MOST_WAITING", 0)
    with refused(Unavailable, "hub_busy"):
        client.call(Method.GET_GRAPHS, {})
    assert gateway.calls == []


def test_a_place_where_nobody_listens_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}/"
    with refused(Unavailable, "hub_unreachable"):
        open_hub(address, PASSCODE, CLOCK)


def test_a_place_that_says_nothing_is_left_in_time() -> None:
    def serving(connection: ServerConnection) -> None:
        list(connection)

    with odd_hub(serving) as address, refused(Unavailable, "hub_unreachable"):
        connect(locate(address), PASSCODE, CLOCK, seconds=0.2)


def test_a_redirect_is_not_followed(gateway: FakeGateway) -> None:
    def elsewhere(connection: ServerConnection, _request: object) -> object:
        answer = connection.respond(HTTPStatus.FOUND, "")
        answer.headers["Location"] = gateway.url.replace("http", "ws") + "centrallinkws/"
        return answer

    moved = odd_hub(lambda _connection: None, process_request=elsewhere)
    with moved as address, refused(Unavailable, "hub_not_hub"):
        open_hub(address, PASSCODE, CLOCK)
    gateway.refresh(PASSCODE)
    open_hub(gateway.url, PASSCODE, CLOCK).close()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\x04",
        b"\xff",
        "text",
        b"\x02[]",
        b"\x02{",
        b'\x02{"protocol":"other"}',
        b'\x02{"protocol":"passcode"}' + b" " * 1_000,
        b"\x20" + bytes(330),
    ],
)
def test_a_hub_that_answers_the_first_frame_wrongly_is_not_paired_with(said: str | bytes) -> None:
    def serving(connection: ServerConnection) -> None:
        assert connection.recv() == b'\x01["passcode"]'
        connection.send(said)
        connection.recv()

    with odd_hub(serving) as address, refused(Unavailable, "hub_pairing_broken"):
        open_hub(address, PASSCODE, CLOCK)


def test_a_round_that_proves_nothing_breaks_the_pairing_off() -> None:
    """Somebody in between can say anything, and gets one guess at the passcode."""

    def serving(connection: ServerConnection) -> None:
        connection.recv()
        connection.send(b'\x02{"protocol":"passcode","params":{}}')
        connection.send(connection.recv())
        after.extend(connection)

    after: list[str | bytes] = []
    with odd_hub(serving) as address, refused(Unavailable, "hub_pairing_broken"):
        open_hub(address, PASSCODE, CLOCK)
    assert after == []


def test_an_end_of_the_connection_at_the_keys_means_a_wrong_passcode() -> None:
    """A hub that was told another passcode need not say so: it may just go."""

    def serving(connection: ServerConnection) -> None:
        connection.recv()
        connection.send(b'\x02{"protocol":"passcode","params":{}}')
        begun, message = begin(Role.SERVER, PASSCODE)
        met = meet(begun, connection.recv()[1:])
        connection.send(b"\x20" + message)
        agree(met, connection.recv()[1:])
        connection.send(b"\x21" + commit(met))
        connection.recv()

    with odd_hub(serving) as address, refused(Refused, "hub_passcode_wrong"):
        open_hub(address, PASSCODE, CLOCK)


def test_without_the_parts_for_hubs_one_line_says_how_to_get_them() -> None:
    program = (
        "import sys; sys.modules['ecdsa'] = None\n"
        "from zhixing.kernel.clock import SystemClock\n"
        "from zhixing.kernel.errors import Unavailable\n"
        "from zhixing.world.hub.opening import open_hub\n"
        "try: open_hub('127.0.0.1', '246810', SystemClock())\n"
        "except Unavailable as missing: print(missing)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout == "缺少连接网关的部件，请先运行：pip install 'zhixing[hub]'\n"
