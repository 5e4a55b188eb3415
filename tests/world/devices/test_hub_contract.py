"""What every hub promises. Each make of hub is a `place` with the same devices behind it (conftest)."""

from __future__ import annotations

from threading import Thread

import pytest

from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.world.devices.names import reason_text, resolve
from zhixing.world.devices.port import ActionSpec, Done, Failed, PropertySpec, Uncertain

ON, BRIGHTNESS, MODE, TOGGLE = "prop.2.1", "prop.2.2", "prop.2.4", "action.2.1"
SPEAK = "action.5.1"


def test_devices_are_listed_in_a_stable_order_with_what_they_are(place):
    first, again = place.hub.devices(), place.hub.devices()

    assert list(first) == list(again)
    (lamp,) = (device for device in first if device.did == "lamp")
    assert (lamp.name, lamp.room, lamp.category, lamp.online) == ("客厅灯", "客厅", "light", True)
    assert len({device.did for device in first}) == len(first)


def test_a_device_that_is_away_is_listed_as_away(place):
    assert {device.did for device in place.hub.devices() if not device.online} == set(place.away)


def test_every_listed_device_has_a_specification_of_its_own(place):
    for device in place.hub.devices():
        spec = place.hub.spec(device.did)
        iids = [each.iid for each in (*spec.properties, *spec.actions)]
        assert spec.did == device.did
        assert len(set(iids)) == len(iids)
        assert all(iid.startswith(("prop.", "action.")) for iid in iids)
        assert all(each.readable or each.writable for each in spec.properties)
        assert all(each.format in {"bool", "int", "float", "string"} for each in spec.properties)
        assert all(argument.writable for action in spec.actions for argument in action.arguments)


def test_the_specification_of_a_device_that_is_not_there_is_not_found(place):
    with pytest.raises(NotFound) as caught:
        place.hub.spec("lamq")

    assert caught.value.key == "device_unknown"
    assert place.id("lamp") in str(caught.value)


def test_names_lead_to_what_can_be_written_and_called(place):
    lamp, speaker = place.hub.spec("lamp"), place.hub.spec("speaker")

    on = resolve(lamp, "prop.on")
    speak = resolve(speaker, "action.play-text")

    assert isinstance(on, PropertySpec)
    assert isinstance(speak, ActionSpec)
    assert place.hub.write("lamp", on.iid, value=True) == Done()
    assert place.hub.act("speaker", speak.iid, ["水开了"]) == Done()


def test_what_was_written_is_read_back(place):
    for iid, value in ((ON, True), (BRIGHTNESS, 35), (MODE, 4), (ON, False)):
        assert place.hub.write("lamp", iid, value) == Done()
        assert place.hub.read("lamp", iid) == Done(value)


def test_a_property_nobody_wrote_can_be_read(place):
    assert place.hub.read("lamp", BRIGHTNESS) == Done(80)
    assert place.hub.read("climate", "prop.2.1") == Done(25.6)


def test_truth_is_read_as_truth_and_numbers_as_numbers(place):
    place.hub.write("lamp", ON, value=True)
    place.hub.write("ac", "prop.2.3", 26)

    on = place.hub.read("lamp", ON)
    degrees = place.hub.read("ac", "prop.2.3")

    assert on.value is True
    assert type(degrees.value) is float


def test_a_command_arrives_once_and_whole(place):
    place.hub.write("lamp", BRIGHTNESS, 35)
    place.hub.act("speaker", SPEAK, ["水开了\n快去看看"])

    assert place.commands("lamp") == [(BRIGHTNESS, (35,))]
    assert place.commands("speaker") == [(SPEAK, ("水开了\n快去看看",))]


def test_reading_and_looking_are_no_commands(place):
    place.hub.read("lamp", ON)
    place.hub.devices()
    place.hub.spec("lamp")

    assert place.commands("lamp") == []


@pytest.mark.parametrize(
    ("did", "iid", "value", "reason"),
    [
        ("climate", "prop.2.1", 20.0, "read_only"),
        ("lamp", ON, 1, "wrong_type"),
        ("lamp", ON, "true", "wrong_type"),
        ("lamp", BRIGHTNESS, True, "wrong_type"),
        ("lamp", BRIGHTNESS, 35.5, "wrong_type"),
        ("lamp", BRIGHTNESS, float("nan"), "wrong_type"),
        ("lamp", BRIGHTNESS, 10**400, "wrong_type"),
        ("lamp", BRIGHTNESS, 0, "out_of_range"),
        ("lamp", BRIGHTNESS, 101, "out_of_range"),
        ("lamp", MODE, 9, "not_a_choice"),
        ("ac", "prop.2.3", 15.5, "out_of_range"),
        ("ac", "prop.2.3", 26.3, "off_step"),
        ("lamp", "prop.2.99", True, "property_missing"),
        ("lamp", "prop.on", True, "property_missing"),
        ("lamp", "action.2.1", True, "property_missing"),
        ("nobody", ON, True, "device_missing"),
    ],
)
def test_what_does_not_fit_fails_and_changes_nothing(place, did, iid, value, reason):
    before = place.hub.read(did, iid)

    result = place.hub.write(did, iid, value)

    assert isinstance(result, Failed)
    assert result.reason == reason
    assert place.hub.read(did, iid) == before
    assert place.commands(did) == []


@pytest.mark.parametrize(
    ("did", "iid", "params", "reason"),
    [
        ("speaker", SPEAK, [], "arguments_count"),
        ("speaker", SPEAK, ["一", "二"], "arguments_count"),
        ("speaker", SPEAK, [1], "wrong_type"),
        ("speaker", SPEAK, ["长" * 1_001], "text_long"),
        ("speaker", SPEAK, ["\0"], "text_unstorable"),
        ("speaker", SPEAK, ["\ud800"], "text_unstorable"),
        ("speaker", "action.9.9", ["一"], "action_missing"),
        ("nobody", SPEAK, ["一"], "device_missing"),
    ],
)
def test_an_action_that_cannot_be_called_so_fails_and_does_nothing(place, did, iid, params, reason):
    result = place.hub.act(did, iid, params)

    assert isinstance(result, Failed)
    assert result.reason == reason
    assert place.commands(did) == []


def test_what_can_only_be_written_cannot_be_read(place):
    assert place.hub.read("curtain", "prop.2.1") == Failed("write_only", "motor-control")


@pytest.mark.parametrize("did", ["unplugged", "unreachable"])
def test_a_device_that_is_away_certainly_does_nothing(place, did):
    assert place.hub.read(did, ON) == Failed("offline")
    assert place.hub.write(did, ON, value=True) == Failed("offline")
    assert place.hub.act(did, TOGGLE, []) == Failed("offline")
    assert place.commands(did) == []


def test_a_device_that_refuses_is_never_said_to_have_done_it(place):
    assert place.hub.write("jammed", ON, value=True) == Failed("device_refused")
    assert place.hub.act("jammed", TOGGLE, []) == Failed("device_refused")
    assert place.hub.read("jammed", ON) == Done(value=False)
    assert place.commands("jammed") == []


def test_a_device_that_does_not_answer_is_never_said_to_have_done_nothing(place):
    assert place.hub.write("silent", ON, value=True) == Uncertain("no_answer")
    assert place.hub.act("silent", TOGGLE, []) == Uncertain("no_answer")
    assert place.hub.read("silent", ON) == Uncertain("no_answer")
    assert place.commands("silent") == [(ON, (True,)), (TOGGLE, ())]


def test_whatever_went_wrong_has_a_reason_in_words(place):
    for result in (
        place.hub.write("lamp", BRIGHTNESS, 0),
        place.hub.write("lamp", ON, "true"),
        place.hub.write("lamp", MODE, 9),
        place.hub.write("unplugged", ON, value=True),
        place.hub.write("silent", ON, value=True),
        place.hub.act("speaker", SPEAK, []),
    ):
        assert reason_text(result, "zh")
        assert reason_text(result, "en").isascii() or result.detail


def test_a_slow_device_shows_the_new_value_within_its_transition(place):
    assert place.hub.spec("curtain").transition >= 5

    assert place.hub.write("curtain", "prop.2.3", 60) == Done()
    place.pass_time(5)

    assert place.hub.read("curtain", "prop.2.3") == Done(60)


def test_cameras_say_where_they_are_and_whether_they_judge(place):
    by_did = {camera.did: camera for camera in place.hub.cameras()}

    assert by_did["cam_living"].room == "客厅"
    assert {did for did, camera in by_did.items() if camera.in_use} == {
        "cam_living",
        "cam_entrance",
        "cam_wide:ch1",
        "cam_wide:ch2",
    }
    assert not by_did["cam_away"].online


def test_a_camera_that_is_let_judge_does_until_it_is_not(place):
    place.hub.use_camera("cam_wide:ch2", in_use=False)

    camera = place.hub.use_camera("cam_bedroom", in_use=True)

    assert camera.in_use
    assert {each.did: each.in_use for each in place.hub.cameras()}["cam_bedroom"]
    assert not place.hub.use_camera("cam_bedroom", in_use=False).in_use
    assert not {each.did: each.in_use for each in place.hub.cameras()}["cam_bedroom"]


def test_a_camera_that_is_not_there_is_not_found(place):
    with pytest.raises(NotFound) as caught:
        place.hub.use_camera("cam_wide", in_use=True)

    assert caught.value.key == "camera_unknown"
    assert place.id("cam_wide:ch1") in str(caught.value)


def test_a_camera_that_is_away_does_not_begin_to_judge(place):
    place.hub.use_camera("cam_living", in_use=False)

    with pytest.raises(Conflict, match="不在线"):
        place.hub.use_camera("cam_away", in_use=True)


def test_not_more_than_four_cameras_judge_at_once(place):
    with pytest.raises(Conflict, match="4 个"):
        place.hub.use_camera("cam_bedroom", in_use=True)

    assert sum(camera.in_use for camera in place.hub.cameras()) == 4


def test_using_a_camera_twice_is_using_it_once(place):
    assert place.hub.use_camera("cam_living", in_use=True).in_use
    assert place.hub.use_camera("cam_away", in_use=False).in_use is False


def test_people_are_known_by_name_and_role(place):
    assert {(person.id, person.name, person.role) for person in place.hub.people()} == set(place.people)


def test_commands_from_several_threads_are_each_done_once(place):
    def toggle() -> None:
        for _ in range(5):
            assert place.hub.act("lamp", TOGGLE, []) == Done()

    threads = [Thread(target=toggle) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(place.commands("lamp")) == 25
    assert place.hub.read("lamp", ON) == Done(value=True)


@pytest.mark.parametrize(
    "iid", ["", ".", "prop", "prop.", "prop.2", "prop.2.1.1", "PROP.9.1", "prop.二.一", "a\nb", "x" * 10_000]
)
def test_odd_identifiers_are_only_unknown(place, iid):
    assert place.hub.read("lamp", iid).reason == "property_missing"
    assert place.hub.write("lamp", iid, value=True).reason == "property_missing"
    assert place.hub.act("lamp", iid, []).reason == "action_missing"
    with pytest.raises(BadInput):
        resolve(place.hub.spec("lamp"), iid)
