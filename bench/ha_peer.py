"""One case of bench/rules.py for Home Assistant: its core and its automations in this process, nothing else of it.

    .services/ha-venv/bin/python bench/ha_peer.py arm [--rules 1000] [--events 20000]

Prints one line of JSON. An event is a state that is set; it is done when nothing is left for the loop to do. The loop
is given a batch of events before it is waited for, as ours is; what a single event takes is measured event by event.
Home Assistant keeps nothing on disk here: pending times and what ran are gone with the process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, loader
from homeassistant.config_entries import ConfigEntries
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component

BATCH = 256
"""Events that are set before the loop is waited for, in the figures per second."""

CALLS: list[float] = []
"""When the device was told to do something, in seconds of the performance counter."""


async def home(folder: Path, automations: list[dict[str, Any]]) -> HomeAssistant:
    """Start Home Assistant with nothing but these automations and one device action, `bench.act`."""
    hass = HomeAssistant(str(folder))
    hass.config.skip_pip = True
    hass.config_entries = ConfigEntries(hass, {})
    loader.async_setup(hass)
    await bootstrap.async_load_base_functionality(hass)

    async def act(_call: ServiceCall) -> None:
        CALLS.append(time.perf_counter())

    hass.services.async_register("bench", "act", act)
    if not await async_setup_component(hass, "automation", {"automation": automations}):
        sys.exit("Home Assistant could not set up its automations")
    await hass.async_start()
    await hass.async_block_till_done()
    running = [state for state in hass.states.async_all("automation") if state.state == "on"]
    if len(running) != len(automations):
        sys.exit(f"only {len(running)} of {len(automations)} automations run")
    return hass


def automation(number: int, entity: str, wait: dict[str, int] | None) -> dict[str, Any]:
    trigger = {"platform": "state", "entity_id": entity, "to": "on"} | ({} if wait is None else {"for": wait})
    return {
        "id": f"r{number}",
        "alias": f"r{number}",
        "mode": "parallel",
        "max": 10,
        "trigger": [trigger],
        "action": [{"service": "bench.act"}],
    }


def sensors(rules: int) -> list[str]:
    return [f"binary_sensor.s{number}" for number in range(rules)]


def flips(entities: list[str], events: int) -> list[tuple[str, str]]:
    """Turn every entity on, then every one off, and again."""
    return [(entities[n % len(entities)], "off" if n // len(entities) % 2 else "on") for n in range(events)]


async def rate(hass: HomeAssistant, events: list[tuple[str, str]], batch: int) -> float:
    """Return events per second."""
    began = time.perf_counter()
    for first in range(0, len(events), batch):
        for entity, state in events[first : first + batch]:
            hass.states.async_set(entity, state)
        await hass.async_block_till_done()
    return len(events) / (time.perf_counter() - began)


async def settle(hass: HomeAssistant, entities: list[str]) -> None:
    """Give every entity a state, and let everything run once before it is measured."""
    for state in ("off", "on", "off"):
        for entity in entities:
            hass.states.async_set(entity, state)
        await hass.async_block_till_done()
    CALLS.clear()


async def arm(folder: Path, rules: int, events: int) -> dict[str, float]:
    """Each rule on an entity of its own, on for an hour: every event arms or cancels a timer, none fires."""
    entities = sensors(rules)
    hass = await home(folder, [automation(n, one, {"hours": 1}) for n, one in enumerate(entities)])
    await settle(hass, entities)
    sent = flips(entities, events)
    batched = await rate(hass, sent, BATCH)
    single = await rate(hass, sent, 1)
    await hass.async_stop(force=True)
    if CALLS:
        sys.exit("something fired that should not have")
    return {"batched": batched, "single": single}


async def fire(folder: Path, rules: int, events: int) -> dict[str, float]:
    """Each rule on an entity of its own, at once: every second event runs one. It is late until the device is told."""
    entities = sensors(rules)
    hass = await home(folder, [automation(n, one, None) for n, one in enumerate(entities)])
    await settle(hass, entities)
    sent = flips(entities, events)
    batched = await rate(hass, sent, BATCH)
    fires = len(CALLS)
    if fires != sum(state == "on" for _, state in sent):
        sys.exit(f"{fires} fires are not one for each on")
    late = []
    for entity, state in sent:
        CALLS.clear()
        began = time.perf_counter()
        hass.states.async_set(entity, state)
        await hass.async_block_till_done()
        late.extend(1000 * (at - began) for at in CALLS)
    await hass.async_stop(force=True)
    return {"batched": batched, "fires": batched * fires / len(sent)} | spread(late)


async def one(folder: Path, rules: int, events: int) -> dict[str, float]:
    """All rules on one entity, on for an hour or more, no two alike: every event arms or cancels all of them."""
    entity = sensors(1)
    hass = await home(folder, [automation(n, entity[0], {"seconds": 3600 + n}) for n in range(rules)])
    await settle(hass, entity)
    batched = await rate(hass, flips(entity, events), 1)
    await hass.async_stop(force=True)
    return {"batched": batched}


async def due(folder: Path, rules: int, _events: int) -> dict[str, float]:
    """Each rule on an entity of its own, on for a second, all turned on at once; the last is due a second later."""
    entities = sensors(rules)
    hass = await home(folder, [automation(n, one, {"seconds": 1}) for n, one in enumerate(entities)])
    for entity in entities:
        hass.states.async_set(entity, "off")
    await hass.async_block_till_done()
    last = 0.0
    for entity in entities:
        hass.states.async_set(entity, "on")
        last = time.perf_counter()
    began = time.perf_counter()
    # The loop must have nothing else to do, so nobody tells us of the last one.
    while len(CALLS) < rules and time.perf_counter() - began < 60:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await hass.async_stop(force=True)
    if len(CALLS) != rules:
        sys.exit(f"{len(CALLS)} of {rules} deadlines were acted on")
    return {"last": 1000 * (max(CALLS) - last - 1)}


CASES: dict[str, Callable[[Path, int, int], Awaitable[dict[str, float]]]] = {
    "arm": arm,
    "fire": fire,
    "one": one,
    "due": due,
}


def spread(late: list[float]) -> dict[str, float]:
    ranked = sorted(late)
    return {"p50": ranked[len(ranked) // 2], "p99": ranked[int(len(ranked) * 0.99)], "max": ranked[-1]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("case", choices=CASES)
    options.add_argument("--rules", type=int, default=1_000)
    options.add_argument("--events", type=int, default=20_000)
    chosen = options.parse_args()
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        measured = asyncio.run(CASES[chosen.case](Path(folder), chosen.rules, chosen.events))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(measured | {"version": __version__, "seconds": time.perf_counter() - began, "memory": memory}))


if __name__ == "__main__":
    main()
