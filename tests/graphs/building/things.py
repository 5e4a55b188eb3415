"""Devices and members of them, and short ways to run what was built."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.device_cards import device_event, device_output
from zhixing.graphs.building.sketch import Thing
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Finding, Level, Profile
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.result import Result, Written
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.specs.home import Device, Home, Scope, Variable
from zhixing.graphs.specs.meanings import Doing, Happening, Meaning, find_actions, find_events, find_properties
from zhixing.graphs.specs.model import Action, Event, Property
from zhixing.graphs.specs.packaged import samples

RULE = "1764550800001"
MADE = 1764550800000
NOW = datetime(2025, 3, 3, tzinfo=UTC)
START = "2025-03-03T08:00:00+08:00"
"""A Monday."""

LIGHT, OTHER = Thing("light", samples()["light"]), Thing("other", samples()["light"])
BEDSIDE = Thing("bedside", samples()["light_bedside"])
LOCK = Thing("lock", samples()["lock"])
MOTION, SPEAKER = Thing("motion", samples()["motion_sensor"]), Thing("speaker", samples()["speaker"])
CLIMATE, PORCH = Thing("climate", samples()["climate_sensor"]), Thing("porch", samples()["climate_sensor"])
REMOTE, HUB = Thing("remote", samples()["remote_single"]), Thing("hub", samples()["gateway"])
THINGS = (LIGHT, OTHER, BEDSIDE, MOTION, SPEAKER, CLIMATE, PORCH, REMOTE, HUB, LOCK)


def prop(thing: Thing, meaning: Meaning) -> Property:
    return find_properties(thing.spec, meaning)[0]


def event(thing: Thing, happening: Happening) -> Event:
    return find_events(thing.spec, happening)[0]


def action(thing: Thing, doing: Doing) -> Action:
    return find_actions(thing.spec, doing)[0]


ON = prop(LIGHT, Meaning.POWER)
BRIGHTNESS = prop(LIGHT, Meaning.BRIGHTNESS)
MOVES = prop(MOTION, Meaning.MOTION)
HUMIDITY, TEMPERATURE = prop(CLIMATE, Meaning.HUMIDITY), prop(CLIMATE, Meaning.TEMPERATURE)
CLICK, DOUBLE, LONG = (event(REMOTE, each) for each in (Happening.CLICK, Happening.DOUBLE_CLICK, Happening.LONG_PRESS))


def built(builder: Builder) -> Rule:
    return builder.rule("试", MADE)


def home(builder: Builder, things: Iterable[Thing] = THINGS) -> Home:
    """Give a home with the devices, and the variables that the builder needs."""
    scopes: dict[str, dict[str, Variable]] = {"global": {}, builder.scope: {}}
    for each in builder.variables:
        variable = each.variable
        scopes[variable.scope][variable.id] = Variable(variable.scope, variable.id, each.type, each.initial, each.name)
    devices = {
        each.did: Device(each.did, str(each.spec.urn), each.did, "", online=True, pushes=True, usable=True)
        for each in things
    }
    return Home(
        devices,
        {str(each.spec.urn): each.spec for each in things},
        frozenset(),
        {name: Scope(name, each) for name, each in scopes.items()},
    )


def found(builder: Builder, profile: Profile = Profile.STRICT) -> tuple[Finding, ...]:
    """Give what the checks find, errors and warnings and hints."""
    verdict = check(built(builder), profile, home(builder))
    return (*verdict.errors, *verdict.warnings)


def says(at_ms: int, thing: Thing, about: Property, value: Any) -> dict[str, Any]:
    """Make a line: a device reports a property."""
    return {"at_ms": at_ms, "event": {"did": thing.did, "siid": about.siid, "piid": about.piid, "value": value}}


def sends(at_ms: int, thing: Thing, about: Event, **arguments: Any) -> dict[str, Any]:
    """Make a line: a device sends an event; arguments are by `p<piid>`."""
    given = [{"piid": int(name[1:]), "value": value} for name, value in arguments.items()]
    return {"at_ms": at_ms, "event": {"did": thing.did, "siid": about.siid, "eiid": about.eiid, "arguments": given}}


def ran(builder: Builder, *lines: dict[str, Any], **setup: Any) -> Result:
    """Run the rule with its variables at their initial values."""
    variables = {each.variable.key: each.initial for each in builder.variables} | setup.pop("variables", {})
    given = {"start": START, "variables": variables, **setup}
    return simulate(built(builder), read_script("\n".join(map(json.dumps, [{"setup": given}, *lines])), NOW))


def held(result: Result) -> dict[str, float | str]:
    """Give the variables after a run, by id."""
    return {variable.id: value for variable, value in result.variables.items()}


def lit(builder: Builder, source: Outlet, level: int) -> None:
    """Let a pulse show: it sets the brightness of the other light to a level."""
    builder.wire(source, builder.add(device_output(OTHER, BRIGHTNESS, level)).pin())


def levels(result: Result) -> list[tuple[int, object]]:
    """Give when which level showed."""
    written = (each for each in result.outputs if isinstance(each, Written))
    return [(each.at_ms, each.value) for each in written if each.property.did == OTHER.did]


def values(result: Result, thing: Thing) -> list[object]:
    """Give what was written to a device."""
    return [each.value for each in result.outputs if isinstance(each, Written) and each.property.did == thing.did]


def pressed(builder: Builder, about: Event = CLICK) -> Outlet:
    """Give a source: a click of the remote, or another event of it."""
    return builder.add(device_event(REMOTE, about)).out()


def sound(builder: Builder, *expected: str) -> None:
    """Say that the checks find no error, and of warnings only those that are expected; hints do not count."""
    findings = [each for each in found(builder) if each.level is not Level.INFO]
    assert {each.code for each in findings if each.level is Level.ERROR} == set(), [each.text() for each in findings]
    assert {each.code for each in findings} == set(expected)


def at(properties: dict[tuple[Thing, Property], Any]) -> dict[str, dict[str, Any]]:
    """Give what the gateway knows before a run, as a script has it."""
    state: dict[str, dict[str, Any]] = {}
    for (thing, about), value in properties.items():
        state.setdefault(thing.did, {})[f"{about.siid}.{about.piid}"] = value
    return state
