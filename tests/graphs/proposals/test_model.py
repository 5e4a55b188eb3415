"""A model reads what the rules are not certain of, behind the scenes; what it says is shown like anything else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.graphs.composing.test_modelling import ACT, FACT, branch

from zhixing.app import build
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.kernel.clock import ManualClock
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.scripted import FunctionModel

TEXT = "客厅热得超过28度了呀，空调你就给我开起来"
READ: dict[str, Any] = {
    "understood": True,
    "branches": [
        branch(
            facts=[{**FACT, "dids": ["climate_living"]}],
            acts=[{**ACT, "dids": ["ac_living"]}],
        )
    ],
}
NOT_READ: dict[str, Any] = {"understood": False, "branches": []}


class Flat:
    """A home with a model that says `line`, or raises it."""

    def __init__(self, store: Store, clock: ManualClock, line: Any) -> None:
        self.line = line
        self.home = VirtualHome(default_home(), StoreKeeper(store, clock))
        model = FunctionModel(lambda _prompt: self.line, clock)
        zone = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
        self.app = build(store, clock, zone, {}, hub=self.home, model=model)


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def test_what_a_model_reads_is_shown_and_saved_like_anything_else(store, clock):
    flat = Flat(store, clock, READ)
    view = flat.app.proposals.say(TEXT, who="test")
    assert view.row.state is ProposalState.PENDING_AI
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).composed is not None
    flat.app.proposals.answer(view.row.id, "A", who="test")
    flat.home.set_property("climate_living", "temperature", 29)
    flat.app.engine.drain()
    assert flat.home.read("ac_living", "prop.2.1").value is True


def test_what_no_model_can_read_ends_with_a_word_about_it(store, clock):
    flat = Flat(store, clock, NOT_READ)
    view = flat.app.proposals.say(TEXT, who="test")
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).row.state is ProposalState.DECLINED


def test_what_a_model_invents_is_not_believed(store, clock):
    invented = branch(facts=[{**FACT, "dids": ["climate_living"], "low": 35}], acts=[{**ACT, "dids": ["ac_living"]}])
    flat = Flat(store, clock, {"understood": True, "branches": [invented]})
    view = flat.app.proposals.say(TEXT, who="test")
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).row.state is ProposalState.DECLINED
    assert flat.app.graphs.entries() == ()


def test_a_model_that_is_away_is_waited_for(store, clock):
    flat = Flat(store, clock, ModelUnavailable(Why.UNREACHABLE, "away"))
    view = flat.app.proposals.say(TEXT, who="test")
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).row.state is ProposalState.PENDING_AI
    flat.line = READ
    clock.advance(timedelta(hours=1))
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).composed is not None


def test_a_sentence_that_waits_is_taken_up_after_a_restart(store, clock):
    flat = Flat(store, clock, READ)
    view = flat.app.proposals.say(TEXT, who="test")
    again = Flat(store, clock, READ)
    again.app.recover()
    again.app.engine.drain()
    assert again.app.proposals.show(view.row.id).composed is not None


def test_one_that_was_dropped_meanwhile_stays_dropped(store, clock):
    flat = Flat(store, clock, READ)
    view = flat.app.proposals.say(TEXT, who="test")
    flat.app.proposals.cancel(view.row.id)
    flat.app.engine.drain()
    assert flat.app.proposals.show(view.row.id).row.state is ProposalState.DROPPED
