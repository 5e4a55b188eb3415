"""The room of goals: opened once a process, before its engine starts."""

from __future__ import annotations

from datetime import timedelta

from zhixing.engine.model import Engine, Retry, Share
from zhixing.goals.loop.effects import (
    BidRound,
    Deliver,
    Plan,
    Poll,
    RelayMessage,
    Search,
    StartExternal,
    Tell,
    Wake,
    Withdraw,
)
from zhixing.goals.loop.limits import NO_LIMITS, Limits
from zhixing.goals.running.asking import Asking
from zhixing.goals.running.jobs import name_of
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Ports, Watcher
from zhixing.goals.running.sending import Sending
from zhixing.goals.running.waking import Waking
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store

_ONCE = Retry(attempts=1, factor=2, longest=timedelta(seconds=15))
"""For what the decider itself has tried again, or must not be."""
_PATIENT = Retry(attempts=1000, first=timedelta(seconds=5), factor=2, longest=timedelta(minutes=1))
"""For collecting results: the attempt has an end of its own."""
BOTS = Share("bots", 6)
"""For whatever waits for the words of a bot, which may think for minutes."""
SENDING = Share("goals sending", 4)
"""For what is brought to bots; apart, so that it does not wait behind questions."""
FETCHING = Share("goals fetching", 4)
"""For what is fetched from bots or stopped: a bot that takes its time over an errand holds up no results of others."""


def opened(
    store: Store,
    engine: Engine,
    clock: Clock,
    ports: Ports,
    *,
    backend: str,
    closing: str = "",
    watcher: Watcher | None = None,
    share: Share = BOTS,
    standing: Limits = NO_LIMITS,
) -> Goals:
    """Return the goals of a store, with the handlers of their effects registered.

    `backend` is the address under which bots reach this program; `closing` a last line of the owner bot's prompts;
    `watcher` sees what becomes of goals; the words of bots are waited for in `share`; `standing` has
    budgets of goals that set none.
    `Goals.take_up` is to be called before the engine starts.
    """
    goals = Goals(store, engine, clock, watcher=watcher, standing=standing)
    asking = Asking(goals, ports.planner, ports.board, closing)
    sending = Sending(goals, ports.deliverer, ports.board, clock, backend)
    waking = Waking(goals, ports.teller, clock)
    engine.register(name_of(Plan), asking.plan, _ONCE, asking.plan_failed, share)
    engine.register(name_of(Search), asking.search, _ONCE, asking.search_failed, share)
    engine.register(name_of(BidRound), asking.bid, _ONCE, asking.bid_failed, share)
    engine.register(name_of(Deliver), sending.deliver, _ONCE, sending.deliver_failed, SENDING)
    engine.register(name_of(StartExternal), sending.start, _ONCE, sending.start_failed, SENDING)
    engine.register(name_of(RelayMessage), sending.relay, _ONCE, sending.relay_failed, SENDING)
    engine.register(name_of(Poll), sending.poll, _PATIENT, share=FETCHING)
    engine.register(name_of(Withdraw), sending.withdraw, share=FETCHING)
    engine.register(name_of(Tell), waking.tell)
    engine.register(name_of(Wake), waking.wake, gave_up=waking.wake_failed)
    return goals
