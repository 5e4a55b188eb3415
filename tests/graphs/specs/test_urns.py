"""URNs of specifications, read into their parts."""

from __future__ import annotations

import pytest

from zhixing.graphs.specs.urns import read_urn
from zhixing.kernel.errors import BadInput


@pytest.mark.parametrize(
    ("written", "kind", "parts"),
    [
        (
            "urn:miot-spec-v2:device:light:0000A001:jbl123-wy0a03:1:0000C802",
            "device",
            ("light", "0000A001", "jbl123-wy0a03", 1, "0000C802", False),
        ),
        (
            "urn:miot-spec-v2:device:air-conditioner:0000A004:xiaomi-mc4:1",
            "device",
            ("air-conditioner", "0000A004", "xiaomi-mc4", 1, "", False),
        ),
        (
            "urn:xiaomi-spec:property:clean:0000001d:xiaomi-mc4:12",
            "property",
            ("clean", "0000001d", "xiaomi-mc4", 12, "", True),
        ),
        ("urn:miot-spec-v2:property:on:00000006", "property", ("on", "00000006", "", 0, "", False)),
    ],
)
def test_a_urn_in_its_parts(written: str, kind: str, parts: tuple[object, ...]) -> None:
    urn = read_urn(written, kind, "type")
    assert (urn.name, urn.value, urn.model, urn.version, urn.extra, urn.vendor) == parts
    assert str(urn) == written


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("", "device"),
        ("urn:miot-spec-v2:device:light:0000A001", "device"),
        ("urn:miot-spec-v2:device:light:A001:x-y:1", "device"),
        ("urn:miot-spec-v2:device:light:0000A00G:x-y:1", "device"),
        ("urn:miot-spec-v2:device:light:0000A001:x-y:one", "device"),
        ("urn:miot-spec-v2:device:灯:0000A001:x-y:1", "device"),
        ("urn:miot-spec-v2:device:light:0000A001:x-y:1\n", "device"),
        ("urn:miot-spec-v2:service:light:00007802:x-y:1", "device"),
        ("urn:miot-spec-v2:device:light:0000A001:x-y:1" + ":a" * 200, "device"),
        (" urn:miot-spec-v2:property:on:00000006", "property"),
    ],
)
def test_what_is_no_urn_of_that_kind_is_refused_with_its_place(written: str, kind: str) -> None:
    with pytest.raises(BadInput, match=r"^services\[0\]\.type 的「"):
        read_urn(written, kind, "services[0].type")


@pytest.mark.parametrize("written", [None, 7, ["urn"], "\ud800"])
def test_a_urn_is_text(written: object) -> None:
    with pytest.raises(BadInput, match="要是文字"):
        read_urn(written, "device", "type")
