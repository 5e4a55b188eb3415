"""What programs get of rules on a hub and of changes to them: what `faces.gateway_wire` and its neighbours write."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from zhixing.faces.http.api.shapes import Shape
from zhixing.graphs.checks.finding import Level
from zhixing.graphs.hubs.outcomes import Outcome


class Hub(Shape):
    """Which hub is spoken to."""

    hub: str = Field(description="`virtual`, or the address of a real one.")
    connected: bool


class Graph(Shape):
    """A rule as the hub keeps it."""

    id: str
    nodes: list[dict[str, Any]]
    cfg: dict[str, Any]


class GraphEntry(Shape):
    """A rule in the list."""

    id: str
    name: str
    enable: bool
    ui_type: str
    scope: str = Field(description="Where its own variables are.")
    last_update_time: int | float | None = Field(description="Milliseconds since 1970, as the editor wrote it.")
    tags: list[str]


class Graphs(Shape):
    """The rules of the hub."""

    graphs: list[GraphEntry]
    count: int


class Fix(Shape):
    """A change inside a card that settles a finding."""

    path: list[str]
    value: Any


class Finding(Shape):
    """Something about a card, or about the whole rule."""

    node_id: str
    type: str = Field(description="Stays the same; for programs.")
    level: Level
    message: str
    fixes: list[Fix]


class Verdict(Shape):
    """What was found about a rule; it may be saved when it is `valid`."""

    valid: bool
    errors: list[Finding]
    warnings: list[Finding]
    error_count: int
    warning_count: int


class NodeName(Shape):
    """A card."""

    id: str
    type: str


class ValueChange(Shape):
    """A value that differs; a side that has none has no member here."""

    path: str
    before: Any = None
    after: Any = None


class ChangedNode(NodeName):
    """A card that differs."""

    values: list[ValueChange]


class Place(Shape):
    """Where a card lies."""

    x: float
    y: float
    width: float
    height: float


class Move(Shape):
    """A card that lies elsewhere."""

    id: str
    before: Place | None
    after: Place | None


class WireName(Shape):
    """A wire, from `node.pin` to `node.pin`."""

    from_: str = Field(alias="from")
    to: str


class Difference(Shape):
    """All that differs between two rules."""

    empty: bool
    works_otherwise: bool = Field(description="More differs than where cards lie.")
    lines: list[str] = Field(description="The same for people.")
    added: list[NodeName]
    removed: list[NodeName]
    changed: list[ChangedNode]
    moved: list[Move]
    wires_added: list[WireName]
    wires_removed: list[WireName]
    reordered: list[str] = Field(description="Pins whose wires are served in another order.")
    settings: list[ValueChange]


class Plan(Shape):
    """What deploying a rule would change."""

    id: str
    name: str
    new: bool = Field(description="Nothing has this id yet.")
    token: str = Field(description="Deploying with it writes this change and no other.")
    verdict: Verdict
    diff: Difference


class Deployed(Shape):
    """What became of a deployment."""

    id: str
    outcome: Outcome
    message: str
    receipt: int | None = Field(description="By this number it is taken back.")
    difference: Difference | None = Field(description="From what was wanted to what is there, where that is altered.")


class RolledBack(Shape):
    """What became of putting a receipt back."""

    id: str
    outcome: Outcome
    message: str
    receipt: int | None = Field(description="The receipt of what was there until then.")
    made: list[str] = Field(description="Ids of variables that were gone and are there again.")


class Receipt(Shape):
    """What a rule was before something was written."""

    number: int
    hub: str
    id: str
    at: str
    existed: bool
    name: str
    node_count: int
    variables: list[str]


class Receipts(Shape):
    """The receipts of a rule, the newest first."""

    receipts: list[Receipt]


class Created(Shape):
    """What became of making a rule."""

    graph_id: str
    outcome: Outcome
    message: str
    enable: bool
    scope: str = Field(description="Where its own variables are.")
    node_count: int
    warnings: list[Finding]


class Updated(Shape):
    """What became of changing or switching a rule."""

    graph_id: str
    outcome: Outcome
    message: str
    name: str
    enable: bool
    node_count: int
    warnings: list[Finding]


class Deleted(Shape):
    """What became of a deletion; `variables` says it of those of the rule's own scope."""

    graph_id: str
    outcome: Outcome
    message: str
    scope: str
    variables: Outcome


class Simulation(Shape):
    """What a run did, as `zhixing graph simulate --json` prints it."""

    trace: list[str]
    outputs: list[dict[str, Any]]
    variables: dict[str, float | str]
    devices: dict[str, dict[str, Any]]
    fired: dict[str, int]
    active: list[dict[str, Any]]
    diagnostics: list[dict[str, Any]]
    options: dict[str, Any]
