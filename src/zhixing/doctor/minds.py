"""The models of a home: whether one answers, who looks at cameras, and what asking cost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote, urlsplit

from zhixing.doctor.finding import Finding, broken, missing, ok
from zhixing.doctor.ground import OpenStore, is_there
from zhixing.household.watching.deciding import over_today
from zhixing.household.watching.model import Spent
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.settings import HomeZone
from zhixing.settings.endpoint import build_model
from zhixing.settings.model import Model, Settings
from zhixing.settings.vision import giver_of, terms_of, watched_cameras
from zhixing.store.migrations import pending
from zhixing.world.models import counting
from zhixing.world.models.chat import Patience
from zhixing.world.models.failures import ModelFailure
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape
from zhixing.world.models.usage import Tally

_LATELY = 30
"""Days over which the cost of asking models is added up."""
_TINY = Prompt(
    system="你在接受连通检查。",
    parts=(Text('回答 {"ok": true}'),),
    shape=Shape(
        "check",
        {
            "type": "object",
            "properties": {"ok": {"type": "boolean"}},
            "required": ["ok"],
            "additionalProperties": False,
        },
    ),
    max_tokens=1_024,
    seconds=20.0,
)
"""What the model is asked: little, with room for the thoughts that some count in."""


def check_model(model: Model, clock: Clock, question: Prompt = _TINY) -> Iterator[Finding]:
    """Say whether there is a model for what the local rules cannot read, and whether it answers `question`."""
    try:
        asked = build_model(model, clock, patience=Patience(tries=1))
    except BadInput as error:
        yield broken("model", "wrong", error=error)
        return
    if asked is None:
        if model == Model():
            yield missing("model", "none")
        else:
            yield broken("model", "half", absent="model.base_url" if not model.base_url else "model.text")
        return
    try:
        reply = asked.ask(question)
    except ModelFailure as error:
        yield broken("model", "fails", model=model.text, error=error, advice=error.how_to_fix())
        return
    seconds = f"{reply.elapsed.total_seconds():.1f}"
    yield ok("model", model=reply.model, seconds=seconds, read=reply.tokens.read, written=reply.tokens.written)


def check_vision(
    settings: Settings, url: str, open_store: OpenStore, clock: Clock, zone: HomeZone
) -> Iterator[Finding]:
    """Say whether somebody looks at cameras, and whether today's budget lets them. No camera is looked at here."""
    vision, cameras = settings.vision, len(watched_cameras(settings.vision))
    if not cameras:
        yield missing("vision", "none")
        return
    if not (settings.model.is_configured and settings.model.vision):
        yield broken("vision", "blind", cameras=cameras)
        return
    for name, camera in vision.cameras.items():
        try:
            giver_of(name, camera, clock)
        except BadInput as error:
            yield broken("vision", "wrong", camera=name, error=error)
        if camera.folder and not os.access(Path(camera.folder).expanduser(), os.R_OK | os.X_OK):
            yield broken("vision", "folder", camera=name, folder=camera.folder)
    today = _spent_since(url, open_store, clock, zone, days=1, model=settings.model.vision) or counting.total([])
    terms = terms_of(vision)
    why = over_today(terms, Spent(today.calls, today.cost))
    if why is None:
        yield ok("vision", cameras=cameras, calls=today.calls)
    else:
        yield missing("vision", "over", cameras=cameras, calls=today.calls, why=wording(f"vision.{why.value}"))


def check_usage(url: str, open_store: OpenStore, clock: Clock, zone: HomeZone) -> Iterator[Finding]:
    """Say what asking models cost lately, if something did; the one question asked here is not counted."""
    spent = _spent_since(url, open_store, clock, zone, days=_LATELY)
    if spent is not None and spent.calls:
        tokens, cost = spent.tokens, spent.cost / 1_000_000
        priced = "-" if spent.unpriced == spent.calls else f"{cost:.4f}"
        counts = {"calls": spent.calls, "failures": spent.failures, "read": tokens.read, "written": tokens.written}
        yield ok("usage", **counts, cost=priced)


def _spent_since(
    url: str, open_store: OpenStore, clock: Clock, zone: HomeZone, *, days: int, model: str = ""
) -> Tally | None:
    """Return what `model`, or every one, was asked in the last days; None where the database cannot say."""
    if url.startswith("sqlite:") and not is_there(Path(unquote(urlsplit(url).path))):
        return None
    try:
        with closing(open_store(url)) as store:
            if pending(store):
                return None
            with store.read() as tx:
                rows = counting.since(tx, counting.first_day(clock.now(), days, find_zone(zone.name)))
    except ZhixingError:
        return None  # the finding about the database says so
    return counting.total([row for row in rows if model in ("", row[0].model)])
