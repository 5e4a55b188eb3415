"""The types of nodes a hub knows, as data: pins and colours, props, variants, what may be compared (mijia §1.3–§1.5).

Colours are those of the editor: an event is a pulse, a state is true or false, and some pins send both. The types
stand in `catalogue.toml`; a type that is not there is `None` here, and has no pins.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from zhixing.graphs.rule import Json, Members, Node, is_number, is_whole
from zhixing.kernel.wording import Language, wording

_NUMBER = re.compile(r"[0-9]{1,6}")
_RANGE = "between"
_SET = "include"

Context = Literal["device", "variable"]
"""What is compared: a value of a device, whose kind is `dtype`, or a variable, whose kind is `varType`."""


class Colour(StrEnum):
    """What a pin carries."""

    EVENT = "E"
    STATE = "S"
    BOTH = "B"

    def reaches(self, target: Colour) -> bool:
        """Tell whether a wire from a pin of this colour to one of that works (§1.8)."""
        return self in {Colour.BOTH, target}


class Group(StrEnum):
    """Where the editor offers a type."""

    DEVICE = "device"
    TIME = "time"
    FLOW = "flow"
    LOGIC = "logic"
    VARIABLE = "variable"
    OTHER = "other"

    def title(self, language: Language = "zh") -> str:
        """Return what people call the group."""
        return wording(f"node_types.group_{self.value}", language)


class Kind(StrEnum):
    """What a prop may be. An operand is judged by its operator, see `operand` and `operands_fit`."""

    STRING = "string"
    WHOLE = "whole"
    NUMBER = "number"
    BOOLEAN = "boolean"
    OBJECT = "object"
    ARRAY = "array"
    OPERAND = "operand"
    ANY = "any"

    def fits(self, value: Json) -> bool:
        """Tell whether a JSON value is of this kind."""
        match self:
            case Kind.STRING:
                return isinstance(value, str)
            case Kind.WHOLE:
                return is_whole(value)
            case Kind.NUMBER:
                return is_number(value)
            case Kind.BOOLEAN:
                return isinstance(value, bool)
            case Kind.OBJECT:
                return isinstance(value, dict)
            case Kind.ARRAY:
                return isinstance(value, list)
            case Kind.OPERAND | Kind.ANY:
                return True


@dataclass(frozen=True, slots=True)
class Prop:
    """A member of `props`. `default` is the editor's, None when it has none; bounds (inclusive) are the vendor's."""

    name: str
    kind: Kind
    required: bool
    default: Json = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def allows(self, value: Json) -> bool:
        """Tell whether a value is of the kind, within the bounds and among the choices."""
        if not self.kind.fits(value) or (self.choices and value not in self.choices):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Pins whose number is the rule's: `stem` and a whole number. The editor starts with `usual` of them, from 0."""

    stem: str
    colour: Colour
    usual: int
    constants: bool = False

    def number(self, pin: str) -> int | None:
        """Return the number in a pin's name; None when it is no such pin."""
        tail = pin.removeprefix(self.stem) if pin.startswith(self.stem) else ""
        return int(tail) if _NUMBER.fullmatch(tail) else None

    def among(self, pins: Mapping[str, object]) -> dict[str, Colour]:
        """Return those of the pins that are such pins, in the order they stand."""
        return {pin: self.colour for pin in pins if self.number(pin) is not None}

    @property
    def names(self) -> tuple[str, ...]:
        """The pins the editor starts with."""
        return tuple(f"{self.stem}{number}" for number in range(self.usual))


@dataclass(frozen=True, slots=True)
class Variant:
    """A use of a type with props of its own, told by what stands in the props."""

    name: str
    has: tuple[str, ...]
    equals: Members
    props: Mapping[str, Prop]
    outputs: Mapping[str, Colour] | None

    def meant(self, props: Members) -> bool:
        """Tell whether these props are of this variant."""
        return all(key in props for key in self.has) and all(
            props.get(key) == value for key, value in self.equals.items()
        )


@dataclass(frozen=True, slots=True)
class NodeType:
    """One type of node. Pins whose number varies are `numbered_*` and not among `inputs` and `outputs`.

    `constants` are the inputs that take true or false in place of a wire; `compares` is set where there is an operator;
    `duration` names the prop (ms) that `cfg.unit` and `cfg.value` repeat for the eye.
    """

    name: str
    group: Group
    inputs: Mapping[str, Colour]
    outputs: Mapping[str, Colour]
    numbered_inputs: Numbered | None
    numbered_outputs: Numbered | None
    constants: frozenset[str]
    props: Mapping[str, Prop]
    variants: tuple[Variant, ...]
    vendor_inputs: tuple[str, ...]
    vendor_outputs: tuple[str, ...]
    compares: Context | None
    duration: str | None

    def title(self, language: Language = "zh") -> str:
        """Return what people call the type."""
        return wording(f"node_types.{self.name}", language)

    @property
    def takes_input(self) -> bool:
        """Whether a wire may end here at all; the others start a rule, or are notes."""
        return bool(self.inputs) or self.numbered_inputs is not None

    def variant(self, props: Members) -> Variant | None:
        """Return the variant that props are of; None when there is none, or they do not say."""
        return next((each for each in self.variants if each.meant(props)), None)

    def takes_constant(self, pin: str) -> bool:
        """Tell whether true or false may stand at an input in place of a wire."""
        numbered = self.numbered_inputs
        return pin in self.constants or bool(numbered and numbered.constants and numbered.number(pin) is not None)


def node_types() -> Mapping[str, NodeType]:
    """Return all types by name, in the order of the editor's groups."""
    return _catalogue().types


def node_type(name: str) -> NodeType | None:
    """Return a type; None when there is none of that name."""
    return _catalogue().types.get(name)


def variant_of(node: Node) -> Variant | None:
    """Return the variant of its type that a node is."""
    kind = node_type(node.type)
    return None if kind is None else kind.variant(node.props)


def props_of(node: Node) -> Mapping[str, Prop]:
    """Return the props a node of its type and variant may have; none when the variant cannot be told."""
    kind = node_type(node.type)
    if kind is None:
        return {}
    variant = kind.variant(node.props)
    return kind.props if variant is None else variant.props


def inputs_of(node: Node) -> Mapping[str, Colour]:
    """Return the pins where wires may end: all of its type, declared or not, and the numbered ones it declares."""
    kind = node_type(node.type)
    if kind is None:
        return {}
    return kind.inputs if kind.numbered_inputs is None else {**kind.inputs, **kind.numbered_inputs.among(node.inputs)}


def outputs_of(node: Node) -> Mapping[str, Colour]:
    """Return the pins where wires may start: all of its type and variant, and the numbered ones it declares."""
    kind = node_type(node.type)
    if kind is None:
        return {}
    variant = kind.variant(node.props)
    fixed = kind.outputs if variant is None or variant.outputs is None else variant.outputs
    return fixed if kind.numbered_outputs is None else {**fixed, **kind.numbered_outputs.among(node.outputs)}


def kinds_of(context: Context) -> tuple[str, ...]:
    """Return the kinds of value that can be compared, as `dtype` or `varType` names them."""
    return tuple(_catalogue().comparisons[context])


def operators(context: Context, kind: str) -> tuple[str, ...]:
    """Return the operators for a kind of value; none for a kind there is not."""
    found = _catalogue().comparisons[context].get(kind)
    return () if found is None else found.operators


def allowed_operators(node: Node) -> tuple[str, ...]:
    """Return the operators a node may use for the kind of value it names; none when it compares nothing.

    The device event of `deviceInput` has its operators in `arguments`; ask `operators("device", …)` for each of those.
    """
    kind = node_type(node.type)
    if kind is None or kind.compares is None or "operator" not in props_of(node):
        return ()
    named = node.props.get("dtype" if kind.compares == "device" else "varType")
    return operators(kind.compares, named) if isinstance(named, str) else ()


def operand(context: Context, kind: str) -> Kind | None:
    """Return what v1 and v2 must be for a kind of value; None for a kind there is not."""
    found = _catalogue().comparisons[context].get(kind)
    return None if found is None else found.operand


def v1_fits(context: Context, kind: str, operator: str, value: Json) -> bool:
    """Tell whether v1 is right: for `include` an array of the kind, else one of the kind (§1.4)."""
    wanted = operand(context, kind)
    if wanted is None:
        return False
    return isinstance(value, list) and all(map(wanted.fits, value)) if operator == _SET else wanted.fits(value)


def v2_fits(context: Context, kind: str, operator: str, value: Json) -> bool:
    """Tell whether v2 is right: only `between` looks at it."""
    wanted = operand(context, kind)
    return operator != _RANGE or (wanted is not None and wanted.fits(value))


def unit_ms(unit: Json) -> int | None:
    """Return the milliseconds of a unit of `cfg.unit` (§1.5), that of old exports too; None for any other value."""
    return _catalogue().units.get(unit) if isinstance(unit, str) else None


@dataclass(frozen=True, slots=True)
class _Comparison:
    operators: tuple[str, ...]
    operand: Kind


@dataclass(frozen=True, slots=True)
class _Catalogue:
    types: Mapping[str, NodeType]
    comparisons: Mapping[str, Mapping[str, _Comparison]]
    units: Mapping[str, int]


@cache
def _catalogue() -> _Catalogue:
    table = tomllib.loads(files("zhixing.graphs").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    return _Catalogue(
        MappingProxyType({name: _node_type(name, given) for name, given in table["types"].items()}),
        {
            context: {
                kind: _Comparison(tuple(given["operators"]), Kind(given["operand"])) for kind, given in kinds.items()
            }
            for context, kinds in table["comparisons"].items()
        },
        {**table["units"], **table["legacy_units"]},
    )


def _node_type(name: str, given: Members) -> NodeType:
    return NodeType(
        name=name,
        group=Group(given["group"]),
        inputs=_colours(given.get("inputs", {})),
        outputs=_colours(given.get("outputs", {})),
        numbered_inputs=_numbered(given.get("numbered_inputs")),
        numbered_outputs=_numbered(given.get("numbered_outputs")),
        constants=frozenset(given.get("constants", ())),
        props=_props(given.get("props", {})),
        variants=tuple(map(_variant, given.get("variants", ()))),
        vendor_inputs=tuple(given.get("vendor_inputs", ())),
        vendor_outputs=tuple(given.get("vendor_outputs", ())),
        compares=given.get("compares"),
        duration=given.get("duration"),
    )


def _variant(given: Members) -> Variant:
    return Variant(
        name=given["name"],
        has=tuple(given.get("has", ())),
        equals=given.get("equals", {}),
        props=_props(given["props"]),
        outputs=_colours(given["outputs"]) if "outputs" in given else None,
    )


def _numbered(given: Members | None) -> Numbered | None:
    if given is None:
        return None
    return Numbered(given["stem"], Colour(given["colour"]), given["usual"], given.get("constants", False))


def _colours(given: Mapping[str, str]) -> Mapping[str, Colour]:
    return MappingProxyType({pin: Colour(colour) for pin, colour in given.items()})


def _props(given: Members) -> Mapping[str, Prop]:
    return MappingProxyType({name: _prop(name, each) for name, each in given.items()})


def _prop(name: str, given: str | Members) -> Prop:
    more: Members = {"kind": given} if isinstance(given, str) else given
    kind = more["kind"]
    return Prop(
        name,
        Kind(kind.removesuffix("?")),
        required=not kind.endswith("?"),
        default=more.get("default"),
        low=more.get("low"),
        high=more.get("high"),
        choices=tuple(more.get("choices", ())),
    )
