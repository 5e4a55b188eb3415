"""From a home to an application that can be served."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

from fastapi import APIRouter, FastAPI, Security
from fastapi.security import HTTPBearer

from zhixing.app import App
from zhixing.faces.http import calendar, refusals
from zhixing.faces.http.api import (
    automation,
    chats,
    documents,
    drafts,
    goal_callbacks,
    goal_relay,
    goal_steering,
    goal_talks,
    goals,
    graph_drafts,
    graph_explaining,
    graph_hub,
    graph_tasks,
    graphs,
    household,
    perception,
    pictures,
    proposals,
    reading,
    shapes,
    talks,
    tasks,
    telling,
)
from zhixing.faces.http.api import home as home_api
from zhixing.faces.http.api.goal_envelope import PREFIX, GoalAnswer
from zhixing.faces.http.door import Door
from zhixing.faces.http.feed import Feed
from zhixing.faces.http.home import Home
from zhixing.faces.http.run_feed import RunFeed
from zhixing.faces.web.bundle import Bundle, shipped
from zhixing.faces.web.front import Front
from zhixing.faces.web.pages import BESIDE, PAGES, PLACES
from zhixing.faces.web.password import Password
from zhixing.faces.web.sessions import Sessions
from zhixing.faces.web.settings.ground import Ground
from zhixing.settings import Limits, calendar_token, is_loopback


def create_app(
    app: App,
    token: str,
    *,
    limits: Limits | None = None,
    host: str = "127.0.0.1",
    password: Password | None = None,
    bundle: Bundle | None = None,
    ground: Ground | None = None,
) -> FastAPI:
    """Make the HTTP face of a home, with its pages.

    `token` opens the API and the pages, and what `calendar_token` makes of it the calendar feed. `host` is the address
    it will be served on: on loopback, requests that came under another name are refused. `password` opens the pages,
    too; without it one that is set lasts as long as the program. `bundle` are the scripts of the pages, by default
    those that `make web` built. `ground` is where the settings of the home are, which the pages show and change.
    """
    limits = limits or Limits()
    feed, run_feed = Feed(app.store, app.clock), RunFeed(app.documents, app.clock)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        feed.close()
        run_feed.close()

    api = FastAPI(
        title="知行",
        version=metadata.version("zhixing"),
        summary="Say what should happen later; it becomes a durable task.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    api.state.home = Home(app, limits)
    api.state.feed = feed
    api.state.run_feed = run_feed
    sessions = Sessions(token, app.clock, password)
    api.state.front = Front(sessions, shipped() if bundle is None else bundle, PLACES, ground)
    api.state.calendar = calendar_token(token)
    api.add_middleware(
        Door,
        token=token,
        bot_of=app.goals.tokens.who,
        body_bytes=limits.body_bytes,
        loopback_only=is_loopback(host),
    )
    refusals.install(api)
    bearer = HTTPBearer(auto_error=False, description="The token in the file `token` of the home folder.")
    faults: dict[int | str, dict[str, object]] = {"default": {"model": shapes.Fault, "description": "It was not done."}}
    root = APIRouter(prefix="/api/v1", dependencies=[Security(bearer)], responses=faults)
    parts = (tasks, talks, drafts, pictures, telling, reading, household, automation, documents, chats, home_api)
    # What stands behind /graphs by name is asked for before the ids of rules.
    for part in (*parts, perception, graph_hub, graph_explaining, graph_drafts, proposals, graph_tasks, graphs):
        root.include_router(part.router)
    root.include_router(goal_talks.router)
    api.include_router(root)
    answers: dict[int | str, dict[str, object]] = {"default": {"model": GoalAnswer, "description": "It was not done."}}
    collaboration = APIRouter(prefix=PREFIX, dependencies=[Security(bearer)], responses=answers)
    for part in (goals, goal_steering, goal_callbacks, goal_relay):
        collaboration.include_router(part.router)
    api.include_router(collaboration)
    api.include_router(calendar.router)
    for page in PAGES:
        api.include_router(page.module.router)
    for beside in BESIDE:
        api.include_router(beside.router)
    return api
