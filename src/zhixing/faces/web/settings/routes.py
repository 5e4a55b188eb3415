"""The page of settings, and its forms: each changes what `zhixing config set` would change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.delivery.operations import Trial
from zhixing.doctor import Finding
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.settings.ground import Ground
from zhixing.faces.web.settings.views import PLAIN, look
from zhixing.kernel.errors import BadInput, NotFound, Unavailable, ZhixingError
from zhixing.settings.keys import find

PATH = "/settings"
SAVED = "setting_saved"

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@router.get(PATH)
def show(desk: AtDesk) -> Response:
    """Show the settings."""
    return _page(desk)


@forms.post("/settings/check")
def check(desk: AtDesk) -> Response:
    """Look whether everything works; the model is asked a tiny question."""
    try:
        findings = _ground(desk).examine(desk.home.app.clock)
    except ZhixingError as error:
        return _page(desk, error)
    return _page(desk, findings=findings)


@forms.post("/settings/set")
def set_one(desk: AtDesk, key: Annotated[str, Form()] = "", value: Annotated[str, Form()] = "") -> Response:
    """Change one of the plain settings."""

    def act() -> None:
        if key not in PLAIN:
            raise NotFound("web_setting_unknown", name=key[:64])
        _put(_ground(desk), {key: value})

    return _changed(desk, act, "rest")


@forms.post("/settings/model")
def set_model(
    desk: AtDesk,
    *,
    base_url: Annotated[str, Form()] = "",
    key: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
    vision: Annotated[str, Form()] = "",
) -> Response:
    """Change the model. The key that is there stays unless another one is given."""
    given = {"model.base_url": base_url, "model.text": text, "model.vision": vision}
    if key.strip():
        given["model.key"] = key
    return _changed(desk, lambda: _put(_ground(desk), given), "model")


@forms.post("/settings/model/forget")
def forget_key(desk: AtDesk) -> Response:
    """Take the key of the model out."""
    return _changed(desk, lambda: _ground(desk).put("model.key", ""), "model")


@forms.post("/settings/channels")
def set_channel(
    desk: AtDesk,
    *,
    name: Annotated[str, Form()] = "",
    url: Annotated[str, Form()] = "",
    secret: Annotated[str, Form()] = "",
    quiet: Annotated[str, Form()] = "",
    per_hour: Annotated[str, Form()] = "",
) -> Response:
    """Make a way of telling or change one. An address and a key that are there stay unless others are given."""
    channel = name.strip()

    def act() -> None:
        path = ("channels", channel, "url")
        if not channel or "." in channel or find(path) is None:
            raise BadInput("web_channel_name")
        given = {f"channels.{channel}.url": url, f"channels.{channel}.secret": secret}
        kept = {key: text for key, text in given.items() if text.strip()}
        _put(_ground(desk), {**kept, f"channels.{channel}.quiet": quiet, f"channels.{channel}.per_hour": per_hour})

    return _changed(desk, act, "channels")


@forms.post("/settings/channels/{name}/remove")
def remove_channel(desk: AtDesk, name: str) -> Response:
    """Take a way of telling out."""

    def act() -> None:
        if name not in _ground(desk).load().settings.channels:
            raise NotFound("channel_unknown", name=name[:64])
        _ground(desk).put(f"channels.{name}", "")

    return _changed(desk, act, "channels")


@forms.post("/settings/channels/{name}/test")
def send_test(desk: AtDesk, name: str) -> Response:
    """Send a message marked as a test, and say what became of it."""
    try:
        trial = desk.home.app.delivery.test(name)
    except NotFound as error:
        known = desk.front.ground is not None and name in desk.front.ground.load().settings.channels
        return _page(desk, Unavailable("web_channel_not_yet", name=name[:64]) if known else error)
    except ZhixingError as error:
        return _page(desk, error)
    return _page(desk, trial=trial)


def _page(
    desk: Desk, refused: ZhixingError | None = None, *, findings: Sequence[Finding] = (), trial: Trial | None = None
) -> Response:
    ground = desk.front.ground
    if ground is None:
        return desk.show("settings/nowhere.html", refused=refused, path=PATH)
    try:
        sight = look(ground, desk.language, findings)
    except ZhixingError as error:
        return desk.show("refused.html", refused=refused or error, draft="")
    return desk.show("settings/page.html", refused=refused, path=PATH, sight=sight, trial=trial)


def _changed(desk: Desk, act: Callable[[], None], part: str) -> Response:
    def done() -> str:
        act()
        return f"{PATH}#{quote(part)}"

    return desk.act(done, lambda error: _page(desk, error), SAVED)


def _put(ground: Ground, given: Mapping[str, str]) -> None:
    """Change what is another now; what comes first is there when what follows is refused."""
    rows = {row.key: row.value for row in ground.load().shown()}
    for key, text in given.items():
        now = rows.get(key)
        if text.strip() != ("" if now is None else str(now)):
            ground.put(key, text.strip())


def _ground(desk: Desk) -> Ground:
    ground = desk.front.ground
    if ground is None:
        raise Unavailable("web_settings_nowhere")
    return ground


router.include_router(forms)
