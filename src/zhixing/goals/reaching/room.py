"""The ports of goals where there are bots: furnished once a process, before its engine starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from zhixing.engine.model import Engine, Retry, Share
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.reaching.boarding import ReachingBoard
from zhixing.goals.reaching.delivering import ReachingDeliverer
from zhixing.goals.reaching.directory import CatalogOf, Directory, Reach
from zhixing.goals.reaching.grouping import Groups
from zhixing.goals.reaching.planning import ReachingPlanner
from zhixing.goals.reaching.relays import RELAY, Relays
from zhixing.goals.reaching.runs import RUN, Runs
from zhixing.goals.reaching.speaking import Speaking
from zhixing.goals.running.operations import Goals
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store
from zhixing.world.bots.port import Bot

WORKING = Share("goals working", 4)
"""For bots that only answer: an answer may take many minutes."""
_AGAIN = Retry(attempts=5, first=timedelta(seconds=1), factor=2, longest=timedelta(seconds=15))
"""For a store that is away; what the bot does wrong is a result."""


@dataclass(frozen=True, slots=True)
class Reaching:
    """What goals reach bots by."""

    planner: ReachingPlanner
    deliverer: ReachingDeliverer
    board: ReachingBoard
    directory: Directory


def furnish(
    store: Store,
    engine: Engine,
    clock: Clock,
    *,
    catalog: CatalogOf,
    reach: Reach,
    fallback: Bot | None,
    overlays: Sequence[Overlay],
    groups: Groups,
    goals_of: Callable[[], Goals],
    share: Share = WORKING,
) -> Reaching:
    """Return the ports, with the handlers of their jobs registered.

    `fallback` answers the questions to owners that are not in the catalog. `goals_of` is called when something
    happens, by when the room of goals is open. Answers are waited for in `share`.
    """
    directory = Directory(catalog, reach, fallback)
    speaking = Speaking(directory, overlays)
    runs = Runs(engine, clock, directory, speaking, goals_of)
    relays = Relays(engine, clock, runs, goals_of)
    engine.register(RUN, runs.do, _AGAIN, runs.gave_up, share)
    engine.register(RELAY, relays.do, _AGAIN, relays.gave_up, share)
    return Reaching(
        ReachingPlanner(store, clock, directory, overlays=overlays, groups=groups, goals_of=goals_of),
        ReachingDeliverer(store, directory, runs, groups, goals_of),
        ReachingBoard(store, clock, directory, speaking=speaking, relay_jobs=relays, goals_of=goals_of),
        directory,
    )
