"""The page of the home as an answer: as it was asked for, or with what was refused."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from zhixing.faces.web.desk import Desk
from zhixing.faces.web.home.asking import ADDRESS, Wish, wish_at
from zhixing.faces.web.home.views import look
from zhixing.household.people import LONGEST_NAME
from zhixing.kernel.errors import BadInput, StoreUnavailable, ZhixingError
from zhixing.world.perception.reading import LONGEST_QUERY, LONGEST_REASON, LONGEST_SOURCE


def show_home(desk: Desk, wish: Wish, refused: ZhixingError | None = None) -> Response:
    """Show the page."""
    try:
        sight = look(desk, wish)
    except BadInput as error:
        if not wish.older:
            raise
        return show_home(desk, wish.behind(""), refused or error)
    except StoreUnavailable as error:
        return desk.show("refused.html", refused=refused or error, draft="")
    return desk.show(
        "home/page.html",
        refused=refused,
        path=ADDRESS,  # also where a form was answered
        sight=sight,
        here_again=wish.address,
        longest_name=LONGEST_NAME,
        longest_reason=LONGEST_REASON,
        longest_query=LONGEST_QUERY,
        longest_source=LONGEST_SOURCE,
    )


def act_home(desk: Desk, act: Callable[[], object], here: str, note: str) -> Response:
    """Do something and lead back to where the form stood; or say there why not."""
    wish = wish_at(here)

    def acted() -> str:
        act()
        return wish.address

    return desk.act(acted, lambda error: show_home(desk, wish, error), note)
