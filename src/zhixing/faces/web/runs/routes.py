"""The pages of runs: what is done in the background, what came of it, and the task files to be edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.documents.model import Standing
from zhixing.documents.operations import DocumentView
from zhixing.faces.document_access import find_document, rewrite
from zhixing.faces.document_runs import find_run
from zhixing.faces.web.deeds import WHO
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.runs.views import Which, key_of, look_at, overview, shown_file, shown_run, shown_task
from zhixing.faces.web.today.saying import lines_of
from zhixing.kernel.errors import BadInput, ZhixingError

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])

Of = Annotated[str, Form()]


@router.get("/runs")
def show_all(desk: AtDesk, state: str = "all") -> Response:
    """List runs and task files."""
    which: Which = (
        "open" if state == "open" else "done" if state == "done" else "failed" if state == "failed" else "all"
    )
    return desk.show("runs/page.html", sight=overview(desk.home.app, which, desk.language))


@router.get("/runs/task")
def show_task(desk: AtDesk, of: str = "") -> Response:
    """Show a task file, to be edited."""
    return _task(desk, of)


@router.get("/runs/{run}")
def show_run(desk: AtDesk, run: str) -> Response:
    """Show one run."""
    return _run(desk, run)


@router.get("/runs/{run}/file")
def show_file(desk: AtDesk, run: str, name: str = "") -> Response:
    """Show the beginning of a file of a run."""
    return desk.show("runs/file.html", file=shown_file(desk.home.app, run, name))


@forms.post("/runs/task/text")
def write(
    desk: AtDesk,
    of: Of = "",
    text: Annotated[str, Form()] = "",
    revision: Annotated[str, Form()] = "",
    do: Annotated[str, Form()] = "look",
) -> Response:
    """Look at another text of a task file, or save it unless the file is not what was shown any more."""
    documents, written = desk.home.app.documents, lines_of(text)
    view = find_document(documents, of)
    if do != "save":
        looked = look_at(desk.home.app, written, desk.language)
        task = shown_task(desk.home.app, view, text=written, looked=looked)
        return desk.show("runs/task.html", path="/runs/task", task=task, revision=revision)

    def act() -> str:
        return _address(rewrite(documents, view, written, revision=revision))

    return desk.act(act, lambda error: _task(desk, of, error, text=written, revision=revision), "task_saved")


@forms.post("/runs/task/run")
def run_now(desk: AtDesk, of: Of = "") -> Response:
    """Run a task in the background, now."""

    def act() -> str:
        documents = desk.home.app.documents
        view = find_document(documents, of)
        return f"/runs/{documents.run(view.project, view.title, who=WHO).run.id}"

    return desk.act(act, lambda error: _task(desk, of, error), "run_started")


@forms.post("/runs/task/status")
def stand(desk: AtDesk, of: Of = "", status: Annotated[str, Form()] = "") -> Response:
    """Enable or pause a task."""

    def act() -> str:
        documents = desk.home.app.documents
        view = find_document(documents, of)
        if status not in list(Standing):
            raise BadInput("web_task_status")
        return _address(documents.set_status(view.project, view.title, Standing(status), who=WHO))

    return desk.act(act, lambda error: _task(desk, of, error), "task_saved")


@forms.post("/runs/{run}/cancel")
def cancel(desk: AtDesk, run: str) -> Response:
    """Call off a run of a task file."""
    documents = desk.home.app.documents
    return _of_run(desk, run, lambda: documents.cancel(find_run(documents, run).id, who=WHO).id, "run_cancelled")


@forms.post("/runs/{run}/again")
def again(desk: AtDesk, run: str) -> Response:
    """Run the task of a run once more."""
    documents = desk.home.app.documents

    def act() -> str:
        view = documents.of_task(find_run(documents, run).task_id)
        return documents.run(view.project, view.title, who=WHO).run.id

    return _of_run(desk, run, act, "run_started")


def _of_run(desk: Desk, run: str, act: Callable[[], str], note: str) -> Response:
    return desk.act(lambda: f"/runs/{quote(act(), safe='')}", lambda error: _run(desk, run, error), note)


def _run(desk: Desk, run: str, refused: ZhixingError | None = None) -> Response:
    return desk.show("runs/run.html", refused=refused, path=f"/runs/{run}", run=shown_run(desk.home.app, run))


def _task(
    desk: Desk, of: str, refused: ZhixingError | None = None, *, text: str | None = None, revision: str | None = None
) -> Response:
    task = shown_task(desk.home.app, find_document(desk.home.app.documents, of), text=text)
    kept = task.revision if revision is None else revision
    return desk.show("runs/task.html", refused=refused, path="/runs/task", task=task, revision=kept)


def _address(view: DocumentView) -> str:
    return f"/runs/task?{urlencode({'of': key_of(view)}, errors='replace')}"


router.include_router(forms)
