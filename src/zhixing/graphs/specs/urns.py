"""URNs of MIoT specifications: `urn:<namespace>:<kind>:<name>:<8 hex>[:<vendor-model>:<version>[:<extra>]]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.graphs.specs.jsontext import shown, text
from zhixing.kernel.errors import BadInput

NAMESPACE = "miot-spec-v2"
"""The namespace of what the standard knows; every other one is a vendor's."""
LONGEST_URN = 256
"""Characters of a URN."""

_URN = re.compile(
    r"urn:(?P<namespace>[\w.-]+):(?P<kind>[a-z]+):(?P<name>[\w.-]+):(?P<value>[0-9A-Fa-f]{8})"
    r"(?::(?P<model>[\w.-]+):(?P<version>[0-9]{1,6})(?P<extra>(?::[\w.-]+)*))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Urn:
    """One URN in its parts; `model` is "" and `version` 0 where it names no product. `str()` is what was read."""

    text: str
    namespace: str
    kind: str
    name: str
    value: str
    model: str
    version: int
    extra: str

    def __str__(self) -> str:
        """Return it as it was written."""
        return self.text

    @property
    def vendor(self) -> bool:
        """Whether a vendor gave the name and not the standard (the editor shows these as proprietary)."""
        return self.namespace != NAMESPACE


def read_urn(value: object, kind: str, place: str) -> Urn:
    """Read the URN of a `kind` (device, service, property, action, event); raises `BadInput` with the place.

    A device names its product and version: its URN is the key that a specification is found by.
    """
    written = text(value, place)
    found = _URN.fullmatch(written) if len(written) <= LONGEST_URN else None
    if found is None or found["kind"] != kind or (kind == "device" and found["model"] is None):
        raise BadInput("miot_urn", place=place, text=shown(written), kind=kind)
    return Urn(
        text=written,
        namespace=found["namespace"],
        kind=kind,
        name=found["name"],
        value=found["value"],
        model=found["model"] or "",
        version=int(found["version"] or 0),
        extra=(found["extra"] or "").removeprefix(":"),
    )
