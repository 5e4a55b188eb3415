"""Goals: the file of the bots, who plans, and which bots could not be reached as they are set up. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zhixing.doctor.finding import Finding, broken, missing, ok
from zhixing.goals.bots.profiles import Catalog, CommandSettings
from zhixing.goals.keeping.texts import single_line
from zhixing.goals.room import OWNER
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import section, wording
from zhixing.settings.bots_file import BotsFile
from zhixing.settings.endpoint import build_model
from zhixing.settings.goals import Absent, Priced, Roads
from zhixing.settings.model import Model, Settings
from zhixing.settings.overlays import overlays_of
from zhixing.world.sandbox.bare import Unconfined

MOST_NAMED = 5
"""Bots that are named in a line."""


def check_goals(settings: Settings, home: Path, zone: str, clock: Clock) -> Iterator[Finding]:
    """Say whether goals can be planned and done: what is wrong with bots, scenarios and secrets, and who plans."""
    wanted = settings.goals
    file = BotsFile(wanted.bots, home, zone)
    catalog, unread = file.catalog(), file.fault()
    if unread is not None:
        yield broken("goals", "file", error=unread)
    _, unplayed = overlays_of(wanted.scenario_names)
    if unplayed is not None:
        yield broken("goals", "scenario", error=unplayed)
    if wanted.owner and wanted.owner not in catalog:
        yield broken("goals", "owner", owner=single_line(wanted.owner))
    away = list(_unreachable(settings, catalog, clock))
    if away:
        shown = "、".join(away[:MOST_NAMED]) + ("…" if len(away) > MOST_NAMED else "")
        yield broken("goals", "unreachable", bots=shown)
    if not len(catalog):
        if unread is None:
            yield missing("goals", "none", file=file.path)
        return
    planner = _planner(settings, catalog)
    if planner is None:
        yield missing("goals", "planner", count=len(catalog))
        return
    yield ok("goals", count=len(catalog), relays=sum(each.relay for each in catalog), planner=planner)


def _planner(settings: Settings, catalog: Catalog) -> str | None:
    """Say who plans where a goal names nobody; None for nobody."""
    bot = catalog.find(settings.goals.owner or OWNER)
    if bot is not None:
        return wording("doctor.goals_by_bot", bot=single_line(bot.id))
    return wording("doctor.goals_by_model", model=settings.model.text) if settings.model.is_configured else None


def _unreachable(settings: Settings, catalog: Catalog, clock: Clock) -> Iterator[str]:
    """Name the bots that lack something, and what; nobody is asked whether he answers."""
    roads = Roads(
        settings.goals,
        clock,
        model_named=lambda name: _model(settings.model, name, clock),
        sandbox=Unconfined(clock),
    )
    for each in catalog:
        road, why = roads.to(each), ""
        if isinstance(road, Absent):
            why = section("doctor", "zh").get(f"goals_why_{road.reason}", road.reason)
        elif isinstance(each.settings, CommandSettings) and not _is_folder(each.settings.folder):
            why = wording("doctor.goals_why_folder")
        if why:
            yield wording("doctor.goals_bot", bot=single_line(each.id), why=why)


def _is_folder(named: str) -> bool:
    try:
        return not named or Path(named).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def _model(model: Model, name: str, clock: Clock) -> Priced | None:
    try:
        found = build_model(model.model_copy(update={"text": name}) if name else model, clock)
    except ZhixingError:
        return None  # the finding about the model says so
    return None if found is None else Priced(found, None)
