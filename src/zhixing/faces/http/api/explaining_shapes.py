"""What programs get of explanations of rules: what `faces.explaining_wire` writes. Times are in milliseconds."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from zhixing.faces.http.api.shapes import Shape
from zhixing.graphs.explaining.comparing import Verdict
from zhixing.graphs.explaining.coverage import Sent
from zhixing.graphs.simulating.moments import Kind

Lines = list[str]


class Step(Shape):
    """One step from what started a rule to a card."""

    at_ms: int
    kind: Kind
    node_id: str
    pin: str
    source: str = Field(description="The output from which a wire carried, as `node.pin`; else empty.")
    message: str


class Reason(Shape):
    """One thing that was in the way."""

    code: str = Field(description="Stays the same; for programs.")
    node_id: str
    pin: str
    at_ms: int | None
    message: str


class Why(Shape):
    """Why a card fired or did not."""

    node_id: str
    pin: str | None
    firings: int = Field(description="How often it fired.")
    firing: int | None = Field(description="Which of them is explained; null where it did not fire.")
    steps: list[Step]
    reasons: list[Reason] = Field(description="Why it did not fire, or not again; the nearest to the card first.")
    cut: bool = Field(description="The way is longer than what is told.")
    lines: Lines = Field(description="The same for people.")


class Command(Shape):
    """A property written or an action called."""

    at_ms: int
    node_id: str
    did: str
    siid: int
    piid: int | None = None
    aiid: int | None = None
    value: Any = None
    values: list[Any] | None = None


class ChangedVariable(Shape):
    """A variable at the end, without the event and with it."""

    variable: str
    without: float | str | None
    with_: float | str | None = Field(alias="with")


class Firings(Shape):
    """How often a card fires, without the event and with it."""

    node_id: str
    without: int
    with_: int = Field(alias="with")


class Timer(Shape):
    """A timer or loop that runs at the end."""

    node_id: str
    kind: str
    due_ms: int


class Difference(Shape):
    """What one more event would change: `more…` is there only with it, `fewer…` only without it."""

    at_ms: int
    nothing: bool
    heard: list[str] = Field(description="Cards that heard it.")
    silent: list[Reason] = Field(description="Why those of them that did not fire did not.")
    more_commands: list[Command]
    fewer_commands: list[Command]
    variables: list[ChangedVariable]
    firings: list[Firings]
    more_timers: list[Timer]
    fewer_timers: list[Timer]
    lines: Lines = Field(description="The same for people.")


class Branch(Shape):
    """Something an output sends, or a wire carries to its `end`."""

    node_id: str
    pin: str
    sent: Sent
    end: str | None
    taken: int


class Coverage(Shape):
    """Which outputs and wires some scripts used."""

    percent: float
    wire_percent: float
    outputs: list[Branch]
    wires: list[Branch]
    left_out: list[str] = Field(description="Cards that do not run as they are.")
    lines: Lines = Field(description="The same for people.")


class Entry(Shape):
    """A line of the log or of the run that the other does not have so."""

    verdict: Verdict
    source: str
    target: str
    state: bool | None
    logged_ms: int | None = Field(description="Since 1970; null where the log does not have it.")
    ran_ms: int | None
    message: str


class Drift(Shape):
    """Something in the log that the rule no longer has."""

    watchpoint: str
    count: int
    first_ms: int
    last_ms: int


class Replay(Shape):
    """How a log and the run it led to differ."""

    agrees: bool
    start_ms: int
    counts: dict[Verdict, int]
    differing: list[Entry]
    drift: list[Drift]
    known_from_start: bool = Field(description="The log begins with the rule being switched on.")
    unread: int
    others: int = Field(description="Lines of other rules.")
    lines: Lines = Field(description="The same for people.")
