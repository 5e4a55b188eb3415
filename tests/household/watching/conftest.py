"""A house whose cameras are looked at, with a model that judges over real connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.household.conftest import House
from tests.household.watching import eyes
from tests.household.watching.eyes import Network

from zhixing.household.watching.model import Terms
from zhixing.household.watching.poller import Poller
from zhixing.household.watching.spending import Spending
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.hearing import Heard
from zhixing.tasks.rules.model import Plan, Response, Rule, Trigger
from zhixing.tasks.rules.operations import MOST_RULES
from zhixing.tasks.rules.watch import Kept
from zhixing.tasks.task import Way
from zhixing.world.models import counting
from zhixing.world.models.chat import ChatModel, Patience
from zhixing.world.models.counting import Counting
from zhixing.world.models.usage import Prices, Tally
from zhixing.world.vision.cameras import ByCamera
from zhixing.world.vision.urls import UrlSnapshots

LIVING, HALL, STUDY = "cam_living", "cam_entrance", "cam_study"
SHANGHAI = zone("Asia/Shanghai")


class Watched:
    """The house, the network around it, and the poller between them. Time passes from one look to the next."""

    def __init__(self, house: House, network: Network, clock: ManualClock, **terms: Any) -> None:
        self.house = house
        self.network = network
        self.clock = clock
        self.counting = Counting(house.store, SHANGHAI)
        self.poller = self.poll(**terms)
        self._rules = 0
        with house.store.write() as tx:
            task = house.tasks.create(tx, title="看家", way=Way.HOUSEHOLD, zone_name="Asia/Shanghai", who="小明")
        self._task = task.id

    def poll(
        self,
        *,
        cameras: tuple[str, ...] = (LIVING,),
        snapshots: Any = None,
        model: Any = None,
        hub: Any = None,
        clock: Any = None,
        seconds: float = 30.0,
        at_once: int = 1,
        **terms: Any,
    ) -> Poller:
        """Make a poller, as after a start of the program."""
        self.poller = Poller(
            self.house.store,
            clock or self.clock,
            self.house.rules,
            hub or self.house.hub,
            cameras=cameras,
            snapshots=snapshots
            or ByCamera({did: UrlSnapshots(did, self.network.camera(did), self.clock) for did in cameras}),
            model=model or self.model(),
            terms=Terms(**terms),
            spent=Spending(self.house.store, self.clock, SHANGHAI, "eyes"),
            seconds=seconds,
            at_once=at_once,
        )
        return self.poller

    def model(self, **more: Any) -> ChatModel:
        return ChatModel(
            self.network.model,
            "words",
            self.clock,
            vision="eyes",
            on_usage=self.counting,
            patience=Patience(tries=1),
            **more,
        )

    def rule(self, query: str, *sources: str, **more: Any) -> Rule:
        """Add a rule that watches for `query` in the living room, unless other sources are named."""
        self._rules += 1
        trigger = Trigger(query, () if sources == ("everywhere",) else sources or (LIVING,), **more)
        with self.house.store.write() as tx:
            plan = Plan(f"规则{self._rules}", trigger, on_enter=Response(descs=("说一声",)))
            return self.house.rules.create(tx, self._task, plan, who="小明")

    def look(self) -> int:
        """Look at what is due."""
        looked = self.poller.drain()
        self.house.engine.drain()
        return looked

    def passes(self, seconds: float) -> None:
        """Let time pass as it does for a program that runs."""
        end = self.clock.monotonic() + seconds
        self.look()
        while (now := self.clock.monotonic()) < end:
            step = min(max(self.poller.due_in(), 0.1), 5.0, end - now)
            self.clock.advance(timedelta(seconds=step))
            self.look()

    def rules(self, queries: Sequence[str]) -> None:
        """Add a rule for each of many conditions in the living room."""
        with self.house.store.write() as tx:
            for first in range(0, len(queries), MOST_RULES):
                task = self.house.tasks.create(tx, title="多", way=Way.HOUSEHOLD, zone_name="Asia/Shanghai", who="小明")
                for query in queries[first : first + MOST_RULES]:
                    plan = Plan(query, Trigger(query, (LIVING,)), on_enter=Response(descs=("说一声",)))
                    self.house.rules.create(tx, task.id, plan, who="小明")

    def disable(self, rule: Rule) -> None:
        with self.house.store.write() as tx:
            self.house.rules.disable(tx, rule.id, who="小明")

    def sure(self, query: str) -> bool:
        """Return whether what is known waits for no second opinion."""
        heard = self._heard(query, LIVING)
        return heard is not None and heard.true_from is None and heard.doubted is None

    def known(self, query: str, camera: str = LIVING) -> str:
        """Return what the rules know of a condition from a camera."""
        heard = self._heard(query, camera)
        if heard is None or heard.unknown_since is not None or heard.known is None:
            return "unknown"
        return "true" if heard.known else "false"

    def _heard(self, query: str, camera: str) -> Heard | None:
        with self.house.store.read() as tx:
            conditions, _ = rules.living(tx)
        return next(kept.heard.get(camera) for _, condition, kept in conditions if condition.query == query)

    price = Prices(Decimal(1), Decimal(1))

    def spent(self) -> Tally:
        """Return what the model was asked, and what that cost."""
        with self.house.store.read() as tx:
            return counting.total(counting.since(tx, self.clock.now().date() - timedelta(days=2)))

    def kept(self, tx: Tx) -> list[Kept]:
        """Return what is kept of conditions."""
        return [kept for _, _, kept in rules.living(tx)[0]]

    def at_midnight(self) -> timedelta:
        """Return how long it is until the next day begins in the home."""
        here = self.clock.now().astimezone(SHANGHAI)
        return timedelta(days=1) - timedelta(hours=here.hour, minutes=here.minute, seconds=here.second)

    @staticmethod
    def hours(number: int) -> timedelta:
        return timedelta(hours=number)

    @staticmethod
    def seconds(number: int) -> timedelta:
        return timedelta(seconds=number)

    @property
    def fired(self) -> list[str]:
        """What fired, in order: the clock time and the rule."""
        return [" ".join(line.split()[1:3]) for line in self.house.did]


@pytest.fixture(params=["sqlite"])
def dialect(request: pytest.FixtureRequest) -> str:
    """Watching has no tables of its own: what reads one is tested on both databases by name."""
    return request.param


@pytest.fixture
def network() -> Iterator[Network]:
    with eyes.running() as network:
        network.shows = {LIVING: eyes.png(10), HALL: eyes.png(20), STUDY: eyes.png(30)}
        yield network


@pytest.fixture
def watched(steady_house: House, network: Network, clock: ManualClock) -> Callable[..., Watched]:
    """Give the house with its poller; terms as of `Terms`."""
    return lambda **terms: Watched(steady_house, network, clock, **terms)
