"""The room of goals put together: what the composition root makes once, and what the faces ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine, Share
from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.goals.callbacks.operations import Callbacks
from zhixing.goals.contracts.requesting import Requested
from zhixing.goals.groups.operations import Groups
from zhixing.goals.keeping.room import Keeping
from zhixing.goals.keeping.room import furnish as furnish_keeping
from zhixing.goals.loop.effects import Tell
from zhixing.goals.loop.events import Cancel
from zhixing.goals.loop.limits import Limits
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.reaching.directory import CatalogOf, Reach, works_elsewhere
from zhixing.goals.reaching.room import furnish as furnish_reaching
from zhixing.goals.reaching.runs import talks_reported, turns_counted
from zhixing.goals.recognising.mapping import Asker
from zhixing.goals.running.jobs import job_of
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Ports
from zhixing.goals.running.room import opened
from zhixing.goals.talking.operations import GoalTalks
from zhixing.goals.talking.talk import GoalTalk
from zhixing.goals.talking.watching import Together
from zhixing.goals.tokens.operations import BotTokens
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, ZhixingError
from zhixing.store.connection import Store, Tx
from zhixing.tasks.operations import Tasks
from zhixing.world.bots.port import Bot, Errand, NotSent, Said, Unclear
from zhixing.world.models.port import Model

BACKEND = "http://127.0.0.1:8420"
OWNER = "planner"
"""Who plans where nobody is named: no bot of the catalog, so the configured model."""
NEXT_TASK = "next_task"
"""The news that the next task of a list waits for an answer."""
USER = "home"
"""Whose goals those are that people of the home begin."""


def _nowhere(_profile: Profile) -> Bot:
    raise NotSent("bot_unreachable")


def _nothing() -> ZhixingError | None:
    return None


@dataclass(frozen=True, slots=True)
class GoalTerms:
    """What the owner of a home has set for goals. Without anything there are no bots, and no limits but our own.

    `fallback` answers for owners that are not in the catalog; `fault` says what is wrong with the bots or scenarios as
    they are now; `at_once` bots are waited for at a time, of all goals together; `limits` has budgets for goals that
    set none.
    """

    catalog: CatalogOf = Catalog
    fault: Callable[[], ZhixingError | None] = _nothing
    reach: Reach = _nowhere
    fallback: Bot | None = None
    overlays: Sequence[Overlay] = ()
    backend: str = BACKEND
    closing: str = ""
    owner: str = ""
    at_once: int = 6
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class GoalRoom:
    """The goals of a home, the conversations they begin with, and the bots that do them."""

    goals: Goals
    talks: GoalTalks
    groups: Groups
    keeping: Keeping
    tokens: BotTokens
    callbacks: Callbacks
    terms: GoalTerms

    @property
    def catalog(self) -> Catalog:
        """The bots there are now."""
        return self.terms.catalog()

    @property
    def owner(self) -> str:
        """The bot that plans where a goal names none."""
        return self.terms.owner or OWNER

    def take_up(self) -> None:
        """Go on with everything that is under way, at the start of the program."""
        self.goals.take_up()
        self.groups.take_up()
        self.talks.take_up()
        self.keeping.take_up()


def furnish(
    store: Store,
    engine: Engine,
    clock: Clock,
    *,
    tasks: Tasks,
    delivery: Delivery,
    channels: Collection[str],
    model: Model | None,
    terms: GoalTerms,
    zone: str,
) -> GoalRoom:
    """Put the room together; before the engine starts."""
    bots = Share("bots", terms.at_once)

    # What follows is called when something happens, by when all of it is made.
    def goals_of() -> Goals:
        return goals

    def take_up(profile: Profile, errand: Errand) -> Said:
        bot = terms.reach(profile)
        if works_elsewhere(bot):
            return bot.take_up(errand)
        raise Unclear("interrupted")

    groups = Groups(
        store,
        engine,
        clock,
        catalog=terms.catalog,
        ask=lambda profile, errand: terms.reach(profile).ask(errand),
        ended=talks_reported(goals_of),
        used=turns_counted(goals_of),
        take_up=take_up,
        share=bots,
    )
    reaching = furnish_reaching(
        store,
        engine,
        clock,
        catalog=terms.catalog,
        reach=terms.reach,
        fallback=terms.fallback,
        overlays=terms.overlays,
        groups=groups,
        goals_of=goals_of,
        share=bots,
    )
    keeping = furnish_keeping(
        store,
        engine,
        clock,
        tasks=tasks,
        delivery=delivery,
        cancel=lambda tx, goal_id: goals.happen(tx, goal_id, Cancel()),
        channels=channels,
        zone=zone,
    )
    ports = Ports(reaching.planner, reaching.deliverer, reaching.board, keeping.teller)
    goals = opened(
        store,
        engine,
        clock,
        ports,
        backend=terms.backend,
        closing=terms.closing,
        watcher=Together(lambda: (keeping.watcher, talks)),
        share=bots,
        standing=terms.limits,
    )

    def submit(requested: Requested, key: str) -> str:
        reply = goals.execute(replace(requested.info, key=key), requested.config)
        if reply.status != 200:
            raise Conflict("goal_not_taken", reason=reply.error)
        return str(reply.data["task_id"])

    def offered(tx: Tx, talk: GoalTalk, goal_id: str) -> None:
        told = Tell(goal_id, talk.id, 1, NEXT_TASK, {"title": talk.text})
        engine.enqueue(tx, job_of(told, clock.now()))

    talks = GoalTalks(
        store,
        engine,
        clock,
        model=model,
        submit=submit,
        asker=Asker(USER, terms.owner or OWNER),
        zone=zone,
        offered=offered,
    )
    return GoalRoom(goals, talks, groups, keeping, BotTokens(store, clock), Callbacks(store, clock), terms)
