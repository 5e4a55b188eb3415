"""From the settings to the bots that reach goals: how each is reached, and what a goal may use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zhixing.goals.bots.profiles import (
    A2aSettings,
    CommandSettings,
    HttpSettings,
    ModelSettings,
    Profile,
    ScriptedSettings,
)
from zhixing.goals.loop.limits import Limits
from zhixing.goals.room import OWNER, GoalTerms
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.settings.bots_file import BotsFile
from zhixing.settings.endpoint import build_model, prices_of
from zhixing.settings.load import Configuration
from zhixing.settings.model import Goals
from zhixing.settings.overlays import overlays_of
from zhixing.world.bots.a2a import A2aBot
from zhixing.world.bots.commanding import CommandBot
from zhixing.world.bots.http import HttpBot
from zhixing.world.bots.modelled import ModelBot
from zhixing.world.bots.port import Bot, Errand, NotSent, Said
from zhixing.world.bots.scripted import Line, ScriptedBot
from zhixing.world.models.port import Model
from zhixing.world.models.usage import Prices, Spent
from zhixing.world.sandbox.port import Sandbox

MOST_KEPT = 1000
"""Bots whose connections are kept ready."""
_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Absent:
    """A bot that cannot be reached as it is set up; `reason` is the word for the log of a goal."""

    reason: str

    def ask(self, _errand: Errand) -> Said:
        """Say that nothing was sent."""
        raise NotSent(self.reason)


@dataclass(frozen=True, slots=True)
class Priced:
    """A model, and what it costs where that is known."""

    model: Model
    prices: Prices | None


class Roads:
    """The way to each bot. What a bot needs and has not got is told when it is asked, and stops nobody else.

    `model_named` returns the model of a name, the empty name being the one that is configured; None where there is
    none. `hidden` are folders that no program of a bot sees.
    """

    def __init__(
        self,
        goals: Goals,
        clock: Clock,
        *,
        model_named: Callable[[str], Priced | None],
        sandbox: Sandbox,
        hidden: tuple[Path, ...] = (),
    ) -> None:
        self._secrets = {name: each.value for name, each in goals.secrets.items()}
        self._clock = clock
        self._model_named = model_named
        self._sandbox = sandbox
        self._hidden = hidden
        self._turn = threading.Lock()
        self._made: dict[Profile, Bot] = {}

    def to(self, profile: Profile) -> Bot:
        """Return how a bot is reached."""
        with self._turn:
            known = self._made.get(profile)
            if known is None:
                if len(self._made) >= MOST_KEPT:
                    self._made.clear()
                known = self._made[profile] = self._road(profile)
            return known

    def _road(self, profile: Profile) -> Bot:
        try:
            return self._to(profile)
        except ZhixingError as error:
            return Absent(error.key)

    def _to(self, profile: Profile) -> Bot:
        match profile.settings:
            case ModelSettings(instructions, name):
                found = self._model_named(name)
                if found is None:
                    return Absent("model_missing")
                return ModelBot(found.model, profile.name, instructions, prices=found.prices)
            case CommandSettings(command, folder, seconds):
                place = Path(folder).expanduser() if folder else None
                return CommandBot(command, self._sandbox, place, seconds=seconds, hidden=self._hidden)
            case HttpSettings(url, secret):
                if secret and secret not in self._secrets:
                    return Absent("secret_missing")
                return HttpBot(url, self._secret(secret), self._clock, name=profile.name)
            case A2aSettings(card, secret):
                if secret and secret not in self._secrets:
                    return Absent("secret_missing")
                return A2aBot(card, self._secret(secret), self._clock, name=profile.name)
            case ScriptedSettings(lines):
                return ScriptedBot([Line(each.reply, each.when) for each in lines])

    def _secret(self, name: str) -> str:
        return self._secrets[name].get_secret_value() if name else ""


def goal_terms_of(
    configuration: Configuration,
    home: Path,
    clock: Clock,
    *,
    on_usage: Callable[[Spent], None],
    sandbox: Sandbox,
    hidden: tuple[Path, ...],
    zone: str,
) -> GoalTerms:
    """Return the terms of a home's goals. Nothing that is wrong with bots or scenarios keeps the home from opening.

    `on_usage` hears what models use. Programs of bots run in `sandbox` and do not see the folders `hidden`. Bots
    live in `zone` unless they say otherwise.
    """
    settings = configuration.settings
    wanted = settings.goals

    def model_named(name: str) -> Priced | None:
        asked = settings.model.model_copy(update={"text": name}) if name else settings.model
        model = build_model(asked, clock, on_usage=on_usage)
        return None if model is None else Priced(model, prices_of(asked))

    file = BotsFile(wanted.bots, home, zone)
    planner = model_named("")
    overlays, fault = overlays_of(wanted.scenario_names)
    return GoalTerms(
        catalog=file.catalog,
        fault=lambda: file.fault() or fault,
        reach=Roads(wanted, clock, model_named=model_named, sandbox=sandbox, hidden=hidden).to,
        fallback=None if planner is None else ModelBot(planner.model, OWNER, prices=planner.prices),
        overlays=overlays,
        backend=wanted.backend or f"http://{_named(settings.server.host)}:{settings.server.port}",
        closing=wanted.closing,
        owner=wanted.owner,
        at_once=wanted.at_once,
        limits=Limits(
            tokens=wanted.tokens,
            cost=wanted.cost,
            wall_clock=None if wanted.hours is None else round(wanted.hours * _HOUR),
        ),
    )


def _named(host: str) -> str:
    """Return an address as it stands in a URL; nobody can be reached at `everywhere`."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - it is only compared
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
