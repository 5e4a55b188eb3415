"""Reading specifications: what is kept, what is tolerated, and one line for what is wrong (§3.2, §3.3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.graphs.specs.jsontext import LARGEST_FILE
from zhixing.graphs.specs.model import Access, Dtype, Format, Property, Spec, as_written
from zhixing.graphs.specs.reading import MOST_SERVICES, dangling, read_spec
from zhixing.kernel.errors import BadInput, TooLarge

DEVICE = "urn:miot-spec-v2:device:light:0000A001:zhixing-test:1"


def prop(piid: int, name: str = "level", **over: Any) -> dict[str, Any]:
    written = {"iid": piid, "type": f"urn:miot-spec-v2:property:{name}:00000001:zhixing-test:1", "format": "uint8"}
    return {**written, "description": name, "access": ["read", "write", "notify"], **over}


def document(*properties: Any, **over: Any) -> dict[str, Any]:
    service = {
        "iid": 2,
        "type": "urn:miot-spec-v2:service:light:00007802:zhixing-test:1",
        "description": "Light",
        "properties": list(properties),
        **over,
    }
    return {"type": DEVICE, "description": "Test", "services": [service]}


def read(found: object) -> Spec:
    return read_spec(json.dumps(found).encode())


def only(**over: Any) -> Property:
    found = read(document(prop(1, **over))).property(2, 1)
    assert found is not None
    return found


def test_members_are_found_by_their_numbers() -> None:
    spec = read(
        document(
            prop(1, "on", format="bool"),
            prop(2, "code", access=[]),
            events=[{"iid": 1020, "type": "urn:miot-spec-v2:event:click:00005001", "arguments": [2]}],
            actions=[{"iid": 3, "type": "urn:miot-spec-v2:action:play:00002801", "in": [2, 1], "out": [1]}],
        )
    )
    on, event, action = spec.property(2, 1), spec.event(2, 1020), spec.action(2, 3)
    assert spec.kind == "light"
    assert on is not None
    assert event is not None
    assert action is not None
    assert (on.name, event.name, action.name) == ("on", "click", "play")
    assert event.arguments == (2,)
    assert (action.takes, action.gives) == ((2, 1), (1,))
    assert (spec.property(3, 1), spec.property(2, 9), spec.event(2, 1), spec.action(9, 3)) == (None,) * 4


@pytest.mark.parametrize(
    ("access", "allowed"),
    [
        (["read", "write", "notify"], (True, True, True)),
        (["write"], (False, True, False)),
        (["notify"], (False, False, True)),
        (["read"], (True, False, False)),
        ([], (False, False, False)),
    ],
)
def test_access_says_who_may_do_what(access: list[str], allowed: tuple[bool, bool, bool]) -> None:
    found = only(access=access)
    assert (found.readable, found.writable, found.notifiable) == allowed


@pytest.mark.parametrize(
    ("over", "comparison", "slot", "variable"),
    [
        ({"format": "bool"}, Dtype.BOOLEAN, Dtype.BOOLEAN, Dtype.NUMBER),
        *(({"format": f"{sign}int{width}"}, *(Dtype.INT, Dtype.NUMBER, Dtype.NUMBER))
          for sign in ("", "u") for width in (8, 16, 32, 64)),
        ({"format": "float"}, Dtype.FLOAT, Dtype.NUMBER, Dtype.NUMBER),
        ({"format": "double"}, Dtype.FLOAT, Dtype.NUMBER, Dtype.NUMBER),
        ({"format": "string"}, Dtype.STRING, Dtype.STRING, Dtype.STRING),
        ({"format": "float", "value-list": [{"value": 0}]}, Dtype.INT, Dtype.NUMBER, Dtype.NUMBER),
        ({"format": "tlv8"}, None, None, None),
    ],
)  # fmt: skip
def test_the_type_mapping_of_formats(over: dict[str, Any], comparison: Dtype, slot: Dtype, variable: Dtype) -> None:
    found = only(**over)
    assert (found.comparison_dtype, found.slot_dtype, found.variable_type) == (comparison, slot, variable)


@pytest.mark.parametrize(
    ("over", "fitting", "unfitting"),
    [
        ({"format": "bool"}, [True, False], [0, 1, "true", None]),
        ({"format": "uint8"}, [0, 26.0, 300], [True, 1.5, "1", float("nan")]),
        ({"format": "float"}, [0, 1.5], [True, "1", float("inf")]),
        ({"format": "string"}, ["", "x"], [1, None]),
        ({"format": "hex"}, [], [1, "x", True]),
    ],
)
def test_a_literal_fits_the_type_or_does_not(over: dict[str, Any], fitting: list[Any], unfitting: list[Any]) -> None:
    found = only(**over)
    assert all(found.fits_type(each) for each in fitting)
    assert not any(found.fits_type(each) for each in unfitting)


def test_a_listed_value_is_compared_as_json_compares() -> None:
    found = only(**{"value-list": [{"value": 1, "description": "日光"}, {"value": 2.0, "description": "月光"}]})
    assert found.listed(1.0) == found.choices[0]
    assert found.listed(2) == found.choices[1]
    assert (found.listed(True), found.listed("1"), found.listed(3)) == (None, None, None)


def test_ends_and_steps_are_exact_for_whole_formats_and_near_for_floats() -> None:
    whole, floating = only(**{"value-range": [0, 100, 5]}), only(**{"format": "float", "value-range": [16, 31, 0.1]})
    assert [whole.on_step(each) for each in (15, 16)] == [True, False]
    assert [whole.in_range(each) for each in (100, 101)] == [True, False]
    assert [floating.on_step(each) for each in (16.1 + 0.2, 16.15)] == [True, False]
    assert floating.in_range(31.0000000001)
    assert (only().in_range(10**12), only().on_step(0.5)) == (True, True)


def test_numbers_are_written_as_the_format_wants_them() -> None:
    assert repr(as_written(only(), 26.0)) == "26"
    assert repr(as_written(only(format="float"), 26)) == "26.0"
    with pytest.raises(ValueError, match="nan"):
        as_written(only(), float("nan"))


@pytest.mark.parametrize(
    ("written", "bounds"),
    [("uint8", (0, 255)), ("int8", (-128, 127)), ("uint32", (0, 2**32 - 1)), ("int64", (-(2**63), 2**63 - 1)),
     ("float", None), ("string", None), ("bool", None)],
)  # fmt: skip
def test_whole_formats_have_a_width(written: str, bounds: tuple[int, int] | None) -> None:
    assert Format(written).bounds == bounds


@pytest.mark.parametrize(
    "written",
    ["[100, 1, 1]", "[0, 100, 0]", "[0, 100, -1]", "[0, 1e999, 1]", "[NaN, 1, 1]", "[-Infinity, 1, 1]"],
)
def test_a_broken_range_is_kept_and_known(written: str) -> None:
    raw = json.dumps(document(prop(1, **{"value-range": "HERE"}))).replace('"HERE"', written)
    found = read_spec(raw.encode()).property(2, 1)
    assert found is not None
    assert found.range is not None
    assert found.range.broken


def test_a_range_may_lack_its_step() -> None:
    found = only(**{"value-range": [0, 100]})
    assert found.range is not None
    assert found.range.step is None
    assert not found.range.broken


def test_what_the_standard_does_not_list_is_tolerated() -> None:
    found = only(**{"max-length": 32, "gatt-access": [], "source": 1, "unit": None})
    assert found.access == frozenset(Access)
    spec = read({**document({**prop(1), "x": {"deep": [1]}}), "more": True})
    assert spec.property(2, 1) is not None


def test_a_name_of_a_vendor_is_known_as_one() -> None:
    assert only(type="urn:xiaomi-spec:property:clean:0000001D:zhixing-test:1").urn.vendor
    assert not only().urn.vendor


def test_the_service_that_says_who_made_a_device_is_known_by_name_not_by_number() -> None:
    spec = read(document(prop(1), iid=1, type="urn:miot-spec-v2:service:device-information:00007801:zhixing-test:1"))
    assert spec.informs_only(1)
    assert not read(document(prop(1), iid=1)).informs_only(1)


def test_what_refers_to_a_missing_property_is_read_and_can_be_asked_for() -> None:
    spec = read(
        document(
            prop(1),
            events=[{"iid": 1, "type": "urn:miot-spec-v2:event:click:00005001", "arguments": [1, 7]}],
            actions=[{"iid": 2, "type": "urn:miot-spec-v2:action:play:00002801", "in": [8], "out": [1]}],
        )
    )
    assert dangling(spec) == ("event.2.1:7", "action.2.2:8")


def test_equal_content_has_an_equal_fingerprint() -> None:
    one = json.dumps(document(prop(1, **{"value-range": [0, 1.0, 0.10]}))).encode()
    other = json.dumps(document(prop(1, **{"value-range": [0.0, 1, 0.1]})), indent=3, sort_keys=True).encode()
    assert read_spec(one).fingerprint == read_spec(b"\xef\xbb\xbf" + other).fingerprint
    assert read_spec(one).fingerprint != read(document(prop(1, **{"value-range": [0, 1, 0.2]}))).fingerprint


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], "spec 要是一个对象"),
        ({}, "设备规格缺少 type"),
        ({"type": DEVICE}, "设备规格缺少 services"),
        ({"type": "light", "services": []}, "type 的「light」不是 device 的 URN"),
        ({"type": DEVICE, "services": {}}, "services 要是一个列表"),
        ({"type": DEVICE, "services": [3]}, r"services\[0\] 要是一个对象"),
        (document(prop(0)), r"services\[0\]\.properties\[0\]\.iid 要是 1 到"),
        (document(prop(True)), r"properties\[0\]\.iid 要是 1 到"),
        (document(prop(1), prop(1)), r"services\[0\]\.properties 里 piid 1 出现了两次"),
        (document(prop(1, type="on")), r"properties\[0\]\.type 的「on」不是 property 的 URN"),
        (document(prop(1, type=DEVICE)), "不是 property 的 URN"),
        (document(prop(1, format=None)), r"properties\[0\]\.format 要是文字"),
        (document({"iid": 1, "type": "urn:miot-spec-v2:property:on:00000001"}), "设备规格缺少 .*format"),
        (document(prop(1, access=["fly"])), r"access 里只能有 read, write, notify"),
        (document(prop(1, access="read")), "access 要是一个列表"),
        (document(prop(1, **{"value-range": [1]})), "value-range 要是两个或三个数字"),
        (document(prop(1, **{"value-range": [1, "2", 3]})), "value-range 要是两个或三个数字"),
        (document(prop(1, **{"value-range": [1, True, 3]})), "value-range 要是两个或三个数字"),
        (document(prop(1, **{"value-list": [1]})), r"value-list\[0\] 要是一个对象"),
        (document(prop(1, **{"value-list": [{"value": None}]})), r"value-list\[0\]\.value 要是数字"),
        (document(properties=False), r"services\[0\]\.properties 要是一个列表"),
        (document(prop(1, unit=0)), r"properties\[0\]\.unit 要是文字"),
        (document(prop(1, description="\ud800")), "description 要是文字"),
        (document(events=[{"iid": 1, "type": "urn:miot-spec-v2:event:e:00005001", "arguments": ["1"]}]),
         r"arguments\[0\] 要是 1 到"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line_with_its_place(found: object, line: str) -> None:
    with pytest.raises(BadInput, match=line) as caught:
        read(found)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"", "第 1 行第 1 个字符"),
        (b'{"type": ', "第 1 行第 10 个字符"),
        (b"\xff\xfe{}", "第 1 行不是 UTF-8"),
        (b'{"type": 1, "type": 2}', "「type」写了两次"),
        (b"[" * 200_000, "嵌套太深"),
        (b'{"type": ' + b"9" * 10_000 + b"}", "太长的整数"),
    ],
)
def test_what_is_no_json_is_refused(raw: bytes, line: str) -> None:
    with pytest.raises(BadInput, match=line):
        read_spec(raw)


def test_sizes_and_counts_are_bounded() -> None:
    with pytest.raises(TooLarge, match="最多 4 MiB"):
        read_spec(b" " * (LARGEST_FILE + 1))
    with pytest.raises(TooLarge, match="services 太多了"):
        read({"type": DEVICE, "services": [{}] * (MOST_SERVICES + 1)})
    with pytest.raises(TooLarge, match="value-range 太多了"):
        read(document(prop(1, **{"value-range": [1, 2, 3, 4]})))


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_nesting_near_the_limit_is_read_or_refused_in_words(depth: int) -> None:
    raw = json.dumps({**document(prop(1)), "deep": "HERE"}).replace('"HERE"', "[" * depth + "]" * depth)
    try:
        read_spec(raw.encode())
    except BadInput as error:
        assert error.key == "miot_nested"  # noqa: PT017 - how deep is too deep depends on the caller


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_KEYS = ("iid", "type", "format", "access", "value-range", "value-list", "unit", "description")


@given(key=st.sampled_from(_KEYS), value=_JSON, raw=st.binary(max_size=80))
def test_nothing_but_bad_input_is_raised(key: str, value: object, raw: bytes) -> None:
    for written in (json.dumps(document(prop(1, **{key: value}))).encode(), json.dumps(value).encode(), raw):
        try:
            read_spec(written)
        except BadInput as error:
            assert str(error)  # noqa: PT017 - either outcome is right
