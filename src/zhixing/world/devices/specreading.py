"""Reading a specification written as YAML tables: those of `kinds.yaml`, and the `spec` of a device in a home's YAML.

```yaml
category: light
services:
  - siid: 2
    name: light
    properties:
      - {piid: 1, name: on, format: bool, access: rwn, initial: true}
      - {piid: 2, name: brightness, format: uint8, access: rwn, range: [1, 100, 1], unit: "%"}
      - {piid: 3, name: bright, format: bool, access: r, mirrors: brightness, as: {false: 1, true: 100}, says: 亮不亮}
    actions:
      - {aiid: 1, name: toggle, flips: on}
      - {aiid: 2, name: play, in: [], sets: {brightness: 100}}
    events:
      - {eiid: 1, name: click, arguments: []}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zhixing.kernel.errors import BadInput
from zhixing.world.devices.fields import Fields, one_line, whole
from zhixing.world.devices.names import fault_text, misfit, quoted, settled
from zhixing.world.devices.port import ActionSpec, Level, PropertySpec
from zhixing.world.devices.specs import FORMATS, Action, Event, Kind, Mirror, Property, Service
from zhixing.world.devices.yamltext import Leaf, Node, Table

_ACCESS = ("", "n", "r", "rn", "w", "wn", "rw", "rwn")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MOST_SERVICES, _MOST_MEMBERS, _MOST_CHOICES, _HIGHEST = 32, 64, 64, 65_535


def read_kind(node: Node) -> Kind:
    """Read a specification; raises `BadInput` with the line of the first thing wrong."""
    fields = Fields(node, "spec", ("category", "title", "model", "urn", "services"))
    category = _name(fields.leaf("category"), "category")
    services = tuple(_service(each) for each in fields.items("services", _MOST_SERVICES))
    if not services:
        raise BadInput("homeplan_key_missing", line=fields.line, name="services")
    _once([(service.number, fields.line) for service in services], "siid")
    return Kind(
        category=category,
        title=fields.text("title", 64, category),
        model=fields.text("model", 64, f"zhixing.{category}.v1"),
        urn=fields.text("urn", 128, f"urn:miot-spec-v2:device:{category}:00000000:zhixing-v1:1"),
        services=services,
    )


def _service(node: Node) -> Service:
    fields = Fields(node, "services", ("siid", "name", "properties", "actions", "events"))
    number = fields.whole("siid", 1, _HIGHEST)
    rows = fields.items("properties", _MOST_MEMBERS)
    properties = tuple(_property(each, number) for each in rows)
    _once([(each.number, row.line) for each, row in zip(properties, rows, strict=True)], "piid")
    _once([(each.spec.name, row.line) for each, row in zip(properties, rows, strict=True)], "name")
    service = Service(number, _name(fields.leaf("name"), "name"), properties, (), ())
    for each, row in zip(properties, rows, strict=True):
        _check_mirror(service, each, row.line)
    rows = fields.items("actions", _MOST_MEMBERS)
    actions = tuple(_action(each, service) for each in rows)
    _once([(each.number, row.line) for each, row in zip(actions, rows, strict=True)], "aiid")
    rows = fields.items("events", _MOST_MEMBERS)
    events = tuple(_event(each, service) for each in rows)
    _once([(each.number, row.line) for each, row in zip(events, rows, strict=True)], "eiid")
    return Service(number, service.name, properties, actions, events)


def _property(node: Node, siid: int) -> Property:
    known = ("piid", "name", "format", "access", "range", "choices", "unit", "initial", "mirrors", "as", "says")
    fields = Fields(node, "properties", known)
    number = fields.whole("piid", 1, _HIGHEST)
    wire = fields.choice("format", FORMATS)
    access = fields.choice("access", _ACCESS, "")
    low, high, step = _range(fields, wire)
    choices = _choices(fields)
    spec = PropertySpec(
        iid=f"prop.{siid}.{number}",
        name=_name(fields.leaf("name"), "name"),
        format=FORMATS[wire],
        readable="r" in access,
        # An argument is written by whoever calls the action.
        writable="w" in access or "r" not in access,
        low=low,
        high=high,
        step=step,
        choices=choices,
        unit=fields.text("unit", 16, ""),
    )
    initial = read_value(fields.leaf("initial"), spec) if fields.has("initial") else _first(spec)
    return Property(number, spec, wire, access, initial, _mirror(fields, spec), fields.text("says", 64, ""))


def _range(fields: Fields, wire: str) -> tuple[float | None, float | None, float | None]:
    if not fields.has("range"):
        return (None, None, None)
    rows = fields.items("range", 3)
    values = [row.scalar() for row in rows if isinstance(row, Leaf)]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    whole_only = FORMATS[wire] == "int" and any(isinstance(value, float) for value in numbers)
    if FORMATS[wire] not in {"int", "float"} or len(numbers) != 3 or whole_only:
        raise BadInput("homeplan_range", line=fields.node("range").line)
    low, high, step = numbers
    if low >= high or not 0 < step <= high - low:
        raise BadInput("homeplan_range", line=fields.node("range").line)
    return (low, high, step)


def _choices(fields: Fields) -> tuple[tuple[int, str], ...]:
    if not fields.has("choices"):
        return ()
    table = fields.node("choices")
    if not isinstance(table, Table) or not 0 < len(table.nodes) <= _MOST_CHOICES:
        raise BadInput("homeplan_choices", line=table.line, limit=_MOST_CHOICES)
    found = []
    for key, node in table.nodes.items():
        if not isinstance(node, Leaf):
            raise BadInput("homeplan_choices", line=node.line, limit=_MOST_CHOICES)
        number = whole(Leaf(table.lines[key], key, plain=True), "choices", -_HIGHEST, _HIGHEST)
        found.append((number, one_line(node, "choices", 64)))
    return tuple(found)


def _mirror(fields: Fields, spec: PropertySpec) -> Mirror | None:
    if not fields.has("mirrors"):
        return None
    other = _name(fields.leaf("mirrors"), "mirrors")
    if not fields.has("as"):
        return Mirror(other)
    table = fields.node("as")
    if not isinstance(table, Table):
        raise BadInput("homeplan_not_table", line=table.line, name="as")
    pairs = []
    for key, node in table.nodes.items():
        if not isinstance(node, Leaf):
            raise BadInput("homeplan_not_single", line=node.line, name="as")
        theirs = node.scalar()
        if theirs is None:
            raise BadInput("homeplan_not_single", line=node.line, name="as")
        pairs.append((read_value(Leaf(table.lines[key], key, plain=True), spec), theirs))
    return Mirror(other, tuple(pairs))


def _check_mirror(service: Service, prop: Property, line: int) -> None:
    if prop.mirror is None:
        return
    other = service.find(prop.mirror.of)
    if other is None or other.mirror is not None:
        raise BadInput("homeplan_mirror", line=line, name=prop.mirror.of)
    if any(misfit(other.spec, theirs) for _, theirs in prop.mirror.values):
        raise BadInput("homeplan_mirror", line=line, name=prop.mirror.of)


def _action(node: Node, service: Service) -> Action:
    fields = Fields(node, "actions", ("aiid", "name", "in", "sets", "flips"))
    number = fields.whole("aiid", 1, _HIGHEST)
    arguments = tuple(each.spec for each in _arguments(fields, "in", service))
    spec = ActionSpec(f"action.{service.number}.{number}", _name(fields.leaf("name"), "name"), arguments)
    sets = []
    if fields.has("sets"):
        table = fields.node("sets")
        if not isinstance(table, Table):
            raise BadInput("homeplan_not_table", line=table.line, name="sets")
        for key, value in table.nodes.items():
            if not isinstance(value, Leaf):
                raise BadInput("homeplan_not_single", line=value.line, name="sets")
            sets.append((key, read_value(value, _sibling(service, key, value.line).spec)))
    flips: tuple[str, ...] = ()
    if fields.has("flips"):
        leaf = fields.leaf("flips")
        if _sibling(service, leaf.text, leaf.line).spec.format != "bool":
            raise BadInput("homeplan_mirror", line=leaf.line, name=quoted(leaf.text))
        flips = (leaf.text,)
    return Action(number, spec, tuple(sets), flips)


def _event(node: Node, service: Service) -> Event:
    fields = Fields(node, "events", ("eiid", "name", "arguments"))
    number = fields.whole("eiid", 1, _HIGHEST)
    arguments = tuple(each.number for each in _arguments(fields, "arguments", service))
    return Event(number, f"event.{service.number}.{number}", _name(fields.leaf("name"), "name"), arguments)


def _arguments(fields: Fields, name: str, service: Service) -> list[Property]:
    found = []
    for row in fields.items(name, 16):
        if not isinstance(row, Leaf):
            raise BadInput("homeplan_not_single", line=row.line, name=name)
        number = whole(row, name, 1, _HIGHEST)
        prop = next((each for each in service.properties if each.number == number), None)
        if prop is None:
            raise BadInput("homeplan_mirror", line=row.line, name=number)
        found.append(prop)
    return found


def _sibling(service: Service, name: str, line: int) -> Property:
    found = service.find(name)
    if found is None:
        raise BadInput("homeplan_mirror", line=line, name=quoted(name))
    return found


def read_value(leaf: Leaf, spec: PropertySpec) -> Level:
    """Read a value of a property, which must fit it."""
    value = leaf.text if spec.format == "string" else leaf.scalar()
    fault = ("wrong_type", spec.format) if value is None else misfit(spec, value)
    if value is None or fault is not None:
        problem = fault_text(*(fault or ("", "")))
        raise BadInput("homeplan_level", line=leaf.line, name=spec.name, problem=problem)
    return settled(spec, value)


def _first(spec: PropertySpec) -> Level:
    if spec.choices:
        return spec.choices[0][0]
    match spec.format:
        case "bool":
            return False
        case "string":
            return ""
        case "float":
            return float(spec.low or 0.0)
        case _:
            return int(spec.low or 0)


def _name(leaf: Leaf, name: str) -> str:
    if len(leaf.text) > 64 or _NAME.fullmatch(leaf.text) is None:
        raise BadInput("homeplan_name", line=leaf.line, name=name)
    return leaf.text


def _once(members: Iterable[tuple[object, int]], name: str) -> None:
    seen = set()
    for value, line in members:
        if value in seen:
            raise BadInput("homeplan_twice", line=line, name=name, value=value)
        seen.add(value)
