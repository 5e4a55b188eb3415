"""The page of the home: people, devices, cameras, verdicts, and where rules are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.http.conftest import ZONE
from tests.faces.web.browsing import TOKEN, Browser, Form, Page

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.faces.web.home.asking import Wish
from zhixing.faces.web.home.devices import Found, rooms_of
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.devices.port import Device, DeviceSpec, Done, PropertySpec

NOBODY = "画面中无人"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def browser(enter, client, plan_of) -> Browser:
    """Give a browser that looks at the virtual home with one rule in it."""
    client.post("/api/v1/household/tasks", plan_of("living_room_off"))
    browser = enter()
    browser.open("/home")
    assert browser.status == 200
    return browser


@pytest.fixture
def see(client, clock, pass_time):
    """Let the living room camera judge, and time pass."""

    def seen(value, minutes: float = 0, **more) -> None:
        said = {"source": "cam_living", "condition": NOBODY, "value": value, "at": clock.now().isoformat(), **more}
        client.post("/api/v1/perception/verdicts", {"firm": True, "lasting": True, **said})
        pass_time(timedelta(minutes=minutes))

    return seen


def form_of(page: Page, action: str, **fields: str) -> Form:
    found = [form for form in page.forms if form.action == action and fields.items() <= form.fields.items()]
    assert found, f"no form to {action} with {fields}"
    return found[0]


def flip(browser: Browser, device: str, prop: str = "prop.2.1", **filled: str) -> Page:
    return browser.send(form_of(browser.page, "/home/set", device=device, prop=prop), **filled)


class TestTheFrame:
    def test_it_has_its_place_in_the_navigation_and_no_script_of_its_own(self, browser) -> None:
        assert '<a href="/home" aria-current="page">家</a>' in browser.page.html
        assert browser.page.handlers == []
        assert "hx-on" not in browser.page.html

    def test_without_a_session_nothing_of_the_home_is_shown(self, visitor) -> None:
        page = visitor.open("/home")
        assert "客厅" not in page.html
        assert page.form("/login")

    def test_english_is_a_switch_away(self, browser) -> None:
        browser.send(browser.page.form("/language"), language="en")
        page = browser.open("/home")
        assert page.text("people").startswith("People")
        assert "brightness" in page.text("rooms")

    def test_an_empty_home_says_so(self, enter) -> None:
        browser = enter()
        page = browser.open("/home")
        assert "还没有规则" in page.text("machines")
        assert "还没有判定，也没有设备动过" in page.text("stream")
        assert "没有规则要它判断什么" in page.text("cameras")

    def test_whatever_is_asked_for_the_page_stands(self, browser) -> None:
        for query in ("room=%00%3Cu%3E", "q=" + "x" * 500, "span=ages", "room=%F0%9F", "q=%ED%A0%80"):
            browser.open(f"/home?{query}")
            assert browser.status == 200
            assert "<u>" not in browser.page.html

    def test_what_is_no_rule_to_go_on_behind_is_said_on_the_page(self, browser) -> None:
        page = browser.open("/home?older=nonsense")
        assert browser.status == 400
        assert page.refused
        assert "客厅无人关灯" in page.text("machines")


class TestPeople:
    def test_who_lives_here_is_listed_added_changed_and_removed(self, browser) -> None:
        assert "林知夏 妈妈" in browser.page.text("people")
        page = browser.send(browser.page.form("/home/people"), name="外公", role="")
        assert "外公" in page.text("people")
        assert page.note == "家里人的名单改好了。"
        page = browser.send(form_of(page, "/home/people/change", name="外公"), name="外婆", role="姥姥")
        assert "外婆 姥姥" in page.text("people")
        person = form_of(page, "/home/people/change", name="外婆").fields["person"]
        page = browser.send(form_of(page, "/home/people/remove", person=person))
        assert "外婆" not in page.text("people")

    def test_a_name_that_is_taken_is_refused_and_a_hostile_one_is_only_text(self, browser) -> None:
        page = browser.send(browser.page.form("/home/people"), name="林知夏")
        assert browser.status == 409
        assert "林知夏" in page.refused
        page = browser.send(page.form("/home/people"), name="<b onload=x>", role='"><i>')
        assert "<b onload" not in page.html
        assert "<b onload=x>" in page.text("people")

    def test_a_form_of_elsewhere_changes_nothing(self, browser) -> None:
        page = browser.send(browser.page.form("/home/people"), name="外公", proof="wrong")
        assert browser.status == 403
        assert "外公" not in browser.open("/home").text("people")
        assert page.refused


class TestDevices:
    def test_devices_stand_in_their_rooms_with_what_they_read(self, browser) -> None:
        text = browser.page.text("rooms")
        assert "客厅吸顶灯 关" in text
        assert "设定温度 25.5℃" in text
        assert "温度 25.6℃" in text

    def test_a_light_is_turned_on_and_off(self, browser, client) -> None:
        page = flip(browser, "light_living")
        assert "客厅吸顶灯 开" in page.text("rooms")
        assert "客厅吸顶灯 开关 → 开 · 人" in page.text("stream")
        assert client.get("/api/v1/home/devices/light_living")["properties"][0]["value"] is True
        assert "客厅吸顶灯 关" in flip(browser, "light_living").text("rooms")

    def test_a_level_and_a_choice_are_set(self, browser) -> None:
        page = flip(browser, "light_living", "prop.2.2", value="35")
        assert "亮度 35%" in page.text("rooms")
        page = flip(browser, "light_living", "prop.2.4", value="4")
        assert "模式 阅读" in page.text("rooms")

    def test_what_only_the_weather_changes_can_be_tried(self, browser) -> None:
        control = next(form for form in browser.page.forms if form.fields.get("device") == "climate_living")
        page = browser.send(control, value="31.5")
        assert "温度 31.5℃" in page.text("rooms")

    def test_a_value_that_does_not_fit_is_refused_and_the_room_stays(self, browser) -> None:
        browser.open("/home?room=客厅")
        page = flip(browser, "light_living", "prop.2.2", value="900")
        assert browser.status == 400
        assert page.refused
        assert "主卧" not in page.text("cameras")
        assert "主卧窗帘" not in page.text("rooms")

    def test_a_device_that_is_not_there_is_told_on_the_page(self, browser) -> None:
        form = form_of(browser.page, "/home/set", device="light_living", prop="prop.2.1")
        page = browser.send(form, device=HOSTILE)
        assert browser.status == 404
        assert page.refused
        assert HOSTILE not in page.html

    def test_a_button_is_pressed_and_an_event_it_has_not_is_refused(self, browser) -> None:
        form = form_of(browser.page, "/home/press", device="button_bedside", event="click")
        assert browser.send(form, event="explode").refused
        assert browser.status == 400
        page = browser.send(form)
        assert "床头无线开关 单击 · 人" in page.text("stream")

    def test_one_room_is_shown_and_forms_lead_back_to_it(self, browser) -> None:
        page = browser.open("/home?room=主卧&span=hour")
        assert "主卧床头灯" in page.text("rooms")
        assert "客厅电视" not in page.text("rooms")
        page = flip(browser, "lamp_bedside")
        assert "客厅电视" not in page.text("rooms")

    def test_devices_are_found_by_name(self, browser) -> None:
        page = browser.open("/home?q=窗帘")
        assert "主卧窗帘" in page.text("rooms")
        assert "吸顶灯" not in page.text("rooms")
        assert "没有这样的设备" in browser.open("/home?q=飞船").text("rooms")

    def test_a_form_never_leads_elsewhere(self, browser) -> None:
        form = form_of(browser.page, "/home/set", device="light_living", prop="prop.2.1")
        for here in ("https://elsewhere.example/home", "//x", "/home?room=" + "y" * 9_000, "\x00", "?" + "&" * 99, ""):
            answer = browser.client("POST", form.action, data={**form.fields, "here": here})
            assert answer.status_code == 303
            assert answer.headers["location"].split("?")[0] == "/home"


class RealHub:
    """A hub with as many real lamps as one likes; whoever writes to it is wrong."""

    def __init__(self, count: int) -> None:
        self._devices = tuple(
            Device(f"ha.{number}", f"灯{number}", "客厅", "light", "m", online=True) for number in range(count)
        )

    def devices(self):
        return self._devices

    def spec(self, did):
        return DeviceSpec(did, (PropertySpec("prop.2.1", "on", "bool", readable=True, writable=True),), ())

    def cameras(self):
        return ()

    def people(self):
        return ()

    def read(self, _did, _iid):
        return Done(True)


class TestRealHubs:
    def test_real_devices_show_what_can_be_done_and_lend_no_hands(self) -> None:
        hub = RealHub(1)
        rooms, more = rooms_of(hub, Found(hub.devices(), (), (), None), Wish(), "zh", _text)
        device = rooms[0].devices[0]
        assert (device.can, device.switch, device.events, more) == ("开关", None, (), 0)
        assert [(control.label, control.value, control.kind) for control in device.controls] == [("开关", "开", "")]

    def test_at_most_fifty_are_read_at_once(self) -> None:
        hub = RealHub(60)
        rooms, more = rooms_of(hub, Found(hub.devices(), (), (), None), Wish(), "zh", _text)
        assert (len(rooms[0].devices), more) == (50, 10)

    def test_a_hub_that_is_away_leaves_the_rest_of_the_page(self, store, clock, connect) -> None:
        class Away(RealHub):
            def devices(self):
                raise Unavailable("homeassistant_unreachable", why="没有回答")

        browser = Browser(connect(create_app(build(store, clock, ZONE, {}, hub=Away(0)), TOKEN), {}))
        browser.log_in()
        page = browser.open("/home")
        assert browser.status == 200
        assert page.text("people").startswith("家里人")
        assert '<p class="refused">' in page.html

    def test_hands_are_lent_to_the_virtual_home_alone(self, store, clock, connect) -> None:
        browser = Browser(connect(create_app(build(store, clock, ZONE, {}, hub=RealHub(1)), TOKEN), {}))
        browser.log_in()
        page = browser.open("/home")
        assert "灯0 开关 开 能做：开关" in page.text("rooms")
        assert [form.action for form in page.forms if form.section == "rooms"] == ["/home"]
        form = Form("/home/set", {**page.form("/home/people").fields, "device": "ha.0", "prop": "on", "value": "off"})
        assert browser.send(form).refused
        assert browser.status == 409


def _text(key: str, /, **values: object) -> str:
    return wording(key, "zh", **values)


class TestCameras:
    def test_a_camera_rests_and_is_used_again(self, browser) -> None:
        assert browser.send(form_of(browser.page, "/home/camera", camera="cam_living"), camera="cam_moon").refused
        assert browser.status == 404
        page = browser.send(form_of(browser.page, "/home/camera", camera="cam_living", use="off"))
        assert page.note == "摄像头已设好。"
        assert "客厅摄像头 未启用" in page.text("cameras")
        assert "客厅摄像头 停用 · 指令" in page.text("stream")
        page = browser.send(form_of(page, "/home/camera", camera="cam_living", use="on"))
        assert "客厅摄像头 启用" in page.text("cameras")

    def test_the_latest_verdict_stands_with_since_when_and_what_it_said(self, browser, see) -> None:
        for minute, (value, words) in enumerate(((True, "成立"), (False, "不成立"), (None, "看不出"))):
            see(value, reason="沙发空着")
            page = browser.open("/home")
            since = f"从 10-12 10:{minute:02}:00 起 · 用于 [living_room_off] 客厅无人关灯"
            assert f"{words} {NOBODY} {since}" in page.text("cameras")
            see(value, 1)
            assert ("说明：沙发空着" in page.text("cameras")) is (value is True)
            assert f"客厅摄像头 “{NOBODY}” {words}" in page.text("stream")

    def test_what_is_unknown_now_is_not_called_false(self, browser, see) -> None:
        see(True, 2)
        see(None)
        page = browser.open("/home")
        assert f"看不出 {NOBODY} 从 10-12 10:02:00 起" in page.text("cameras")


class TestVerdictsByHand:
    def test_a_person_says_what_they_see(self, browser, clock) -> None:
        for says, words in (("true", "成立"), ("false", "不成立"), ("unknown", "看不出")):
            clock.advance(timedelta(minutes=1))
            form = form_of(browser.page, "/home/verdict", source="cam_living", condition=NOBODY)
            page = browser.send(form, says=says, reason="我看到了", firm="on")
            assert page.note == "判定收下了。"
            assert f"{words} {NOBODY}" in page.text("cameras")

    def test_it_counts_as_that_of_a_camera_does(self, browser, pass_time) -> None:
        for _ in range(3):
            browser.open("/home")
            browser.send(form_of(browser.page, "/home/verdict", source="cam_living"), says="true", firm="on")
            pass_time(timedelta(minutes=2))
        text = browser.open("/home").text("machines")
        assert "已触发" in text
        assert "触发 做好了" in text

    def test_words_that_are_no_verdict_are_refused_and_a_reason_of_any_kind_does_no_harm(self, browser) -> None:
        form = form_of(browser.page, "/home/verdict", source="cam_living")
        page = browser.send(form, says="maybe")
        assert (browser.status, page.refused) == (400, "判定只能是成立、不成立或看不出。")
        page = browser.send(form, says="true", reason=HOSTILE + "\x00\n" + "长" * 5_000)
        assert browser.status == 200
        assert HOSTILE not in page.html
        assert HOSTILE in page.text("cameras")


class TestMachines:
    def test_a_rule_nobody_judged_yet_waits(self, browser) -> None:
        text = browser.page.text("machines")
        assert "[living_room_off] 客厅无人关灯 等待" in text
        assert "还没有谁判断过这个条件。" in text
        assert (
            'role="img" aria-label="[living_room_off] 客厅无人关灯：等待，这段时间里有 0 次动静"' in browser.page.html
        )
        assert f"还没有判定 {NOBODY}" in browser.page.text("cameras")

    def test_what_counts_is_drawn_and_says_when_it_will_fire(self, browser, see) -> None:
        see(True, 3)
        page = browser.open("/home?span=hour")
        assert "条件从 10-12 10:00:00 起成立，再过 2 分钟就触发。" in page.text("machines")
        assert '<rect class="look held" x="95.00%"' in page.html

    def test_what_fired_is_drawn_with_what_became_of_it(self, browser, see) -> None:
        see(True, 6)
        page = browser.open("/home?span=hour")
        assert "触发 做好了" in page.text("machines")
        assert '<rect class="look inside"' in page.html
        assert '<circle class="sign fired" r="6"/>' in page.html.split('class="machine-line"')[1]

    def test_what_came_close_says_why_it_did_not_fire(self, browser, see) -> None:
        see(True, 4.5)
        see(False)
        page = browser.open("/home?span=hour")
        assert "没有触发 没有持续够久（持续 4 分钟 30 秒，要 5 分钟）" in page.text("machines").replace(
            "270 秒", "4 分钟 30 秒"
        )
        assert '<circle class="sign short" r="5"/>' in page.html.split('class="machine-line"')[1]

    def test_what_nobody_can_tell_is_said_to_be_unknown(self, browser, see) -> None:
        see(True, 1)
        see(None, 0)
        page = browser.open("/home?span=hour")
        assert "从 10-12 10:01:00 起看不清" in page.text("machines")

    def test_a_rule_that_was_stopped_says_so(self, browser, app) -> None:
        with app.store.write() as tx:
            app.rules.disable(tx, "r1", who="test")
        page = browser.open("/home")
        assert "由人停用" in page.text("machines")
        assert '<path class="sign switched"' in page.html.split('class="machine-line"')[1]

    def test_hostile_rules_are_only_text(self, enter, client, plan_of) -> None:
        plan = plan_of("living_room_off")
        plan["rules"][0]["name"] = f"[living_room_off] {HOSTILE}"
        plan["rules"][0]["condition"] = f'"><img src=x>{HOSTILE}'
        client.post("/api/v1/household/tasks", plan)
        page = enter().open("/home")
        assert "[living_room_off]" in page.text("machines")
        assert HOSTILE not in page.html
        assert "<img src=x" not in page.html

    def test_ten_rules_stand_on_a_page_and_the_others_behind(self, enter, client, plan_of) -> None:
        plan = plan_of("living_room_off")
        rule = plan["rules"][0]
        plan["rules"] = [{**rule, "name": f"[living_room_off] 规则{number:02}"} for number in range(12)]
        client.post("/api/v1/household/tasks", plan)
        browser = enter()
        page = browser.open("/home")
        assert page.html.count('class="machine-line"') == 10
        assert "规则01" not in page.text("machines")
        page = browser.open("/home?older=r3")
        assert page.html.count('class="machine-line"') == 2
        assert "规则01" in page.text("machines")
