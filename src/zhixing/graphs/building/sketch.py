"""A card before it has an id or a wire, and the values that cards are made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.graphs.rule import Json, Members, is_number
from zhixing.graphs.specs.model import Property, Spec, Value
from zhixing.graphs.times.durations import UNITS, shown
from zhixing.graphs.times.findings import MOST_WHOLE
from zhixing.kernel.errors import BadInput

VERSION = 1
"""`cfg.version` of new cards; the editor has written 0 and 1 (mijia §1.2)."""
UNSHOWN = ""
"""The unit of a `Span` that its card does not show."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A device of the home and its specification."""

    did: str
    spec: Spec


Attribute = tuple[Thing, Property]
"""A property of a device."""


@dataclass(frozen=True, slots=True)
class Span:
    """How long: `value` of a unit (`ms s min hour`), as the card shows it. Raises `BadInput` if not above zero."""

    value: int
    unit: str = "s"

    def __post_init__(self) -> None:
        """Refuse what a hub may take for a storm (mijia §1.5)."""
        if self.unit not in UNITS and self.unit != UNSHOWN:
            raise BadInput("building_unit", unit=self.unit, units="、".join(UNITS))
        if not 0 < self.ms <= MOST_WHOLE:
            raise BadInput("building_span")

    @classmethod
    def of_ms(cls, ms: int) -> Span:
        """Return a span in the largest unit in which it is whole."""
        if ms <= 0:
            raise BadInput("building_span")
        seen = shown(ms)
        return cls(seen.value, seen.unit)

    @classmethod
    def unshown(cls, ms: int) -> Span:
        """Return a span that runs but is not on the card, as in the templates of some cards."""
        return cls(ms, UNSHOWN)

    @property
    def ms(self) -> int:
        """Milliseconds, which is what runs."""
        return self.value * UNITS.get(self.unit, 1)

    @property
    def display(self) -> Members:
        """Members of `cfg` for the eye."""
        return {} if self.unit == UNSHOWN else {"unit": self.unit, "value": self.value}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is asked of a value (mijia §1.4): `include` has several in `v1`, `between` both ends."""

    operator: str
    v1: Value | tuple[Value, ...]
    v2: Value | None = None

    @property
    def members(self) -> Members:
        """As it stands in `props`."""
        first = list(self.v1) if isinstance(self.v1, tuple) else self.v1
        return {"operator": self.operator, "v1": first, **({} if self.v2 is None else {"v2": self.v2})}

    @property
    def kind(self) -> str:
        """`varType` of a variable that is compared so."""
        return "number" if is_number(self.v1) else "string"


def equals(value: Value) -> Comparison:
    """Ask for one value. A property with a value-list is asked by `include`, which its card does by itself (X6)."""
    return Comparison("=", value)


def one_of(*values: Value) -> Comparison:
    """Ask for any of some whole numbers."""
    return Comparison("include", values)


def between(low: float, high: float) -> Comparison:
    """Ask for a number from `low` to `high`, both ends included."""
    return Comparison("between", low, high)


@dataclass(frozen=True, slots=True)
class Sketch:
    """One card: everything of it but its id and wires; `inputs` and `outputs` are the pins it declares."""

    type: str
    props: Members
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("output",)
    urn: str = ""
    cfg: Members | None = None

    def raw(self, name: str, constants: Mapping[str, bool], outputs: Mapping[str, list[str]]) -> dict[str, Json]:
        """Return the node: `constants` stand at inputs in place of wires, `outputs` are the wires by pin."""
        return {
            "id": name,
            "type": self.type,
            "cfg": {
                **({"urn": self.urn} if self.urn else {}),
                "name": self.type,
                "version": VERSION,
                **(self.cfg or {}),
            },
            "props": dict(self.props),
            "inputs": {pin: constants.get(pin) for pin in self.inputs},
            "outputs": {pin: outputs.get(pin, []) for pin in self.outputs},
        }
