"""The list at /tasks, one task at /tasks/{id}, and what can be done there."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Depends
from starlette.responses import Response

from zhixing.faces.web.deeds import do
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.tasks.detail import Question, see
from zhixing.faces.web.tasks.listing import LONGEST_SEARCH, STATUSES, Choice, Listed, listed, read_choice
from zhixing.kernel.errors import BadInput, NotFound, ZhixingError
from zhixing.tasks.task import Way

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@router.get("/tasks")
def page(
    desk: AtDesk, *, q: str = "", way: str = "", status: str = "open", order: str = "", before: str = ""
) -> Response:
    """List what was chosen."""
    choice = read_choice(q, way, status, order, before)
    try:
        return _list(desk, choice, listed(desk.home.app, choice, desk.language))
    except BadInput as error:
        return _list(desk, replace(choice, before=None), Listed((), ""), error)


@router.get("/tasks/{task_id}")
def one(desk: AtDesk, task_id: str, at: str = "", older: str = "", earlier: str = "") -> Response:
    """Show a task; `at` is a moment to look at, `older` and `earlier` say where its lists begin."""
    return _show(desk, task_id, Question(at, older, earlier))


@forms.post("/tasks/{task_id}/page/{deed}")
def act(desk: AtDesk, task_id: str, deed: str) -> Response:
    """Do something to a task, and show it."""

    def acted() -> str:
        do(desk.home.app, task_id, deed)
        return f"/tasks/{task_id}"

    return desk.act(acted, lambda error: _show(desk, task_id, Question(), error), note=f"task_{deed}")


def _list(desk: Desk, choice: Choice, found: Listed, refused: ZhixingError | None = None) -> Response:
    return desk.show(
        "tasks/page.html",
        refused=refused,
        choice=choice,
        listed=found,
        longest=LONGEST_SEARCH,
        ways=[(way.value, desk.text(f"tasks.way_{way.value}")) for way in Way],
        statuses=[(name, desk.text(f"web_tasks.of_{name}")) for name in STATUSES],
    )


def _show(desk: Desk, task_id: str, asked: Question, refused: ZhixingError | None = None) -> Response:
    try:
        found = see(desk.home.app, task_id, asked, desk.language)
    except NotFound as error:
        return desk.show("refused.html", refused=refused or error, draft="")
    except BadInput as error:
        if asked == Question():
            raise
        return _show(desk, task_id, Question(), error)
    address = f"/tasks/{found.task.id}"
    return desk.show("tasks/task.html", refused=refused, path=address, detail=found, asked=asked)


router.include_router(forms)
