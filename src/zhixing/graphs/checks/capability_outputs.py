"""What a card does to a device: properties that are written and actions with their inputs (§3.4, §3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zhixing.graphs.checks.capability_values import PROPS, Said, Way, check_dtype, check_literal, check_range
from zhixing.graphs.checks.capability_words import allowed, named, number_of, quoted, several
from zhixing.graphs.checks.devices import Card
from zhixing.graphs.checks.finding import Finding, Fix
from zhixing.graphs.rule import Json, Members, is_number
from zhixing.graphs.specs.model import Action, Dtype, Format, Property
from zhixing.graphs.specs.ranges import Range, exact, plain

REFERENCE = ("scope", "id", "dtype")
"""What makes a variable stand in the place of a value."""


def check_action(card: Card) -> Iterator[Finding]:
    """Check an action and its inputs, which the device takes by their place and not by their number."""
    props = card.node.props
    if not is_number(props.get("siid")) or not is_number(props.get("aiid")):
        yield card.finding("missing_action", member=card.member("aiid"))
        return
    siid, aiid = number_of(props.get("siid")), number_of(props.get("aiid"))
    action = None if siid is None or aiid is None else card.spec.action(siid, aiid)
    if action is None:
        known = several(each for service in card.spec.services for each in service.actions)
        yield card.finding("unknown_action", member=card.member("aiid"), known=known)
        return
    given = props.get("ins")
    inputs = given if isinstance(given, list) else []
    yield from _check_inputs(card, action, inputs)
    for place, each in enumerate(inputs):
        piid = number_of(each.get("piid")) if isinstance(each, dict) else None
        prop = card.property(piid) if piid in action.takes else None
        if prop is not None:
            yield from check_range(card, prop)
            yield from check_given(card, prop, each, "action_input_type", (*PROPS, "ins", str(place)))


def check_given(card: Card, prop: Property, given: Members, code: str, where: Way) -> Iterator[Finding]:
    """Check a literal, or a variable in its place; `code` is what a wrong dtype of that is called here."""
    if "value" in given:
        yield from check_literal(card, prop, given["value"], where)
        return
    missing = [each for each in REFERENCE if not isinstance(given.get(each), str) or not given[each]]
    if len(missing) == len(REFERENCE):
        return
    if missing:
        yield card.finding("incomplete_variable_reference", property=named(prop), missing=", ".join(missing))
    elif prop.choices or prop.format is Format.BOOL:
        yield card.finding("dynamic_bool_or_enum", property=named(prop))
    elif prop.slot_dtype is not None and given["dtype"] != prop.slot_dtype.value:
        yield from check_dtype(card, prop, given["dtype"], prop.slot_dtype, code, where=where)
    elif prop.slot_dtype is Dtype.NUMBER:
        yield from _check_dynamic(card, prop, given, where)


def _check_dynamic(card: Card, prop: Property, given: Members, where: Way) -> Iterator[Finding]:
    """Check min, max and step that a number variable is held to; the gateway takes them from the card."""
    if prop.range is None:
        yield card.finding("dynamic_no_range", property=named(prop))
    elif prop.range.usable and not prop.range.same_as(given.get("min"), given.get("max"), given.get("step")):
        fixes = tuple(Fix((*where, name), number) for name, number in _members(prop.range).items())
        yield card.finding("range_mismatch", fixes=fixes, property=named(prop), allowed=allowed(prop.range))


def _members(span: Range) -> Mapping[str, int | float]:
    """Return a usable range as a card says it."""
    step = exact(span.step)
    return {"min": plain(span.low), "max": plain(span.high), "step": 0 if step is None else plain(step)}


def _check_inputs(card: Card, action: Action, inputs: Sequence[Json]) -> Iterator[Finding]:
    """Check which inputs there are, and their order."""
    said: Said = {"member": named(action)}
    found: dict[int, Json] = {}
    for each in inputs:
        if not isinstance(each, dict):
            yield card.finding("invalid_action_input", **said, value=quoted(each))
            continue
        piid = number_of(each.get("piid"))
        if piid is None or piid not in action.takes:
            yield card.finding("unknown_action_input", **said, piid=quoted(each.get("piid")))
        elif piid in found:
            yield card.finding("action_input_duplicate", **said, piid=piid)
        else:
            found[piid] = each
    for piid in action.takes:
        if piid not in found:
            yield card.finding("missing_action_input", **said, piid=_input(card, piid))
    right = [piid for piid in action.takes if piid in found]
    if list(found) != right:
        whole = len(inputs) == len(found) == len(action.takes)
        fixes = (Fix((*PROPS, "ins"), [found[piid] for piid in right]),) if whole else ()
        yield card.finding("action_input_order", fixes=fixes, **said, order=", ".join(map(str, action.takes)))


def _input(card: Card, piid: int) -> str:
    prop = card.property(piid)
    return str(piid) if prop is None else named(prop)
