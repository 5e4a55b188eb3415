from __future__ import annotations

import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.devices.homeplan import Fault, default_home, default_text, read_home
from zhixing.world.devices.port import Person
from zhixing.world.devices.yamltext import LONGEST

HEAD = "home: 家\nrooms: [客厅, 玄关]\n"
LAMP = "  - {did: lamp, name: 灯, room: 客厅, kind: light}\n"
OWN = """home: 家
rooms: [客厅]
devices:
  - did: 480011223
    name: 香薰机
    room: 客厅
    transition: 1.5
    fault: silent
    initial: {on: true, scent: 2}
    spec:
      category: aroma
      services:
        - siid: 2
          name: aroma
          properties:
            - {piid: 1, name: on, format: bool, access: rwn}
            - {piid: 2, name: scent, format: uint8, access: rw, choices: {1: 薰衣草, 2: 柠檬}}
            - {piid: 3, name: note, format: string, access: rw, initial: 123}
"""


def test_the_shipped_home_is_one_to_live_in():
    home = default_home()

    categories = {device.kind.category for device in home.devices}
    assert categories >= {"light", "curtain", "speaker", "air-conditioner", "plug", "button", "contact-sensor"}
    assert {camera.room for camera in home.cameras if camera.in_use} == {"客厅", "玄关", "儿童房"}
    assert [person.role for person in home.people] == ["爸爸", "妈妈", "女儿", "奶奶"]
    assert {device.room for device in home.devices} == set(home.rooms)


def test_the_shipped_home_can_be_copied_and_changed():
    changed = read_home(default_text().replace("name: 客厅吸顶灯", "name: 大灯"))

    assert changed.devices[0].name == "大灯"
    assert changed.devices[1:] == default_home().devices[1:]


def test_a_home_may_be_nearly_empty():
    home = read_home("home: 空房子")

    assert (home.name, home.rooms, home.people, home.cameras, home.devices) == ("空房子", (), (), (), ())


def test_a_device_may_bring_its_own_specification():
    (device,) = read_home(OWN).devices

    assert device.did == "480011223"
    assert device.kind.category == "aroma"
    assert dict(device.initial) == {"prop.2.1": True, "prop.2.2": 2}
    assert device.kind.services[0].properties[2].initial == "123"
    assert (device.transition, device.fault) == (1.5, Fault.SILENT)


def test_on_is_a_name_and_not_a_truth():
    """Everybody's YAML reads a bare `on` as true; a home is full of things that are on."""
    home = read_home(HEAD + "devices:\n  - {did: lamp, name: off, room: 客厅, kind: light, initial: {on: true}}\n")

    assert home.devices[0].name == "off"
    assert dict(home.devices[0].initial) == {"prop.2.1": True}


def test_initial_values_may_be_given_by_number_too():
    home = read_home(HEAD + "devices:\n  - {did: a, name: 灯, room: 客厅, kind: light, initial: {prop.2.2: 30}}\n")

    assert dict(home.devices[0].initial) == {"prop.2.2": 30}


def test_people_may_leave_out_their_id_and_role():
    home = read_home("home: 家\npeople:\n  - {name: 小满}\n  - {id: ma, name: 林知夏, role: 妈妈}\n")

    assert home.people == (Person("小满", "小满", ""), Person("ma", "林知夏", "妈妈"))


def test_a_camera_with_channels_becomes_one_for_each():
    home = read_home(HEAD + "cameras:\n  - {did: cam, name: 全景, room: 客厅, channels: 2, in_use: false}\n")

    assert [(each.did, each.name, each.in_use) for each in home.cameras] == [
        ("cam:ch1", "全景 1", False),
        ("cam:ch2", "全景 2", False),
    ]


def refusal(text: str) -> str:
    """Read a home; say why it was refused, or nothing."""
    try:
        read_home(text)
    except BadInput as error:
        return str(error)
    return ""


def device(**changes: str) -> str:
    fields = {"did": "lamp", "name": "灯", "room": "客厅", "kind": "light"} | changes
    return HEAD + "devices:\n  - {" + ", ".join(f"{name}: {value}" for name, value in fields.items()) + "}\n"


WRONG = {
    "nothing": ("", "是空的"),
    "only a comment": ("# 家", "是空的"),
    "no table": ("- a\n", "第 1 行：「home」应写成"),
    "one word": ("家\n", "第 1 行：「home」应写成"),
    "no name": ("rooms: [客厅]\n", "第 1 行：缺少「home」"),
    "tab": ("home: 家\nrooms:\n\t- 客厅\n", "第 3 行用制表符"),
    "broken": ("home: 家\nrooms: [客厅\npeople: []\n", "第 3 行写法不对"),
    "colon": ("home: 家: 大\n", "第 1 行写法不对"),
    "control": ("home: 家\nrooms: [\x07]\n", "第 2 行有看不见的控制字符"),
    "nul": ("home: \0", "第 1 行有看不见的控制字符"),
    "surrogate": ("home: \ud800", "第 1 行有看不见的控制字符"),
    "alias": ("home: 家\nrooms: &a [客厅]\npeople: *a\n", "第 2 行用了 & 或 *"),
    "tag": ("home: !!python/object/apply:os.system [ls]\n", "第 1 行用了 !"),
    "second document": ("home: 家\n---\nhome: 又一个\n", "第 3 行又开始了一份文档"),
    "deep": ("home: " + "[" * 30 + "]" * 30, "嵌套太深"),
    "deeper": ("home: " + "[" * 100_000, "第 1 行"),
    "complex key": ("home: 家\n? [a]\n: b\n", "第 2 行写法不对"),
    "merge": ("home: 家\n<<: {rooms: [客厅]}\n", "第 2 行：没有「<<」"),
    "twice": ("home: 家\nhome: 二\n", "第 2 行：「home」写了两次"),
    "twice with a break": ('"a\\nb": 1\n"a\\nb": 2\n', "第 2 行：「a b」写了两次"),
    "mistyped": ("home: 家\nroom: [客厅]\n", "第 2 行：没有「room」这一项，是不是「rooms」"),
    "unknown": ("home: 家\n颜色: 红\n", "第 2 行：没有「颜色」这一项，可以写 home、rooms"),
    "rooms no list": ("home: 家\nrooms: 客厅\n", "第 2 行：「rooms」应是一个列表"),
    "room no text": ("home: 家\nrooms: [[客厅]]\n", "第 2 行：「rooms」应是单个值"),
    "room empty": ("home: 家\nrooms: ['']\n", "第 2 行：「rooms」应是一行"),
    "rooms many": ("home: 家\nrooms: [" + ",".join(f"r{n}" for n in range(101)) + "]", "最多 100 个"),
    "room twice": ("home: 家\nrooms:\n  - 客厅\n  - 客厅\n", "第 4 行：「rooms」重复了：客厅"),
    "people table": ("home: 家\npeople: {name: 小满}\n", "第 2 行：「people」应是一个列表"),
    "person text": ("home: 家\npeople: [小满]\n", "第 2 行：「people」应写成"),
    "person without name": ("home: 家\npeople:\n  - {role: 妈妈}\n", "第 3 行：缺少「name」"),
    "people same name": ("home: 家\npeople:\n  - {name: 小满}\n  - {name: 小满}\n", "第 4 行：「name」重复了"),
    "line break": ('home: "a\\nb"\n', "应是一行"),
    "long name": ("home: " + "长" * 65, "1 到 64 个字"),
    "no such room": (device(room="客听"), "第 4 行：「room」不能是「客听」，可用：客厅"),
    "no such kind": (device(kind="lihgt"), "第 4 行：「kind」不能是「lihgt」，可用：light"),
    "no kind": (HEAD + "devices:\n  - {did: a, name: 灯, room: 客厅}\n", "第 4 行：设备要写 kind"),
    "did": (device(did="客厅灯"), "第 4 行：did 只能用"),
    "did long": (device(did="x" * 57), "第 4 行：did 只能用"),
    "did empty": (device(did="''"), "第 4 行：did 只能用"),
    "same did": (HEAD + "devices:\n" + LAMP + LAMP, "第 5 行：「did」重复了：lamp"),
    "same name": (HEAD + "devices:\n" + LAMP + LAMP.replace("did: lamp", "did: b"), "第 5 行：「name」重复了：客厅 灯"),
    "did of a camera": (
        HEAD + "cameras:\n  - {did: lamp, name: 摄像头, room: 客厅, channels: 2}\ndevices:\n" + LAMP,
        "第 6 行：「did」重复了：lamp",
    ),
    "truth": (device(online="yes"), "第 4 行：「online」应是 true 或 false，现在是「yes」"),
    "transition": (device(transition="-1"), "第 4 行：「transition」应是 0.0 到 3600.0 的数字，现在是「-1」"),
    "transition nan": (device(transition=".nan"), "「transition」应是"),
    "transition truth": (device(transition="true"), "「transition」应是"),
    "fault": (device(fault="slow"), "第 4 行：「fault」不能是「slow」，可用：offline、fails、silent"),
    "initial name": (device(initial="{brightnes: 3}"), "「initial」不能是「brightnes」，可用：brightness"),
    "initial range": (device(initial="{brightness: 0}"), "第 4 行：「brightness」超出范围，只能是 1–100/1 %"),
    "initial type": (device(initial="{on: 1}"), "第 4 行：「on」要写 true 或 false"),
    "initial nothing": (device(initial="{on: }"), "第 4 行：「on」要写 true 或 false"),
    "initial list": (device(initial="{on: []}"), "第 4 行：「on」应是单个值"),
    "initial no table": (device(initial="on"), "第 4 行：「initial」应写成"),
    "initial mirror": (
        device(kind="curtain", initial="{current-position: 4}"),
        "「initial」不能是「current-position」",
    ),
    "channels": (
        HEAD + "cameras:\n  - {did: c, name: 门, room: 玄关, channels: 9}\n",
        "应是 1 到 8 的整数，现在是「9」",
    ),
    "cameras": (
        HEAD + "cameras:\n  - {did: c, name: 门, room: 玄关, channels: 5}\n",
        "第 4 行：同时启用的摄像头最多 4 个",
    ),
    "large": ("home: 家\n#" + "x" * LONGEST, "太大了"),
    "many": ("home: 家\nrooms: [" + "a," * 30_000 + "]\n", "太多了"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_clear_line(text, said):
    with pytest.raises(BadInput) as caught:
        read_home(text)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_bomb_of_aliases_is_not_built():
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for before, name in pairwise(string.ascii_lowercase[:10]):
        lines.append(f"{name}: &{name} [{','.join(['*' + before] * 9)}]")

    with pytest.raises(BadInput, match="锚点"):
        read_home("\n".join(lines))


OWN_WRONG = {
    "format": ("format: bool", "format: boolean", "第 16 行：「format」不能是「boolean」，可用：bool"),
    "access": ("access: rwn", "access: xyz", "第 16 行：「access」不能是「xyz」"),
    "same number": ("piid: 2", "piid: 1", "第 17 行：「piid」重复了：1"),
    "same name": ("name: scent", "name: on", "第 17 行：「name」重复了：on"),
    "number": ("siid: 2", "siid: 0", "第 13 行：「siid」应是 1 到 65535 的整数"),
    "capital": ("name: scent", "name: Scent", "第 17 行：「name」只能用小写英文"),
    "no choices": ("choices: {1: 薰衣草, 2: 柠檬}", "choices: {}", "第 17 行：choices 应写成"),
    "choices list": ("choices: {1: 薰衣草, 2: 柠檬}", "choices: [a]", "第 17 行：choices 应写成"),
    "choice number": ("choices: {1: 薰衣草", "choices: {a: 薰衣草", "第 17 行：「choices」应是"),
    "range order": ("choices: {1: 薰衣草, 2: 柠檬}", "range: [9, 1, 1]", "第 17 行：range 应写成"),
    "range step": ("choices: {1: 薰衣草, 2: 柠檬}", "range: [1, 9, 0]", "第 17 行：range 应写成"),
    "range short": ("choices: {1: 薰衣草, 2: 柠檬}", "range: [1, 9]", "第 17 行：range 应写成"),
    "range fraction": ("choices: {1: 薰衣草, 2: 柠檬}", "range: [1, 9, 0.5]", "第 17 行：range 应写成"),
    "range of truth": ("format: bool, access: rwn", "format: bool, range: [0, 1, 1]", "第 16 行：range 应写成"),
    "range truth": ("choices: {1: 薰衣草, 2: 柠檬}", "range: [true, 9, 1]", "第 17 行：range 应写成"),
    "mirror of nothing": ("access: rwn}", "access: rwn, mirrors: colour}", "第 16 行：引用的「colour」"),
    "mirror of itself": ("access: rwn}", "access: rwn, mirrors: on}", "第 16 行：引用的「on」"),
    "mirror as wrong": ("access: rwn}", "access: rwn, mirrors: scent, as: {true: 9}}", "第 16 行：引用的「scent」"),
    "no services": ("services:", "urn: a\n      title:", "缺少「services」"),
    "initial": ("{on: true, scent: 2}", "{scent: 3}", "第 9 行：「scent」没有这个选项，可选：1 薰衣草、2 柠檬"),
    "kind too": ("    fault: silent", "    kind: light", "第 4 行：设备要写 kind（种类）或 spec"),
}


@pytest.mark.parametrize(("old", "new", "said"), OWN_WRONG.values(), ids=OWN_WRONG)
def test_what_is_wrong_in_a_specification_is_one_clear_line(old, new, said):
    assert old in OWN

    with pytest.raises(BadInput) as caught:
        read_home(OWN.replace(old, new, 1))

    assert said in str(caught.value)


def test_references_inside_a_specification_must_lead_somewhere():
    for member, said in (
        ("actions: [{aiid: 1, name: a, flips: scent}]", "scent"),
        ("actions: [{aiid: 1, name: a, flips: nothing}]", "nothing"),
        ("actions: [{aiid: 1, name: a, sets: {nothing: 1}}]", "nothing"),
        ("actions: [{aiid: 1, name: a, sets: {scent: 9}}]", "没有这个选项"),
        ("actions: [{aiid: 1, name: a, sets: on}]", "sets"),
        ("actions: [{aiid: 1, name: a, in: [9]}]", "引用的「9」"),
        ("actions: [{aiid: 1, name: a, in: [x]}]", "「in」应是"),
        ("events: [{eiid: 1, name: a, arguments: [[1]]}]", "「arguments」应是单个值"),
        ("events: [{eiid: 1, name: a}, {eiid: 1, name: b}]", "「eiid」重复了"),
    ):
        with pytest.raises(BadInput, match=said):
            read_home(OWN + f"          {member}\n")


def test_two_services_of_one_number_are_refused():
    with pytest.raises(BadInput, match="「siid」重复了：2"):
        read_home(OWN + "        - {siid: 2, name: again}\n")


@settings(max_examples=200)
@given(st.text(alphabet="home: 家\n-[]{}&*!|>'\"#?\t,x1", max_size=80))
def test_any_text_is_a_home_or_one_line_about_why_not(text):
    assert "\n" not in refusal(text)


@settings(max_examples=200)
@given(st.data())
def test_a_home_with_something_scribbled_into_it_is_read_or_refused(data):
    text = default_text()
    at = data.draw(st.integers(0, len(text)))
    scribble = data.draw(st.text(alphabet="on: 1.5-[]{}&*!'\"\t\n", min_size=1, max_size=6))
    assert "\n" not in refusal(text[:at] + scribble + text[at:])


def test_a_text_beyond_the_bound_is_not_even_looked_at():
    with pytest.raises(TooLarge):
        read_home("x" * 10_000_000)
