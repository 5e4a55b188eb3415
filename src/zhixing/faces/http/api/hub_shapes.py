"""What programs get of a hub beside its rules: devices, variables, drafts, its log, as `faces.gateway_wire` writes."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from zhixing.faces.http.api.graph_shapes import Finding
from zhixing.faces.http.api.shapes import Shape
from zhixing.graphs.drafts.model import DraftState
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.specs.model import Dtype

Single = bool | int | float | str


class HubDevice(Shape):
    """A device of the hub; what it can do is null where its specification is not known, and absent in lists."""

    did: str
    found: bool = True
    name: str = ""
    room: str = ""
    urn: str | None = None
    online: bool = True
    push_available: bool = True
    spec_v2_access: bool = Field(default=True, alias="specV2Access", description="Whether rules may use it.")
    kind: str | None = None
    properties: list[dict[str, Any]] | None = None
    events: list[dict[str, Any]] | None = None
    actions: list[dict[str, Any]] | None = None


class HubDevices(Shape):
    """Devices of the hub."""

    devices: list[HubDevice]
    count: int
    not_found: list[str] = Field(default=[], description="Dids that the hub does not know.")


class DevicePlace(Shape):
    """A card that is about a device."""

    graph_id: str
    graph_name: str
    enable: bool
    node_id: str
    type: str


class DeviceUse(HubDevice):
    """A device and where it is used."""

    places: list[DevicePlace]


class UnreadGraph(Shape):
    """A rule that could not be read."""

    id: str
    name: str
    reason: str


class DeviceUsage(Shape):
    """Where devices are used. Not `complete`: a device without places may still be used."""

    devices: list[DeviceUse]
    orphans: list[DeviceUse] = Field(description="Devices that rules name and the hub does not know.")
    unreadable_graphs: list[UnreadGraph]
    complete: bool


class Writer(Shape):
    """A card that sets a property."""

    graph_id: str
    graph_name: str
    node_id: str
    value: Single | None
    variable: str | None


class Contest(Shape):
    """A property that several rules set, each its own way."""

    did: str
    siid: int
    piid: int
    writers: list[Writer]


class Contests(Shape):
    """All of them."""

    conflicts: list[Contest]


class HubLog(Shape):
    """The last lines of the log of the hub, the oldest first, as it writes them."""

    lines: list[str]
    count: int = Field(description="Lines that were read.")
    unread: int = Field(description="Lines that could not be read.")
    complete: bool


class HubVariable(Shape):
    """A variable."""

    scope: str
    id: str
    type: Dtype
    value: int | float | str | None
    name: str = Field(description="With an empty one the editor does not offer it.")


class HubVariables(Shape):
    """The variables of one scope, or of all."""

    variables: list[HubVariable]
    count: int


class VariablePlace(Shape):
    """A card that names a variable."""

    graph_id: str
    graph_name: str
    node_id: str


class UsedVariable(HubVariable):
    """A variable and where it is used."""

    places: list[VariablePlace]
    unreadable_graphs: list[UnreadGraph]
    complete: bool


class GoneVariable(Shape):
    """A variable that was deleted."""

    scope: str
    id: str
    deleted: bool


class GraphDraft(Shape):
    """A rule that is being sent in batches."""

    draft_id: str = Field(examples=["gd3"])
    name: str
    status: DraftState
    enable: bool
    node_count: int
    node_ids: list[str]
    variables: list[HubVariable]
    bytes: int
    graph_id: str | None
    updated_at: str
    expires_at: str | None = Field(description="null while its commit is not settled.")


class GraphDrafts(Shape):
    """The drafts, the oldest first."""

    drafts: list[GraphDraft]


class DraftBatch(Shape):
    """What became of a batch."""

    draft_id: str
    node_count: int
    appended: int
    replaced: int
    same: int
    removed: int
    missing_ids: list[str]


class CommittedDraft(Shape):
    """The rule of a draft is on the hub."""

    graph_id: str
    outcome: Outcome
    message: str
    draft_id: str
    node_count: int
    warnings: list[Finding]


class GoneDraft(Shape):
    """A draft that was given up; `discarded` is false where there was none."""

    draft_id: str
    discarded: bool
