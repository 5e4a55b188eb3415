"""A power cut at any write of the virtual gateway: nothing that happened is lost, and nothing is counted twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from tests.graphs.simulating.small import node
from tests.graphs.virtual.test_gateway import Flat, counts, is_on, light, pressed

from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store, Tx
from zhixing.world.hub.port import Method

CLICKS = 25


class PowerCut(BaseException):
    """The process ends here."""


class Breaking:
    """A store during whose writes the power may fail: before they are durable, or right after."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self._store = store
        self._chance = chance

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        fate = self._chance.random()
        with self._store.write() as tx:
            yield tx
            if fate < 0.1:
                raise PowerCut
        if fate > 0.9:
            raise PowerCut


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_click_and_move_is_counted_once_and_the_lamp_obeys_however_often_the_power_fails(store, clock, seed):
    chance = random.Random(seed)
    calm = Flat(store, clock)
    for name in ("n", "moves"):
        calm.call(Method.CREATE_VARIABLE, scope="global", id=name, type="number", value=0, userData={"name": name})
    calm.put(is_on("motion", "count.input"), counts(variable="moves"), name="1764000000002")
    calm.put(
        pressed("count.input wait.input"),
        counts(),
        node("wait", "delay", {"timeout": 3000}, output="out.trigger"),
        light(),
    )
    for _ in range(CLICKS):
        calm.home.emit("button", "click")
        for value in (False, True, False, True):
            calm.home.set_property("motion", "prop.2.1", value)
        run_until_done(store, clock, chance)
        clock.advance(timedelta(seconds=1))
    after = Flat(store, clock)
    after.gateway.take_up()
    after.later(10)
    assert (after.variable("n"), after.variable("moves")) == (CLICKS, 2 * CLICKS)
    assert after.value("lamp", "prop.2.1") is True


def run_until_done(store: Store, clock: ManualClock, chance: random.Random) -> None:
    """Start the program again and again until it has nothing left to do."""
    for _ in range(200):
        flat = Flat(Breaking(store, chance), clock)
        with suppress(PowerCut):
            flat.gateway.take_up()
            flat.engine.drain()
            return
        # the lease of the process that died has to end before another takes its job
        clock.advance(timedelta(seconds=10))
    pytest.fail("it never came to an end")
