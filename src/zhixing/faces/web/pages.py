"""The pages there are, in the order of the navigation: a line here and a module of its own make a page.

A module has `router`, on which its address and its forms stand; forms belong to an `APIRouter` that depends on
`desk.own_form`. Its pages are `desk.show("name/page.html", …)` over `base.html`, with every text in the catalogue
section `web`, or one of their own, in both languages. What is no place to go to is under `BESIDE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from zhixing.faces.web import design, entrance, giving, live
from zhixing.faces.web.front import Place
from zhixing.faces.web.goals import routes as goals
from zhixing.faces.web.graphs import routes as graphs
from zhixing.faces.web.home import routes as home
from zhixing.faces.web.runs import routes as runs
from zhixing.faces.web.settings import routes as settings
from zhixing.faces.web.tasks import routes as tasks
from zhixing.faces.web.today import routes as today


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the key of its title in the catalogue, its address, and the module with its `router`."""

    title: str
    address: str
    module: ModuleType


PAGES = (
    Page("web.nav_today", "/", today),
    Page("web.nav_tasks", "/tasks", tasks),
    Page("web.nav_home", "/home", home),
    Page("web.nav_graphs", "/graphs", graphs),
    Page("web.nav_goals", "/goals", goals),
    Page("web.nav_runs", "/runs", runs),
    Page("web.nav_settings", "/settings", settings),
)
"""今天 · 任务 · 家 · 规则图 · 目标 · 运行 · 设置: of these, the ones that exist."""

BESIDE: tuple[ModuleType, ...] = (entrance, giving, live, design)
"""Modules with a `router` that the navigation does not name."""

PLACES = tuple(Place(page.title, page.address) for page in PAGES)
